import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { kinds } from '../model/kinds.ts';
import { sharedChunks } from './page-chunks.ts';
import { onlyPageStyles, pdfFiles } from './viewer/pdf/build.ts';

const root = import.meta.dirname;
/** The page of a kind that no editor of ours edits yet is not built: nothing leads there. */
const isReady = (name: string) => kinds.named(name)?.model !== null;
const pages = readdirSync(root).filter(
  (name) => existsSync(path.join(root, name, 'index.html')) && isReady(name),
);

/** The table of what works is among the pages: the console tells its address. */
const compatibilityTable: Plugin = {
  name: 'compatibility-table',
  generateBundle() {
    const source = readFileSync(path.join(root, '../docs/api-compatibility.md'), 'utf8');
    this.emitFile({ type: 'asset', fileName: 'api-compatibility.txt', source });
  },
};

/** The pages that browsers load: every folder here that has an index.html. Addresses in them are relative. */
export default defineConfig({
  root,
  base: './',
  plugins: [compatibilityTable, pdfFiles],
  css: { postcss: { plugins: [onlyPageStyles] } },
  worker: { format: 'es' },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    outDir: path.join(root, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rollupOptions: {
      input: pages.map((name) => path.join(root, name, 'index.html')),
      output: { manualChunks: sharedChunks },
      // Comments in packages that the bundler cannot make use of are nobody's business here.
      onwarn: (warning, warn) => {
        if (warning.code !== 'INVALID_ANNOTATION') warn(warning);
      },
    },
  },
});
