import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { requireSuite } from '../../../scripts/suites.mjs';
import { doorScript, type HostVerb, hostProgram, supervisorScript } from './host-scripts.js';

const VERBS: readonly HostVerb[] = [
  'enrol',
  'run',
  'read-log',
  'probe',
  'cancel',
  'collect',
  'check',
  'forget',
];
const programs: Readonly<Record<string, string>> = {
  door: `M=x E=try N=1\n${doorScript()}`,
  supervisor: supervisorScript().toString(),
  ...Object.fromEntries(VERBS.map((verb) => [verb, hostProgram(verb).toString()])),
};

test('every program for hosts is POSIX sh and has no comments, no carriage returns and no line of ours missing', () => {
  for (const [name, text] of Object.entries(programs)) {
    const checked = spawnSync('/bin/sh', ['-n'], { input: text });
    assert.equal(checked.status, 0, `${name}: ${checked.stderr}`);
    assert.doesNotMatch(text, /^\s*#|\r/m, name);
    assert.ok(text.endsWith('\n') && text.length > 300, name);
  }
});

test('[V02] the first lines are short enough and hold no character that a login shell could take for its own', () => {
  assert.ok(doorScript().length < 1024);
});

if (
  requireSuite(
    'shellcheck',
    spawnSync('shellcheck', ['--version']).status === 0,
    'no shellcheck',
    'apt-get install shellcheck',
  )
) {
  test('shellcheck has nothing to say', () => {
    for (const [name, text] of Object.entries(programs)) {
      // Variables are set in one part and read in another; the rest of the list is explained where it occurs in the sources.
      const checked = spawnSync(
        'shellcheck',
        ['-s', 'sh', '-e', 'SC2016,SC2034,SC2086,SC2046,SC2154,SC2181,SC3013', '-'],
        { input: text, encoding: 'utf8' },
      );
      assert.equal(checked.status, 0, `${name}: ${checked.stdout}`);
    }
  });
}
