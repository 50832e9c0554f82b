import type { NormalDocument } from './normal-documents.js';

/**
 * Keys that a document may lack and its pack may not: an incomplete scenario or contract is valid as a document (S36).
 */
export function missingKeys(document: NormalDocument): readonly string[] {
  switch (document.kind) {
    case 'job': {
      const { target, run, outputs } = document.normal.job;
      return keys({
        target,
        run,
        'outputs.evidence': outputs.capabilities.length === 0 || outputs.evidence.length > 0 || undefined,
      });
    }
    case 'contract':
      return ['id', 'target', 'run'];
    case 'check': {
      const { expect, command, script, http, tcp } = document.normal.check;
      return keys({ 'command or script': command ?? script ?? http ?? tcp, expect });
    }
    case 'scenario': {
      const { version, action, target_resource_type, stages } = document.normal.scenario;
      return keys({ version, action, target_resource_type, stages });
    }
    case 'pack':
      return keys({ pack: document.normal.pack });
    default:
      return [];
  }
}

function keys(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values)
    .filter(([, value]) => value === undefined)
    .map(([key]) => key);
}
