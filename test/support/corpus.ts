import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { detectOffice } from '../../converter/engines/ooxml/package/office-kind.ts';
import { CONVERSION_ERROR } from '../../converter/errors.ts';
import { packageRoot } from '../../platform/package-root.ts';

/**
 * Documents that other programs wrote, in the folders `docx`, `xlsx`, `pptx` and `legacy`. They are not ours to ship: tests
 * have documents of our own making, and take these besides where `CORPUS_DIR` says, or where they lie beside the repository.
 */
export const corpusDirectory: string = process.env.CORPUS_DIR || path.join(packageRoot, '../shared/corpus');

export const hasCorpus: boolean = existsSync(corpusDirectory);

/** What the tests say that need documents of other programs. */
export const needsCorpus: string = hasCorpus
  ? 'with documents of other programs'
  : 'with documents of other programs (skipped: set CORPUS_DIR to a directory of them)';

/** Names of the files of a folder; none where there is no corpus. */
export function corpusNames(folder: string): string[] {
  const directory = path.join(corpusDirectory, folder);
  return existsSync(directory) ? readdirSync(directory).sort() : [];
}

/** A file, by its folder and name; undefined where it is not there. */
export function corpusFile(name: string): Uint8Array | undefined {
  const file = path.join(corpusDirectory, name);
  return existsSync(file) ? new Uint8Array(readFileSync(file)) : undefined;
}

/** Those that are cut off, or have a reference to a file of the computer. */
const DAMAGED = new Set(['ExternalEntityInText.docx', 'truncated62886.docx']);

/** The error with which a docx of the corpus is refused; undefined for those that open. */
export function refusalInCorpus([name, bytes]: NamedDocument): number | undefined {
  if (DAMAGED.has(name)) return CONVERSION_ERROR.corrupted;
  return detectOffice(bytes) === 'ole-encrypted' ? CONVERSION_ERROR.passwordRequired : undefined;
}

/** A document and what it is called. */
export type NamedDocument = readonly [name: string, bytes: Uint8Array];

/** The docx documents, for tests that take them beside ours. */
export function corpusDocuments(): NamedDocument[] {
  return corpusNames('docx')
    .filter((name) => name.endsWith('.docx'))
    .map((name) => [name, corpusFile(`docx/${name}`)!]);
}
