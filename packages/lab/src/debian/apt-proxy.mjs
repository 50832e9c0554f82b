// A caching proxy for the packages of Debian, for the hosts of the labs of one cache. It answers for the
// mirrors it is told and nothing else, so that it opens no way out for what runs on a host.
// Started as: node apt-proxy.mjs --lab FOLDER --listen ADDRESS --port PORT --cache FOLDER MIRROR…
import { createReadStream, createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';

const arguments_ = process.argv.slice(2);
const option = (name) => {
  const at = arguments_.indexOf(`--${name}`);
  return at < 0 ? '' : arguments_.splice(at, 2)[1];
};
option('lab');
const [address, port, cache] = [option('listen'), Number(option('port')), option('cache')];
const mirrors = arguments_.map((uri) => new URL(uri));
const fetching = new Map();

http
  .createServer((request, response) => {
    answer(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(502).end(`${error.message}\n`);
      response.destroy();
    });
  })
  .listen(port, address);

async function answer(request, response) {
  const url = upstream(request.url);
  if (!url || request.method !== 'GET') {
    response.writeHead(403).end('this proxy serves the mirrors of its lab only\n');
    return;
  }
  // A package never changes under its name, nor does a list under its hash; everything else is asked anew.
  if (!/\.deb$|\/by-hash\//.test(url.pathname)) {
    await passThrough(url, request, response);
    return;
  }
  const file = join(cache, url.host, normalize(url.pathname));
  if (!isFile(file)) {
    const running = fetching.get(file) ?? keep(url, file);
    fetching.set(file, running);
    const status = await running.finally(() => fetching.delete(file));
    if (status !== 200) {
      response.writeHead(status).end();
      return;
    }
  }
  response.writeHead(200, {
    'content-length': statSync(file).size,
    'content-type': 'application/octet-stream',
  });
  await pipeline(createReadStream(file), response);
}

function upstream(asked) {
  if (!URL.canParse(asked)) return null;
  const url = new URL(asked);
  const mirror = mirrors.find((one) => one.host === url.host && url.pathname.startsWith(`${one.pathname}/`));
  if (!mirror) return null;
  url.protocol = mirror.protocol;
  return url;
}

async function passThrough(url, request, response) {
  const headers = {};
  for (const name of ['if-modified-since', 'range', 'if-range', 'cache-control']) {
    if (request.headers[name]) headers[name] = request.headers[name];
  }
  const got = await open(url, headers);
  response.writeHead(got.statusCode, got.headers);
  await pipeline(got, response);
}

async function keep(url, file) {
  const got = await open(url, {});
  if (got.statusCode !== 200) {
    got.resume();
    return got.statusCode;
  }
  const temporary = `${file}.${process.pid}.new`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    await pipeline(got, createWriteStream(temporary));
    const promised = Number(got.headers['content-length'] ?? -1);
    if (promised >= 0 && statSync(temporary).size !== promised) throw new Error(`${url} was cut off`);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return 200;
}

function open(url, headers) {
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const request = client.get(url, { headers: { ...headers, host: url.host } }, resolve);
    request.setTimeout(60_000, () => request.destroy(new Error(`${url.host} did not answer for 60 s`)));
    request.once('error', reject);
  });
}

function isFile(path) {
  try {
    return statSync(path).isFile();
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}
