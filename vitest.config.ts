import { defineConfig } from 'vitest/config';

const files = (...include: string[]) => ({ include, exclude: ['dist/**', 'node_modules/**'] });

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          ...files('{services,converter,model,client,db}/**/*.test.ts', 'test/{contract,model}/**/*.test.ts'),
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'services',
          ...files('test/{services,fault,e2e}/**/*.test.ts'),
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
