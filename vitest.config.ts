import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.ts';
import { propertySeed, seedVariable } from './test/support/property-seed.ts';

const files = (...include: string[]) => ({ include, exclude: ['dist/**', 'node_modules/**'] });

/** They make and unplug networks of this machine, upon which browsers give up whatever they are loading. */
const unpluggingNetworks = 'test/fault/histories.test.ts';

/** They drive a browser with somebody else's editor. */
const othersEditors = 'test/third-party/{word,sheet,slide}-*.test.ts';

const testsIn = (folder: string): string[] =>
  readdirSync(path.join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(folder, file))
    .filter((file) => file.endsWith('.test.ts'));

/** A replaced module is replaced for everybody in the process, and comes too late if somebody has loaded it before. */
const replacesModule = (file: string): boolean =>
  /vi\.(mock|doMock)\(/.test(readFileSync(path.join(import.meta.dirname, file), 'utf8'));

/** Files that leave nothing behind in their process: one after the other they share it, and what they import is read once. */
const sharing = [
  ...['client', 'editor', 'model', 'test/model'],
  ...['converter/document', 'converter/formats', 'converter/text', 'converter/engines/ooxml'],
]
  .flatMap(testsIn)
  .filter((file) => !replacesModule(file));

/** How long a busy machine may take for what takes seconds on a quiet one. */
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

// Without a number of workers a machine of two cores uses one.
const units = { maxWorkers: 2, ...patience };

export default defineConfig({
  test: {
    globalSetup: 'test/support/postgres-server.ts',
    setupFiles: 'test/support/seeded-properties.ts',
    env: { [seedVariable]: String(propertySeed(process.env[seedVariable])) },
    // The last line of CI counts the tests that needed it, and names them.
    retry: process.env.CI ? 1 : 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit, sharing',
          ...files(...sharing),
          isolate: false,
          ...units,
        },
      },
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            '{services,platform,jobs,load,converter,model,client,db,scripts,editor,example}/**/*.test.ts',
            'test/{contract,model}/**/*.test.ts',
          ],
          exclude: ['dist/**', 'node_modules/**', ...sharing],
          ...units,
        },
      },
      {
        extends: true,
        test: {
          name: 'networks',
          ...files(unpluggingNetworks),
          // Beside tests of units, of which none has a browser.
          maxWorkers: 2,
          maxConcurrency: 2,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'services',
          include: ['test/{services,fault,e2e,editor,third-party,wopi}/**/*.test.ts'],
          exclude: ['dist/**', 'node_modules/**', unpluggingNetworks, othersEditors],
          sequence: { groupOrder: 1 },
          // Each of these files starts servers: more at once than cores makes them wait for each other.
          maxWorkers: 2,
          maxConcurrency: 2,
          ...patience,
        },
      },
      {
        extends: true,
        test: {
          name: 'editors of others',
          ...files(othersEditors),
          sequence: { groupOrder: 1 },
          maxWorkers: 2,
          maxConcurrency: 2,
          ...patience,
        },
      },
    ],
  },
});
