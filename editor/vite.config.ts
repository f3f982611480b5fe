import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;
const pages = readdirSync(root).filter((name) => existsSync(path.join(root, name, 'index.html')));

/** The pages that browsers load: every folder here that has an index.html. Addresses in them are relative. */
export default defineConfig({
  root,
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: path.join(root, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: pages.map((name) => path.join(root, name, 'index.html')),
      // Comments in packages that the bundler cannot make use of are nobody's business here.
      onwarn: (warning, warn) => {
        if (warning.code !== 'INVALID_ANNOTATION') warn(warning);
      },
    },
  },
});
