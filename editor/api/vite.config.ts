import path from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

/** The script that integrators' pages load: one classic script for browsers of the last years. */
export default defineConfig({
  root,
  // Fields of classes as plain assignments: the helper functions they need otherwise would be global names.
  esbuild: { tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } } },
  build: {
    outDir: path.join(root, '../../dist/embed'),
    emptyOutDir: true,
    target: 'es2019',
    lib: { entry: 'main.ts', formats: ['iife'], name: 'quireApi', fileName: () => 'api.js' },
  },
});
