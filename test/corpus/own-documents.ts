import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { NamedDocument } from '../support/corpus.ts';
import { CONTROLS } from './controls.ts';
import { OBJECTS } from './objects.ts';
import { OTHER_WRITERS } from './other-writers.ts';
import { REVIEWS } from './review.ts';
import { STRUCTURES } from './structure.ts';
import { TEXTS } from './text.ts';

const libreOffice = path.join(import.meta.dirname, 'libreoffice');

/** Files that LibreOffice wrote, of texts of ours: the README beside this says how. */
const writtenByLibreOffice: readonly NamedDocument[] = readdirSync(libreOffice)
  .filter((name) => name.endsWith('.docx'))
  .sort()
  .map((name) => [`libreoffice/${name}`, new Uint8Array(readFileSync(path.join(libreOffice, name)))]);

/** The corpus of documents of our own making. */
export const ownDocuments: readonly NamedDocument[] = [
  ...TEXTS,
  ...STRUCTURES,
  ...REVIEWS,
  ...OBJECTS,
  ...CONTROLS,
  ...OTHER_WRITERS,
  ...writtenByLibreOffice,
];
