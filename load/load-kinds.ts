import { CellBatches } from './cell-batches.ts';
import { sourceDocx } from './document-text.ts';
import { type FoundSave, savesInCells, savesInText } from './saved-saves.ts';
import type { Batches } from './saver.ts';
import { sourceXlsx } from './sheet-cells.ts';
import type { TransportName } from './wire/frames.ts';
import { WordBatches } from './word-batches.ts';

/** The saves of everybody in a load. */
export interface KindBatches {
  readonly changesPerSave: number;
  /** The saves of one person. */
  of(author: string): Batches;
}

/** What a load has to know of a kind of document: the files that it begins with, what people save, and what came of it. */
export interface LoadKind {
  readonly model: 'word' | 'cell';
  readonly fileType: string;
  /** A file to begin with. `edition` makes it another one. */
  source(edition: number): Uint8Array;
  batches(transport: TransportName, changesPerSave: number): KindBatches;
  /**
   * The saves in a file, those of each author the newest first; a sentence where something else is in it.
   * @throws when it cannot be read
   */
  savesIn(file: Uint8Array, edition: number, changesPerSave: number): readonly FoundSave[] | string;
}

/** By the name of the model. */
export const loadKinds: Readonly<Record<LoadKind['model'], LoadKind>> = {
  word: {
    model: 'word',
    fileType: 'docx',
    source: sourceDocx,
    batches: (transport, changesPerSave) => new WordBatches(transport, changesPerSave),
    savesIn: savesInText,
  },
  cell: {
    model: 'cell',
    fileType: 'xlsx',
    source: sourceXlsx,
    batches: (transport, changesPerSave) => new CellBatches(transport, changesPerSave),
    savesIn: savesInCells,
  },
};
