export { engine } from '../../engine/src/engine.js';
