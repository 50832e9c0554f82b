import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostConnection } from '@capstan/engine';
import { testHost, testPlan } from '@capstan/engine/testing';
import { type DebianHost, startDebianLab, whyNoDebianHosts } from '@capstan/lab';
import { createSshHosts } from '@capstan/ssh';
import { round } from './measure.js';
import { openProductPath } from './product-path.js';

/**
 * 20 verified tasks on 10 real Debian hosts: each writes a file and is then proved by reading it back. Ours: 20 jobs with a
 * check per host, durable and journaled. Ansible: 20 pairs of `copy` and a `command` that fails on another content, with
 * pipelining, no fact gathering, a fork per host. Both on the same hosts, one after the other, in one run.
 */
const HOSTS = Number(process.env['BENCH_HOSTS'] ?? 10);
const TASKS = 20;

const missing = await whyNoDebianHosts();
if (missing !== undefined || !hasAnsible()) {
  console.error(
    `ssh-ansible needs Debian hosts and ansible-core: ${missing ?? 'apt-get install ansible-core'}`,
  );
  process.exit(1);
}
const lab = await startDebianLab({
  cache: process.env['CAPSTAN_LAB_CACHE'] || '/var/cache/capstan-lab',
  instance: 'bench',
  names: Array.from({ length: HOSTS }, (_, n) => `b${n + 1}`),
});
// Ansible needs Python on every host; ours needs a shell. The installation is not timed.
for (const host of lab.hosts) {
  for (const command of [
    ['apt-get', 'update'],
    ['apt-get', 'install', '-y', '--no-install-recommends', 'python3'],
  ]) {
    const end = await lab.inside(host.name, command);
    if (end.code !== 0) throw new Error(`${host.name}: ${command.join(' ')}: ${end.stderr.slice(-500)}`);
  }
}
const folder = mkdtempSync(join(tmpdir(), 'capstan-ansible-'));
try {
  const ours = await capstan();
  const theirs = ansible();
  const result = {
    name: 'ssh-ansible',
    ours: round(ours),
    floor: round(theirs),
    ratio: round(theirs / ours),
    unit: 'ms (floor = ansible-core, ratio = times faster)',
    runs: 1,
    hosts: HOSTS,
    tasks: TASKS,
    load: loadavg().map(round),
  };
  if (process.argv.includes('--json')) console.log(JSON.stringify(result));
  else
    console.log(
      `ssh-ansible: ${TASKS} verified tasks on ${HOSTS} hosts: ${round(ours)} ms, ansible-core ${round(theirs)} ms, ${result.ratio} times faster (load ${result.load[0]})`,
    );
} finally {
  await lab.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** Debian's own; installed where that is ours to do. */
function hasAnsible(): boolean {
  const answers = () => spawnSync('ansible-playbook', ['--version']).status === 0;
  if (answers() || process.getuid?.() !== 0) return answers();
  console.error('Installing ansible-core from Debian');
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=400', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  apt('update');
  apt('install', '-y', '--no-install-recommends', 'ansible-core');
  return answers();
}

async function capstan(): Promise<number> {
  const hosts = createSshHosts({
    credentials: () => Promise.resolve(readFileSync(lab.hosts[0]?.keyFile ?? '', 'utf8')),
  });
  const records: HostConnection[] = [];
  for (const host of lab.hosts) {
    const record = recordOf(host);
    const enrolled = await hosts.enrol(record);
    if (enrolled.kind === 'blocked') throw new Error(`${host.name}: ${enrolled.reason.code}`);
    records.push({ ...record, runRoot: enrolled.runRoot, secretRoot: enrolled.secretRoot });
  }
  const script = new TextEncoder().encode(
    '#!/bin/sh\nset -eu\nprintf %s "$CAPSTAN_PARAM_TEXT" >"/var/tmp/ours-$CAPSTAN_PARAM_N"\n',
  );
  const path = await openProductPath({}, { hosts, records, files: new Map([['files/run.sh', script]]) });
  try {
    const { createMs, ms } = await path.run(fleetPlan());
    return createMs + ms;
  } finally {
    await path.stop();
    await hosts.close();
  }
}

function fleetPlan(): ReturnType<typeof testPlan> {
  const plan = testPlan(
    lab.hosts.flatMap((host) =>
      Array.from({ length: TASKS }, (_, n) => ({
        key: `t${n}[${host.name}]`,
        after: n === 0 ? [] : [`t${n - 1}[${host.name}]`],
        params: { text: { kind: 'value', value: `text ${n}` }, n: { kind: 'value', value: n } } as const,
        run: { as: 'login' },
        checks: { [`c${n}`]: { command: ['grep', '-qx', `text ${n}`, `/var/tmp/ours-${n}`] } },
      })),
    ),
    { subject: { key: 'thing/fleet', type: 'thing', name: 'fleet' } },
  );
  const nodes = plan.nodes.map((node) => {
    const target = `node/${/\[(.*)\]/.exec(node.key)?.[1]}`;
    return {
      ...node,
      target,
      checks: node.checks.map((check) => ({ ...check, subject: target, from: target })),
      proofs: node.proofs.map((proof) => ({ ...proof, subject: target })),
    };
  });
  return { ...plan, nodes };
}

function recordOf(host: DebianHost): HostConnection {
  return {
    ...testHost(host.name),
    address: host.address,
    port: host.port,
    user: host.user,
    hostKeyFingerprint: host.hostKeyFingerprint,
    runRoot: null,
    secretRoot: null,
    provenance: 'real',
    tier: 'debian',
  };
}

function ansible(): number {
  const inventory = lab.hosts
    .map(
      (h) =>
        `${h.name} ansible_host=${h.address} ansible_user=${h.user} ansible_ssh_private_key_file=${h.keyFile} ansible_python_interpreter=/usr/bin/python3`,
    )
    .join('\n');
  const tasks = Array.from({ length: TASKS }, (_, n) => [
    `    - ansible.builtin.copy: {content: "text ${n}", dest: /var/tmp/theirs-${n}}`,
    `    - ansible.builtin.command: {argv: [grep, -qx, "text ${n}", /var/tmp/theirs-${n}]}\n      changed_when: false`,
  ]);
  writeFileSync(join(folder, 'hosts'), inventory);
  writeFileSync(
    join(folder, 'play.yaml'),
    ['- hosts: all', '  gather_facts: false', '  tasks:', ...tasks.flat()].join('\n'),
  );
  writeFileSync(
    join(folder, 'ansible.cfg'),
    `[defaults]\nhost_key_checking = false\nforks = ${HOSTS}\n[ssh_connection]\npipelining = true\nssh_args = -o ControlMaster=auto -o ControlPersist=60s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null\n`,
  );
  const started = performance.now();
  const run = spawnSync('ansible-playbook', ['-i', 'hosts', 'play.yaml'], { cwd: folder, encoding: 'utf8' });
  if (run.status !== 0)
    throw new Error(`ansible-playbook ended with ${run.status}: ${run.stdout.slice(-2000)}`);
  return performance.now() - started;
}
