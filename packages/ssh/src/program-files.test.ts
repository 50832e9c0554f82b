import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostProgram } from '@capstan/engine';
import { attemptArchives, attemptHeader, checkedUser } from './program-files.js';

const program: HostProgram = {
  script: null,
  command: ['true'],
  as: 'login',
  params: Buffer.from('{}'),
  env: {},
  secrets: [],
  inputs: [],
  timeoutMs: 1,
};

/** The text of a file in an archive: the block after its header. */
function fileOf(blocks: readonly Buffer[], path: string): string {
  const at = blocks.findIndex(
    (block) => block.length === 512 && block.toString('latin1', 0, path.length + 1) === `${path}\0`,
  );
  return blocks[at + 1]?.toString() ?? '';
}

function jobOf(more: Partial<HostProgram>): string {
  return fileOf(attemptArchives({ ...program, ...more }, Buffer.from('s'), '/v').folder, 'in/job');
}

test('a script is run by the interpreter that it names, as the kernel would read it', () => {
  const last = (script: string | Uint8Array): string =>
    jobOf({ script: Buffer.from(script as string), command: null })
      .trimEnd()
      .split('\n')
      .at(-1) ?? '';
  assert.equal(last('#!/bin/sh\necho'), `exec '/bin/sh' "$1/script"`);
  assert.equal(last('#! /usr/bin/env  bash -e \necho'), `exec '/usr/bin/env' 'bash -e' "$1/script"`);
  assert.equal(last('echo no shebang'), `exec '/bin/sh' "$1/script"`);
  assert.equal(last(Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2])), 'exec "$1/script"');
});

test('[C23] parameters become variables when they are scalars of at most 64 KiB, and when their names stay apart', () => {
  const params = {
    plain: 'a',
    'with-dash': 1,
    yes: false,
    none: null,
    list: [1],
    big: 'x'.repeat(65_537),
    fits: 'x'.repeat(65_536),
    'a.b': 1,
    a_b: 2,
  };
  const names = [...jobOf({ params: Buffer.from(JSON.stringify(params)) }).matchAll(/^export (\w+)=/gm)].map(
    (match) => match[1],
  );
  assert.deepEqual(names, [
    'CAPSTAN_PARAM_PLAIN',
    'CAPSTAN_PARAM_WITH_DASH',
    'CAPSTAN_PARAM_YES',
    'CAPSTAN_PARAM_FITS',
  ]);
});

test('[S10] a job without secrets has no secret folder; with some, only links to it lie in its own', () => {
  assert.equal(attemptArchives(program, Buffer.from('s'), '/v').vault, null);
  const secret = { name: 'token', bytes: Buffer.from('T0PSECRET'), sensitive: true };
  const made = attemptArchives(
    { ...program, secrets: [secret], inputs: [secret, { ...secret, name: 'many/host' }] },
    Buffer.from('s'),
    '/v',
  );
  assert.ok(!Buffer.concat(made.folder).includes('T0PSECRET'));
  assert.equal(
    Buffer.concat(made.vault ?? [])
      .toString('latin1')
      .split('T0PSECRET').length - 1,
    3,
  );
});

test('what a host is told of an attempt is checked: ids, fences, folders, users', () => {
  const ref = {
    attemptId: 'at_1',
    operationId: 'op_1',
    nodeKey: 'job[host]/x',
    number: 2,
    fence: '7301.2.15',
    runRoot: '/var/lib/capstan/run',
    secretRoot: '/run/capstan',
  };
  const header = attemptHeader(ref);
  assert.match(String(header.node), /^[0-9a-f]{40}$/);
  assert.notEqual(header.node, attemptHeader({ ...ref, nodeKey: 'job[host]' }).node);
  for (const wrong of [
    { attemptId: '../x' },
    { attemptId: 'a b' },
    { fence: '1.2' },
    { fence: 'a.b.c' },
    { runRoot: 'relative' },
    { secretRoot: '/a\nb' },
  ]) {
    assert.throws(() => attemptHeader({ ...ref, ...wrong }), /not /);
  }
  assert.equal(checkedUser('www-data'), 'www-data');
  for (const wrong of ['', '-x', 'a b', '$(id)', 'root;'])
    assert.throws(() => checkedUser(wrong), /not a user name/);
});
