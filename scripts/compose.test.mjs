import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { readConfig, readRole } from '../apps/server/src/config.ts';
import { dockerfileProblems, readDockerfile } from './launch/dockerfile.mjs';
import { repositoryRoot } from './launch/repository.mjs';

// There is no container engine where these tests run: they judge the form of the files and what they refer to.

const read = (file) => readFileSync(join(repositoryRoot, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true });
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build === '.');
const guide = read('docs/guide/running-in-production.md');
const given = { CAPSTAN_DATABASE_PASSWORD: 'fedcba9876543210' };
const asked = new Set();

/** `${NAME:?words}` as compose does it; any other form of reference is left, and fails later. */
function interpolate(text) {
  return String(text).replace(/\$\{(\w+):\?[^}]+\}/g, (_, name) => {
    asked.add(name);
    assert.ok(name in given, `who gives ${name}?`);
    return given[name];
  });
}

test('compose has a database, a server, two workers and two SSH hosts', () => {
  assert.deepEqual(Object.keys(compose.services).sort(), [
    'database',
    'host-1',
    'host-2',
    'server',
    'worker-1',
    'worker-2',
  ]);
});

test('every image is pinned to a version, ours to the one of package.json', () => {
  const { version } = JSON.parse(read('package.json'));
  for (const [name, { image, build }] of services) {
    assert.match(image, /:[^:]*\d/, name);
    assert.doesNotMatch(image, /:latest$/, name);
    if (build) assert.equal(image.split(':')[1], version, name);
  }
});

test('every service starts a role that exists, with settings that the configuration reads and accepts', () => {
  const roles = ours.map(([name, { command, environment }]) => {
    const known = new Set();
    const values = Object.fromEntries(
      Object.entries(environment).map(([key, value]) => [key, interpolate(value)]),
    );
    const env = new Proxy(values, {
      get(target, key) {
        known.add(key);
        return target[key];
      },
    });
    const { ok, lines, config } = readConfig(env, '/');
    assert.ok(ok, `${name}: ${lines}`);
    assert.deepEqual(
      Object.keys(environment).filter((key) => !known.has(key)),
      [],
      `${name} sets what nobody reads`,
    );
    assert.doesNotMatch(config.databaseUrl, /[$\s]/);
    assert.equal(new URL(config.databaseUrl).hostname, 'database');
    assert.equal(config.lab, 'none');
    assert.deepEqual(command.slice(0, 2), ['node', '--enable-source-maps']);
    assert.ok(existsSync(sourceOf(command[2])), command[2]);
    return [name, readRole(command[3], values)];
  });
  assert.deepEqual(Object.fromEntries(roles), {
    server: 'supervisor',
    'worker-1': 'worker',
    'worker-2': 'worker',
  });
});

test('the password reaches database and server from one setting, and no secret stands in the file', () => {
  const { environment } = compose.services.database;
  assert.equal(interpolate(environment.POSTGRES_PASSWORD), given.CAPSTAN_DATABASE_PASSWORD);
  for (const [, service] of ours) {
    const url = new URL(interpolate(service.environment.DATABASE_URL));
    assert.equal(url.password, given.CAPSTAN_DATABASE_PASSWORD);
    assert.equal(url.username, environment.POSTGRES_USER);
    assert.equal(url.pathname, `/${environment.POSTGRES_DB}`);
  }
  for (const name of asked)
    assert.ok(guide.includes(`${name}=`), `the guide does not say how to set ${name}`);
  for (const { file } of Object.values(compose.secrets)) {
    assert.ok(guide.includes(file.replace(/\.pub$/, '')), `the guide does not say how to make ${file}`);
    for (const ignore of ['.gitignore', '.dockerignore'])
      assert.ok(
        read(ignore)
          .split('\n')
          .some((line) => line === dirname(file)),
        `${ignore}: ${file}`,
      );
  }
});

test('the server is asked where it listens, and publishes nothing, because it listens on loopback only', () => {
  const { healthcheck, environment } = compose.services.server;
  const { config } = readConfig({ ...environment, DATABASE_URL: '' }, '/');
  assert.match(healthcheck.test.at(-1), new RegExp(`http://${config.host}:${config.port.value}/readyz'`));
  for (const [name, service] of services) assert.equal(service.ports, undefined, name);
  for (const [name, service] of services) assert.notEqual(service.network_mode, 'host', name);
});

test('who waits for a service waits for its health, which something checks', () => {
  for (const [name, { depends_on: needs = {} }] of services) {
    for (const [other, { condition }] of Object.entries(needs)) {
      assert.equal(condition, 'service_healthy', name);
      assert.ok(compose.services[other].healthcheck?.test, `${name} waits for ${other}`);
    }
  }
  assert.deepEqual(Object.keys(compose.services.server.depends_on), ['database']);
  for (const worker of ['worker-1', 'worker-2'])
    assert.deepEqual(Object.keys(compose.services[worker].depends_on), ['server']);
});

test('networks, volumes and secrets are declared, used, and only what was meant is shared', () => {
  const users = (kind, nameOf = (entry) => entry) => {
    const found = {};
    for (const [name, service] of services)
      for (const entry of service[kind] ?? []) {
        found[nameOf(entry)] ??= [];
        found[nameOf(entry)].push(name);
      }
    return found;
  };
  const volumes = users('volumes', (entry) => entry.split(':')[0]);
  assert.deepEqual(Object.keys(volumes).sort(), Object.keys(compose.volumes).sort());
  for (const [name, by] of Object.entries(volumes))
    assert.equal(by.length, name === 'secret' ? ours.length : 1, name);
  assert.deepEqual(Object.keys(users('secrets')), Object.keys(compose.secrets));
  const networks = users('networks');
  assert.deepEqual(Object.keys(networks).sort(), Object.keys(compose.networks).sort());
  assert.deepEqual(
    networks.state.filter((name) => name.startsWith('host-')),
    [],
    'a host that jobs run on must not reach the database',
  );
  // Both processes of a container keep logs; only the key is common.
  for (const [, { volumes: own, environment }] of ours) {
    assert.equal(own[0].split(':')[1], environment.CAPSTAN_DATA);
    assert.equal(own[1], `secret:${environment.CAPSTAN_DATA}/secret`);
  }
});

test('everything stops by the signal it knows, and has the time for it', () => {
  for (const [name, service] of services) {
    assert.match(service.stop_signal, /^SIG(TERM|INT)$/, name);
    assert.match(service.stop_grace_period, /^\d+s$/, name);
  }
  // 9.5 s is what the starter gives a server.
  for (const [, service] of ours) assert.ok(Number.parseInt(service.stop_grace_period, 10) > 10);
});

test('our containers may do little', () => {
  for (const [name, service] of ours) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ['ALL'], name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
  }
  for (const [name, service] of services) assert.equal(service.privileged, undefined, name);
});

for (const context of new Set(services.flatMap(([, { build }]) => build ?? []))) {
  test(`the Dockerfile of ${context} is sane`, () => {
    const file = normalize(join(context, 'Dockerfile'));
    const stages = readDockerfile(read(file));
    assert.deepEqual(dockerfileProblems(repositoryRoot, context, stages), []);
  });
}

test('what is wrong with a Dockerfile is said', () => {
  const stages = readDockerfile(`FROM node
# a comment
FROM debian:latest AS next
ADD https://example.invalid/x /x
COPY missing.txt \\
  /x
COPY --from=other /a /b
ENV API_TOKEN=abc
RUN curl -s example.invalid | sh
USER root
CMD node x.js`);
  assert.deepEqual(dockerfileProblems(repositoryRoot, '.', stages), [
    'node has no tag',
    'debian:latest is whatever it is today',
    'ADD fetches and unpacks: use COPY',
    'COPY missing.txt: there is no such file',
    'COPY from other, which is no stage',
    'ENV holds a secret',
    'RUN fetches what nothing pins',
    'it runs as root',
    'STOPSIGNAL SIGTERM is missing',
    'CMD is no list',
  ]);
});

test('the image runs what compose runs, with the folders and the package manager of this checkout', () => {
  const stages = readDockerfile(read('Dockerfile'));
  const last = stages.at(-1).instructions;
  const data = compose.services.server.environment.CAPSTAN_DATA;
  assert.deepEqual(
    JSON.parse(last.find(({ name }) => name === 'CMD').value),
    compose.services.server.command,
  );
  assert.match(last.find(({ name }) => name === 'ENV').value, new RegExp(`CAPSTAN_DATA=${data}$`));
  const folders = last.find(({ name }) => name === 'RUN').value;
  assert.ok(folders.endsWith(`${data} ${data}/secret`), 'a new volume takes its owner from the image');
  const pnpm = read('scripts/launch/prepare.mjs').match(/'(pnpm@[\d.]+)'/)[1];
  const build = stages[0].instructions.map(({ value }) => value).join('\n');
  assert.deepEqual(new Set(build.match(/pnpm@[\d.]+/g)), new Set([pnpm]));
  for (const found of build.match(/tsconfig[\w.]*\.json/g))
    assert.ok(existsSync(join(repositoryRoot, found)));
});

test('the SSH hosts serve the port and the key folder that compose names', () => {
  const config = read('docker/ssh-host/sshd_config');
  const value = (name) => config.match(new RegExp(`^${name} (.+)$`, 'm'))?.[1];
  const { healthcheck, volumes, secrets } = compose.services['host-1'];
  assert.ok(healthcheck.test[1].includes(`-p ${value('Port')} `));
  assert.equal(dirname(value('HostKey')), volumes[0].split(':')[1]);
  assert.equal(value('AuthorizedKeysFile'), `/run/secrets/${secrets[0]}`);
  assert.equal(value('PasswordAuthentication'), 'no');
  assert.ok(read('docker/ssh-host/start.sh').includes(value('HostKey')));
});

test('the guide says that compose was not run here, and commands that exist', () => {
  assert.match(guide, /docker compose up/);
  assert.match(guide, /not been run/);
  for (const [, service] of guide.matchAll(/docker compose exec (?:-T )?([\w-]+)/g))
    assert.ok(compose.services[service], service);
});

/** `apps/x/dist/y.js` is made of `apps/x/src/y.ts`. */
function sourceOf(built) {
  return join(repositoryRoot, built.replace('/dist/', '/src/').replace(/\.js$/, '.ts'));
}
