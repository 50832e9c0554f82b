import type { JsonValue } from '@capstan/model';
import { type FormValue, schemaOf } from './form/params-schema';

/** What a person has typed so far for one scenario; kept in the tab until the operation starts [UX-S8]. */
export interface NewDraft {
  readonly environment: string | null;
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly parameters: Readonly<Record<string, FormValue>>;
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'capstan.new.';

/** The kept draft of a scenario; null where there is none that can be read. */
export function readDraft(storage: Storage, scenario: string): NewDraft | null {
  const text = storage.getItem(PREFIX + scenario);
  if (text === null) return null;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    // Written by another version, or cut off by a full storage: the form then begins anew.
    return null;
  }
  const { environment, hosts, parameters } = schemaOf(value);
  return {
    environment: typeof environment === 'string' ? environment : null,
    hosts: Object.fromEntries(Object.entries(schemaOf(hosts)).map(([set, names]) => [set, texts(names)])),
    parameters: schemaOf(parameters),
  };
}

/** Keeps a draft; false where the browser refuses to. */
export function keepDraft(storage: Storage, scenario: string, draft: NewDraft): boolean {
  try {
    storage.setItem(PREFIX + scenario, JSON.stringify(draft));
    return true;
  } catch {
    // Storage is full or forbidden; the form itself still holds everything.
    return false;
  }
}

/** Drops a draft that became an operation. */
export function dropDraft(storage: Storage, scenario: string): void {
  storage.removeItem(PREFIX + scenario);
}

function texts(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
