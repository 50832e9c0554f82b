import { test } from 'node:test';

test.only('the rest is left out', () => {});
