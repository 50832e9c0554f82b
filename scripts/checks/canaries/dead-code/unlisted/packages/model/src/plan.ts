import semver from 'semver';

export const plan = semver.valid('1.0.0');
