import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'vite';

const packageFile = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
const directory = path.dirname(packageFile);
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };

/** What PDF.js fetches when a document needs it: character maps, the fonts that every PDF may use, decoders, colours. */
const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];

/** Puts the files that PDF.js fetches beside the scripts, under the version that they belong to. */
export const pdfFiles: Plugin = {
  name: 'pdf-files',
  generateBundle() {
    for (const folder of folders) {
      for (const name of readdirSync(path.join(directory, folder))) {
        const source = readFileSync(path.join(directory, folder, name));
        this.emitFile({ type: 'asset', fileName: `assets/pdfjs-${version}/${folder}/${name}`, source });
      }
    }
  },
};

/** The parts of a page that the viewer shows. */
const shown: ReadonlySet<string> = new Set([
  'pdfViewer',
  'textLayer',
  'annotationLayer',
  'page',
  'canvasWrapper',
  'hiddenCanvasElement',
]);

/** As much of a rule of PostCSS as is read. */
interface StyleRule {
  selectors: string[];
  parent?: { type: string; selectors?: string[] };
  remove(): void;
}

const firstName = (selector: string): string => /[.#]([\w-]+)/.exec(selector)?.[1] ?? '';

/** Of the styles of PDF.js those of pages: the rest is for tools to edit with, under names that this interface has as well. */
export const onlyPageStyles = {
  postcssPlugin: 'only-page-styles',
  Once(root: { source?: { input: { file?: string } }; walkRules(visit: (rule: StyleRule) => void): void }) {
    if (!root.source?.input.file?.endsWith('pdf_viewer.css')) return;
    root.walkRules((rule) => {
      if (!rule.selectors.some((selector) => shown.has(firstName(selector)))) rule.remove();
    });
  },
};
