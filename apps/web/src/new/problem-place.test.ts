import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldId, placeOf } from './problem-place';

const PARAMS = { properties: { name: {}, disks: {} } };
const at = (code: string, args: Record<string, unknown>) => placeOf({ code, text: { args } }, PARAMS);

test('[UX-S8] a problem of the planner leads to the field that it is about', () => {
  assert.deepEqual(at('invalid_parameter', { path: 'name' }), { kind: 'parameter', path: ['name'] });
  assert.deepEqual(at('invalid_parameter', { path: 'disks[1].size' }), {
    kind: 'parameter',
    path: ['disks', 1, 'size'],
  });
  assert.deepEqual(at('missing_value', { type: 'postgres' }), { kind: 'parameter', path: ['name'] });
  assert.deepEqual(at('needs_choice', { set: 'server', wanted: 1, options: 'a' }), { kind: 'hosts' });
  assert.deepEqual(at('unknown_host', { host: 'x', path: 'hosts' }), { kind: 'hosts' });
  assert.deepEqual(at('invalid_parameter', { path: 'constraints.environment' }), { kind: 'environment' });
  assert.deepEqual(at('unknown_resource', { environment: 'gone' }), { kind: 'environment' });
  assert.equal(at('unmet_requirement', { name: 'linux.host' }), null);
  assert.equal(at('invalid_parameter', { path: 'job install: port' }), null);
});

test('a place has the id of its field', () => {
  assert.equal(fieldId({ kind: 'parameter', path: ['disks', 1, 'size'] }), 'root_disks_1_size');
  assert.equal(fieldId({ kind: 'hosts' }), 'new-hosts');
});
