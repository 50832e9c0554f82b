import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineMounts, mountScript, quote } from './mount-script.js';

const plan = {
  name: 'lab-1',
  rootfs: '/home/capstan/data/rootfs',
  firstPid: 1000,
  visible: ['/home/capstan/checkout'],
  hidden: ['/home/capstan/data'],
  mounts: [
    { path: '/', options: ['rw', 'relatime'] },
    { path: '/data', options: ['rw', 'nosuid', 'nodev', 'relatime'] },
    { path: '/snap/core', options: ['ro'] },
    { path: '/home', options: ['rw'] },
    { path: '/sys/fs/cgroup', options: ['rw'] },
    { path: '/sys/fs/cgroup/cpu', options: ['rw'] },
  ],
};

test('the cover over the host folder comes after every other cover, and what is hidden after that', () => {
  const lines = mountScript(plan).split('\n');
  const at = (part: string): number => {
    const index = lines.findIndex((line) => line.includes(part));
    assert.ok(index >= 0, part);
    return index;
  };
  assert.ok(at("rootfs/var' /var;") < at("rootfs/home' /home;"));
  assert.ok(at("'/home/capstan/checkout'") < at("rootfs/home' /home;"));
  assert.ok(at("rootfs/home' /home;") < at('hidden'));
});

test('what becomes read-only keeps the flags that the machine locked, and covered mounts are left alone', () => {
  const script = mountScript(plan);
  assert.match(script, /remount,bind,ro,nosuid,nodev,relatime '\/data'/);
  assert.match(script, /remount,bind,ro,relatime '\/' /);
  assert.doesNotMatch(script, /remount,bind,ro[a-z,]* '\/(home|snap\/core)'/);
  assert.match(script, /covered '\/sys\/fs\/cgroup'/);
  assert.doesNotMatch(script, /covered '\/sys\/fs\/cgroup\/cpu'/);
});

test('mountinfo with escaped blanks is read', () => {
  const text = '36 35 98:0 / /mnt/a\\040b rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n';
  assert.deepEqual(machineMounts(text), [{ path: '/mnt/a b', options: ['rw', 'noatime'] }]);
});

test('a word is quoted for a POSIX shell whatever it holds', () => {
  assert.equal(quote(`it's $HOME`), `'it'\\''s $HOME'`);
});
