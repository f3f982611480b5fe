import { defineConfig } from 'vitest/config';

const files = (...include: string[]) => ({ include, exclude: ['dist/**', 'node_modules/**'] });

/** They make and unplug networks of this machine, upon which browsers give up whatever they are loading. */
const unpluggingNetworks = 'test/fault/histories.test.ts';

/** They drive a browser with somebody else's editor. */
const othersEditors = 'test/third-party/{word,sheet,slide}-*.test.ts';

const withServers = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    globalSetup: 'test/support/postgres-server.ts',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          ...files(
            '{services,platform,jobs,load,converter,model,client,db,scripts,editor,example}/**/*.test.ts',
            'test/{contract,model}/**/*.test.ts',
          ),
          // Without this a machine of two cores uses one.
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
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
          ...withServers,
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
          ...withServers,
          // Pages that we did not write lose a click now and then. The last line of CI counts these attempts; nothing of
          // ours has any.
          retry: process.env.CI ? 1 : 0,
        },
      },
      {
        extends: true,
        test: {
          name: 'networks',
          ...files(unpluggingNetworks),
          sequence: { groupOrder: 2 },
          maxConcurrency: 2,
          ...withServers,
        },
      },
    ],
  },
});
