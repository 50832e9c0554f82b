export { engine } from '@capstan/engine';
