// `npm run trials`: what needs chance, real time, many processes or programs of others. Two files at once: most of their time is
// waited.
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { patienceMs, testTimeoutMs } from './test/support/patience.ts';
import { propertySeed, seedVariable } from './test/support/property-seed.ts';

export default defineConfig({
  test: {
    name: 'trials',
    globalSetup: 'test/support/shared-servers.ts',
    setupFiles: ['test/support/seeded-properties.ts', 'test/support/kept-evidence.ts'],
    env: { [seedVariable]: String(propertySeed(process.env[seedVariable])) },
    include: ['**/*.trial.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    sequence: { sequencer: LongestFirst },
    // Without a number of workers a machine of two cores uses one.
    maxWorkers: 2,
    maxConcurrency: 2,
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    expect: { poll: { timeout: patienceMs } },
  },
});
