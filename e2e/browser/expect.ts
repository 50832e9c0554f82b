import { expect as base } from '@playwright/test';

/** Playwright's assertions, which wait; longer than by themselves, since other tests run beside on the same two cores. */
export const expect = base.configure({ timeout: 20_000 });
