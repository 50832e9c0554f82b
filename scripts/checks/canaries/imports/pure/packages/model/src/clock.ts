export { performance } from 'node:perf_hooks';
