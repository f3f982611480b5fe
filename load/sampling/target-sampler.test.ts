import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { metricsUrlOf, TargetSampler } from './target-sampler.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const page = (messages: number) => `quire_messages_total{type="a"} ${messages}
quire_process_cpu_seconds_total{worker="1"} 4
quire_process_resident_memory_bytes{worker="1"} 1000
quire_process_cpu_seconds_total{worker="2"} 6
quire_process_resident_memory_bytes{worker="2"} 2000
quire_converter_process_cpu_seconds_total 3
quire_converter_process_resident_memory_bytes 500
`;

/** Something that shows metrics and is no server of ours. */
async function elsewhere(status: number): Promise<URL> {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(status).end(page(asked * 10));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => server.close());
  return metricsUrlOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

it('[LR3] knows services and converters by their metrics where their processes are not on this machine', async () => {
  const sampler = new TargetSampler([
    await elsewhere(200),
    await elsewhere(403),
    new URL('http://127.0.0.1:1/metrics'),
  ]);
  expect((await sampler.sample()).values).toEqual([]);
  const { values, processes } = await sampler.sample();
  expect(values.find(({ name }) => name === 'target.messages')?.value).toBeGreaterThan(0);
  expect(processes).toEqual([
    { name: 'worker', role: 'service', pid: null, cpuS: 4, memoryBytes: 1000 },
    { name: 'worker 2', role: 'service', pid: null, cpuS: 6, memoryBytes: 2000 },
    { name: 'converter', role: 'converter', pid: null, cpuS: 3, memoryBytes: 500 },
  ]);
});

/** Plays a server: listens, and starts a converter, a worker and what the converter starts. */
const standIn = `
const { spawn } = require('node:child_process');
const { createServer } = require('node:http');
const start = (...args) => spawn(process.execPath, [__filename, ...args], { stdio: 'inherit' });
const [role] = process.argv.slice(2);
if (role === 'serve' && !process.argv[3]) {
  start('serve', 'as worker');
  start('worker');
  createServer((_request, response) => response.end('')).listen(0, '127.0.0.1', function () {
    console.log(this.address().port);
  });
} else {
  if (role === 'worker') start('engine');
  if (role === 'engine') globalThis.kept = Buffer.alloc(30_000_000, 1);
  console.log('started');
  setInterval(() => undefined, 1000);
}
process.once('disconnect', () => process.exit());
`;

it('[LR3] finds the processes of a server on this machine by the port at which it listens', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-sampler-'));
  cleanups.push(() => rm(directory, { recursive: true }));
  // Not of the module format of whatever package the folder for temporary files may lie in.
  await writeFile(path.join(directory, 'package.json'), '{}');
  const script = path.join(directory, 'quire.js');
  await writeFile(script, standIn);
  const child = spawn(process.execPath, [script, 'serve'], {
    ...{ detached: true, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  cleanups.push(async () => process.kill(-child.pid!, 'SIGKILL'));
  let port = '';
  let started = 0;
  for await (const line of child.stdout!.iterator({ destroyOnReturn: false })) {
    for (const word of String(line).trim().split('\n')) {
      if (word === 'started') started += 1;
      else port = word;
    }
    if (port !== '' && started === 3) break;
  }
  const sampler = new TargetSampler([metricsUrlOf(`http://127.0.0.1:${port}`)]);
  const { processes } = await sampler.sample();
  expect(processes.map(({ name, role }) => [name, role]).sort()).toEqual([
    ['converter', 'converter'],
    ['service', 'service'],
    ['worker', 'service'],
  ]);
  expect(processes.find(({ name }) => name === 'service')?.pid).toBe(child.pid);
  // With what it has started.
  const memoryOf = (wanted: string) => processes.find(({ name }) => name === wanted)!.memoryBytes;
  expect(memoryOf('converter')).toBeGreaterThan(memoryOf('worker') + 20_000_000);
});
