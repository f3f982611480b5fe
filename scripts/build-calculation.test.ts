import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { buildCalculation, findTools } from './build-calculation.mjs';

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

/** It takes minutes, so it is for those who change the engine, and for those who want to know. */
const wanted = process.env.BUILD_CALCULATION === '1';

test('[CE17] the sources and the recorded tools make the engine that is in the repository', {
  timeout: 3_600_000,
}, (context) => {
  context.skip(!wanted, 'BUILD_CALCULATION=1 builds the engine of spreadsheets anew');
  const tools = findTools();
  context.skip(
    tools === undefined,
    'rustc, its sources, cargo or wasm-ld are missing (scripts/build-calculation.mjs)',
  );
  const { sha256, ...versions } = recorded;
  context.skip(
    JSON.stringify(tools.versions) !== JSON.stringify(versions),
    `the engine was made by ${Object.values(versions).join(', ')}`,
  );
  const folder = mkdtempSync(path.join(os.tmpdir(), 'quire-calculation-test-'));
  try {
    const made = buildCalculation(tools, {
      to: path.join(folder, 'result'),
      work: path.join(folder, 'work'),
    });
    expect(made.sha256).toBe(sha256);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
