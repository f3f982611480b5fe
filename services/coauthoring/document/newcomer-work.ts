import type { OpenDocument } from './open-document.ts';

/**
 * How much work newcomers have with what was saved on this node since a checkpoint was last wanted. It may be less: a checkpoint that
 * was made for another reason is not known here.
 */
export class NewcomerWork {
  readonly #document: OpenDocument;
  #work = 0;

  constructor(document: OpenDocument) {
    this.#document = document;
  }

  /** Changes were saved that are so much work for everybody who applies them. */
  grew(work: number): void {
    const { key, ports } = this.#document;
    this.#work += work;
    if (this.#work < ports.checkpointWork) return;
    this.#work = 0;
    ports.checkpointWanted(key);
  }
}
