import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { WordDocumentJson } from '../../model/word/document.ts';
import { packageRoot } from '../../platform/package-root.ts';

/** What `editor/word/testing/random-editor.ts` makes: somebody who gives the commands of the editor at random. */
interface RandomEditor {
  readonly state: { readonly doc: { toJSON(): unknown } };
  /** Does something; returns its name. */
  act(): string;
  /** The changes that were made since this was asked last, as they are put into a log. */
  takeChanges(): string[];
  acceptAll(): void;
}

export type RandomEditorClass = new (json: WordDocumentJson, random: () => number) => RandomEditor;

/** Bundles the editor's commands for Node: they are sources for browsers, which the build of the server does not compile. */
export async function loadRandomEditor(): Promise<RandomEditorClass> {
  const outfile = path.join(packageRoot, 'dist', 'bench-editor', 'random-editor.mjs');
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    absWorkingDir: packageRoot,
    entryPoints: ['editor/word/testing/random-editor.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    sourcemap: true,
    logLevel: 'warning',
    outfile,
  });
  const loaded = (await import(pathToFileURL(outfile).href)) as { readonly RandomEditor: RandomEditorClass };
  return loaded.RandomEditor;
}
