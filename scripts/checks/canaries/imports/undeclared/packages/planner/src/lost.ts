export { nothing } from './nowhere.js';
