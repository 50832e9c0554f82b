'use client';

export { PageBroke as default } from '../../src/shell/page-broke';
