// `npm test`: what can be shown without chance and without the passing of real time. The rest is in vitest.trials.config.ts.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { patienceMs, testTimeoutMs } from './test/support/patience.ts';
import { propertySeed, seedVariable } from './test/support/property-seed.ts';

const foreign = ['dist/**', 'node_modules/**'];

const testsIn = (folder: string): string[] =>
  readdirSync(path.join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => file.endsWith('.test.ts'));

/** A replaced module is replaced for everybody in the process, and comes too late if somebody has loaded it before. */
const replacesModule = (file: string): boolean =>
  /vi\.(mock|doMock)\(/.test(readFileSync(path.join(import.meta.dirname, file), 'utf8'));

const units = [
  ...['client', 'converter', 'db', 'editor', 'example', 'jobs', 'load', 'model', 'platform', 'scripts'],
  ...['services', 'test/contract', 'test/model'],
].flatMap(testsIn);
const replacing = units.filter(replacesModule);

/**
 * Without a number of workers a machine of two cores uses one. Files leave nothing behind in their process (`isolate: false`):
 * one after the other they share it, and what they import is read once.
 */
const each = {
  maxWorkers: 2,
  testTimeout: testTimeoutMs,
  hookTimeout: testTimeoutMs,
  expect: { poll: { timeout: patienceMs } },
};

export default defineConfig({
  test: {
    globalSetup: 'test/support/shared-servers.ts',
    setupFiles: ['clean-process', 'seeded-properties', 'kept-evidence'].map(
      (name) => `test/support/${name}.ts`,
    ),
    env: { [seedVariable]: String(propertySeed(process.env[seedVariable])) },
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { ...each, name: 'unit', include: units, exclude: [...foreign, ...replacing], isolate: false },
      },
      {
        extends: true,
        test: { ...each, name: 'unit, replacing', include: replacing, exclude: foreign },
      },
      {
        extends: true,
        test: {
          ...each,
          name: 'services',
          include: ['test/{services,fault,e2e,editor,wopi}/**/*.test.ts'],
          exclude: foreign,
          sequence: { groupOrder: 1 },
          isolate: false,
          // Each of these files starts servers: more at once than cores makes them wait for each other.
          maxConcurrency: 2,
        },
      },
    ],
  },
});
