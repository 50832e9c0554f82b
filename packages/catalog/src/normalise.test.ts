import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkDocuments } from './check-documents.js';

const maybe = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T, required: (keyof T)[]) =>
  fc.record(model, { requiredKeys: required as never });

const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta');
const dotted = fc.constantFrom('ssh.access', 'linux.host', 'a.b.c', 'host:ssh.access');
const title = fc.oneof(word, fc.record({ en: word }), fc.record({ en: word, ru: word }));
const on = fc.constantFrom(
  'host',
  'target',
  'binding:alpha',
  'binding:alpha.claim',
  'all(alpha)',
  'first( beta )',
);
const duration = fc.constantFrom('10m', '90s', '2h', '7d');
const cel = fc.constantFrom('params.alpha', 'host.name', '1', 'target.name + "x"');
const capability = fc.oneof(
  dotted,
  maybe({ capability: dotted, on, attributes: fc.constantFrom({}, { a: false }) }, ['capability']),
);
const capabilities = fc.uniqueArray(capability, {
  maxLength: 3,
  selector: (ref) => (typeof ref === 'string' ? ref : ref.capability),
});
const artifactInput = fc.oneof(
  word,
  word.map((name) => `${name}?`),
  maybe({ name: word, on, optional: fc.boolean(), min_remaining: duration }, ['name']),
);
const name = (ref: unknown) =>
  typeof ref === 'string' ? ref.replace('?', '') : (ref as { name: string }).name;
const inputLists = maybe(
  { capabilities, artifacts: fc.uniqueArray(artifactInput, { maxLength: 3, selector: name }) },
  [],
);
const inputs = fc.oneof(
  inputLists,
  inputLists.filter((lists) => Object.keys(lists).length > 0).map((requires) => ({ requires })),
);
const outputLists = maybe(
  {
    capabilities,
    artifacts: fc.uniqueArray(fc.oneof(word, maybe({ name: word, on }, ['name'])), {
      maxLength: 3,
      selector: name,
    }),
    evidence: fc.uniqueArray(word, { maxLength: 3 }),
  },
  [],
);
const outputs = fc.oneof(
  outputLists,
  outputLists.filter((lists) => Object.keys(lists).length > 0).map((provides) => ({ provides })),
);
const parameter = fc.oneof(
  cel,
  fc.integer({ min: -5, max: 5 }),
  fc.boolean(),
  fc.constantFrom({ secret: 'a' }, { artifact: 'b' }),
);
const parameters = fc.dictionary(word, parameter, { maxKeys: 3 });

const job = maybe(
  {
    id: word,
    title,
    summary: title,
    target: fc.constantFrom(
      'host',
      'each(alpha)',
      'first( healthy(beta) )',
      'client_of(binding:alpha)',
      'each(members+alpha)',
    ),
    with: parameters,
    inputs,
    outputs,
    disturbs: capabilities,
    on_demand: fc.boolean(),
    destructive: fc.boolean(),
    run: fc.oneof(
      maybe(
        {
          script: fc.constant('files/a.sh'),
          as: fc.constantFrom('login', 'root'),
          idempotent: fc.boolean(),
          timeout: duration,
        },
        ['script'],
      ),
      fc.record({ manual: title }),
    ),
  },
  ['id'],
).map((value) => ({ job: value }));

const requirement = fc.oneof(
  dotted,
  maybe({ capability: dotted, claim: fc.boolean(), version: fc.constant('^1') }, ['capability']),
);
const scenarioBody = {
  title,
  version: fc.constant('1.0.0'),
  action: word,
  target_resource_type: fc.constantFrom('postgres', 'kubernetes.cluster'),
  requires: fc.tuple(requirement).map(([only]) => [only]),
  provides: fc.array(fc.oneof(dotted, fc.record({ capability: dotted })), { maxLength: 2 }),
  exports: fc.constantFrom({}, { attributes: {}, artifacts: [] }, { attributes: { a: 'params.a' } }),
  gates: fc.constant([]),
  stages: fc.constantFrom(
    [{ id: 'one', title: { en: 'One' }, jobs: [] }],
    [{ id: 'one' }, { id: 'two', after: ['one'], jobs: ['alpha'] }],
  ),
};
const scenario = fc.oneof(
  maybe({ ...scenarioBody, scenario: fc.constant('a.b') }, ['scenario']),
  maybe(
    {
      ...scenarioBody,
      id: fc.constant('a.b'),
      host_sets: fc.constantFrom({}, { alpha: {} }, { alpha: { count: 3 }, beta: { count: '1 + 2' } }),
    },
    ['id'],
  ).map((value) => ({ scenario: value })),
);

const check = maybe(
  {
    id: word,
    title,
    from: fc.constantFrom('host', 'first( alpha )'),
    as: fc.constantFrom('login', 'root'),
    params: parameters,
    inputs: fc.record({ artifacts: fc.uniqueArray(artifactInput, { maxLength: 2, selector: name }) }),
  },
  ['id'],
).map((value) => ({ check: value }));

const capabilityBody = fc.constantFrom(
  { of: 'node' },
  { of: 'node', version: 1, title: { en: 'x' } },
  { implied_by: 'x.y' },
);
const pack = fc.oneof(
  fc.dictionary(word, capabilityBody, { minKeys: 1, maxKeys: 3 }).map((capabilities) => ({ capabilities })),
  fc.record({
    artifacts: fc.uniqueArray(
      maybe(
        {
          name: word,
          of: fc.constant('node'),
          sensitive: fc.boolean(),
          credential: fc.boolean(),
          redact: fc.constant([]),
        },
        ['name', 'of'],
      ),
      { maxLength: 2, selector: (item) => item.name },
    ),
    permissions: fc.constantFrom({}, { sudo: false }, { sudo: true, artifacts: [] }),
  }),
);

const value = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant([]), fc.constant({ x: false }));
const hosts = fc.oneof(fc.constant(['node/a', 'b']), fc.constant({ alpha: ['node/a'], beta: ['b', 'c'] }));
const intent = fc
  .tuple(
    maybe({ desired_result: fc.dictionary(word, value), hosts, constraints: fc.dictionary(word, value) }, []),
    fc.dictionary(fc.constantFrom('one', 'two'), value),
  )
  .map(([fixed, parameters]) => ({
    intent: { action: 'install', target_resource_type: 'postgres', ...fixed, ...parameters },
  }));

for (const [kind, documents] of Object.entries({ job, scenario, check, pack, intent })) {
  test(`[S36] the normal form of a ${kind} is a document whose normal form it is`, () => {
    fc.assert(
      fc.property(documents, (document) => {
        const [first] = checkDocuments([{ file: 'f.json', text: JSON.stringify(document) }]);
        // Names that a document lacks are another test's; here only shape and spelling matter.
        const own =
          first?.problems.filter(({ code }) => code !== 'unknown_reference' && code !== 'missing_key') ?? [];
        assert.deepEqual(own, [], JSON.stringify(document));
        fc.pre(first?.normal !== null);
        const [second] = checkDocuments([{ file: 'f.json', text: JSON.stringify(first?.normal) }]);
        assert.deepEqual(second?.normal, first?.normal);
        assert.deepEqual(second?.missing, first?.missing);
      }),
      { numRuns: 300 },
    );
  });
}

test('[S36] short and long ways of saying a thing have one normal form', () => {
  const normal = (text: string) => checkDocuments([{ file: 'f', text }])[0]?.normal;
  const same = (a: string, b: string) => {
    assert.notEqual(normal(a), null, a);
    assert.deepEqual(normal(a), normal(b));
  };
  same(
    'scenario: a.b\nversion: 1.0.0\nrequires: [c.d]',
    'scenario: {id: a.b, version: 1.0.0, requires: [{as: d, capability: c.d}]}',
  );
  same(
    'job: {id: a, inputs: {artifacts: [b?]}}',
    'job: {id: a, inputs: {artifacts: [{name: b, optional: true}]}}',
  );
  same('job: {id: a, on_demand: false, disturbs: []}', 'job: {id: a}');
  same(
    'job: {id: a, target: "first( healthy( b ) )", title: {en: x}}',
    'job: {id: a, target: first(healthy(b)), title: x}',
  );
  same('capabilities: {a.b: {of: node}}', 'capabilities: [{id: a.b, of: node}]');
  same(
    'intent: {action: a, target_resource_type: b, port: 1}',
    'intent: {action: a, target_resource_type: b, desired_result: {port: 1}}',
  );
  same(
    'intent: {action: a, target_resource_type: b, hosts: [node/x]}',
    'intent: {action: a, target_resource_type: b, hosts: [x]}',
  );
  same(
    'plan_patch: {reason: a, changes: [{retry: b}]}',
    'plan_patch: {reason: a, changes: [{retry: {job: b}}]}',
  );
});
