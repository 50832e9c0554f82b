import type { HostPort } from '@capstan/engine';
import { engine } from '@capstan/engine';

export const port: HostPort = engine;
