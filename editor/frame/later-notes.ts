import type { FieldNotes } from './field-notes.ts';

/** Notes for the author of the embedding page, in their order, from when the code for them is downloaded: nobody waits for it. */
export class LaterNotes {
  readonly #download: () => Promise<FieldNotes>;
  #notes: Promise<FieldNotes> | null = null;

  /** `link`: where the table of what works is. */
  constructor(
    link: string,
    download = () => import('./field-notes.ts').then(({ FieldNotes }) => new FieldNotes(link)),
  ) {
    this.#download = download;
  }

  add(note: (notes: FieldNotes) => void): void {
    this.#notes ??= this.#download();
    // Without the code nothing is told.
    this.#notes.then(note, () => undefined);
  }
}
