import { engine } from '@capstan/engine';

console.log(engine);
