export { plan as patched } from './index.js';
