import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { buildCalculation, findTools, hashOfSources } from './build-calculation.mjs';

const engine = path.join(path.dirname(import.meta.dirname), 'model', 'calculation', 'engine');
const recorded = JSON.parse(readFileSync(path.join(engine, 'calculation.json'), 'utf8')) as Record<
  string,
  string
>;

test('[CE17] the engine in the repository has the recorded hash', () => {
  const wasm = readFileSync(path.join(engine, 'calculation.wasm'));
  expect(createHash('sha256').update(wasm).digest('hex')).toBe(recorded.sha256);
});

test('[CE17] no address of a registry is in what was built', () => {
  for (const name of ['Cargo.lock', 'calculation.wasm', 'calculation.json']) {
    const text = readFileSync(path.join(engine, name), 'latin1');
    expect([name, /registry\+|sparse\+|index\.crates|\.cargo\/registry/.exec(text)?.[0]]).toEqual([
      name,
      undefined,
    ]);
  }
});

test('[CE17] the engine was made of the sources that are in the repository', () => {
  expect(hashOfSources()).toBe(recorded.sources);
});

// It takes minutes and fetches crates, so it is for those who change the engine, and for those who want to know. Then it has to run.
test.runIf(process.env.BUILD_CALCULATION === '1')(
  '[CE17] the sources and the recorded tools make the engine that is in the repository',
  { timeout: 3_600_000 },
  () => {
    const tools = findTools();
    const { sha256, sources, ...versions } = recorded;
    // rustc, its sources, cargo and wasm-ld, as the head of the script says, in the versions that made it.
    expect(tools?.versions).toEqual(versions);
    const folder = mkdtempSync(path.join(os.tmpdir(), 'quire-calculation-test-'));
    try {
      const made = buildCalculation(tools, {
        to: path.join(folder, 'result'),
        work: path.join(folder, 'work'),
      });
      expect([made.sha256, made.sources]).toEqual([sha256, sources]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
