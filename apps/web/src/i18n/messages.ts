import enGraph from '../../messages/en/graph.json';
import enHosts from '../../messages/en/hosts.json';
import enNew from '../../messages/en/new.json';
import enOperation from '../../messages/en/operation.json';
import enOperations from '../../messages/en/operations.json';
import enShell from '../../messages/en/shell.json';
import ruGraph from '../../messages/ru/graph.json';
import ruHosts from '../../messages/ru/hosts.json';
import ruNew from '../../messages/ru/new.json';
import ruOperation from '../../messages/ru/operation.json';
import ruOperations from '../../messages/ru/operations.json';
import ruShell from '../../messages/ru/shell.json';
import type { Locale } from './locale';

const en = {
  shell: enShell,
  graph: enGraph,
  operation: enOperation,
  operations: enOperations,
  new: enNew,
  hosts: enHosts,
};

/** All words of the interface: `useTranslations('<area>')` reads messages/<locale>/<area>.json. */
export type Messages = typeof en;

const ru = {
  shell: ruShell,
  graph: ruGraph,
  operation: ruOperation,
  operations: ruOperations,
  new: ruNew,
  hosts: ruHosts,
};

/** The words in one language. That both have the same keys is checked by `npm run check -- messages`. */
export function messagesOf(locale: Locale): Messages {
  // A missing Russian key is a finding of that check; as a type it would be an error in this file, for every area.
  return locale === 'ru' ? (ru as unknown as Messages) : en;
}
