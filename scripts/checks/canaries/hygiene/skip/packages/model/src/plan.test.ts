import { test } from 'node:test';

test('left out', { skip: true }, () => {});
