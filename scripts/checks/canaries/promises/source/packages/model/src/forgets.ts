import { readFile } from 'node:fs/promises';

export function forget(): void {
  readFile('nothing');
}
