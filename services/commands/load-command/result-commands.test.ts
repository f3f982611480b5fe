import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { syntheticResult } from '../../../test/support/load-results.ts';
import { capacityCommand, compareCommand, reportCommand } from './result-commands.ts';

const run = (slower: number) =>
  syntheticResult({
    slower,
    stretches: [{ forS: 200, people: 100, savesPerS: 10, messagesPerS: 5 }],
    costs: { service: { idleCores: 0.3 }, database: { idleCores: 0.1 } },
  });
let directory: string;
let output: string;
const file = (name: string) => path.join(directory, name);

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'quire-results-'));
  for (const [name, slower] of [
    ['before', 1],
    ['after', 2],
  ] as const) {
    await writeFile(file(`${name}.json`), JSON.stringify(run(slower)));
  }
  output = '';
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      output += text;
      return true;
    });
  }
});
afterEach(async () => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
  await rm(directory, { recursive: true });
});

it('[LR22] compare ends with 1 where the second run is worse, and with 0 where it is not', async () => {
  const [before, after] = [file('before.json'), file('after.json')];
  await compareCommand().parseAsync([before, after, '--report', file('both.html')], { from: 'user' });
  expect(process.exitCode).toBe(1);
  expect(output).toMatch(/Opening a document, p95 +60 ms +120 ms +2 +worse/);
  expect(await readFile(file('both.html'), 'utf8')).toContain('B is worse than A');
  process.exitCode = undefined;
  await compareCommand().parseAsync([after, before], { from: 'user' });
  expect(process.exitCode).toBeUndefined();
});

it('[LR22] report and capacity read results, and what is no result ends with 2 and the reason', async () => {
  await reportCommand().parseAsync([file('before.json')], { from: 'user' });
  expect(await readFile(file('before.html'), 'utf8')).toContain('An hour of ten thousand');
  const results = [file('before.json'), '--predict', file('after.json'), '--people', '5000'];
  await capacityCommand().parseAsync(results, { from: 'user' });
  expect(output).toMatch(/5,000 people, each with an action every 6\.\d+ s/);
  expect(output).toMatch(/Service +0.3 +0.6 +−50 %/);
  expect(process.exitCode).toBeUndefined();
  await writeFile(file('none.json'), JSON.stringify({ ...run(1), seed: 'x' }));
  await reportCommand().parseAsync([file('none.json')], { from: 'user' });
  expect(process.exitCode).toBe(2);
  expect(output).toMatch(/none\.json is no result of a load test: .*expected number.*seed/s);
});
