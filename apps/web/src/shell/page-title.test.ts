import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageTitle } from './page-title';

test('[UX-S4] the title of a page begins with how many operations need a person', () => {
  assert.equal(pageTitle('Operations', 2), '(2) Operations · Capstan');
  assert.equal(pageTitle('Operations', 0), 'Operations · Capstan');
  assert.equal(pageTitle('', 1), '(1) Capstan');
});
