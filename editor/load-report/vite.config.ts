import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** The script and the styles that `quire load` puts into its reports: each one file, for a page that loads nothing. */
export default defineConfig({
  root,
  build: {
    outDir: path.join(root, '../../dist/report'),
    emptyOutDir: true,
    target: 'es2022',
    lib: {
      entry: 'main.ts',
      formats: ['iife'],
      name: 'quireReport',
      fileName: () => 'report.js',
      cssFileName: 'report',
    },
  },
});
