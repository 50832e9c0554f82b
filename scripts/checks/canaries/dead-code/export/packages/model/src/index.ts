export { plan } from './plan.js';
