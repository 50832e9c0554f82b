import { test } from 'node:test';

test('[L1] exit 0 without proof is unproven', () => {});
