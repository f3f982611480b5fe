// `npm run trials`: what needs chance, real time, many processes or programs of others; one file at a time.
import { defineConfig } from 'vitest/config';
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
    maxWorkers: 1,
    maxConcurrency: 2,
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs,
    expect: { poll: { timeout: patienceMs } },
  },
});
