import { type Node, Slice } from 'prosemirror-model';
import { ReplaceStep, Transform } from 'prosemirror-transform';
import { encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';

/** Goes on typing, deleting and formatting all over a document. */
export class Typist {
  #transform: Transform;
  #count = 0;

  constructor(doc: Node) {
    this.#transform = new Transform(doc);
  }

  /** So many changes, as they go into the log. */
  next(count: number): string[] {
    const steps: string[] = [];
    while (steps.length < count) {
      const { doc } = this.#transform;
      const index = this.#count++;
      const block = (index * 37) % doc.childCount;
      const node = doc.child(block);
      if (node.content.size < 40 || !node.isTextblock) continue;
      let at = 1 + (index % 20);
      for (let before = 0; before < block; before++) at += doc.child(before).nodeSize;
      const one = new Transform(doc);
      if (index % 10 === 3) one.addMark(at, at + 6, wordSchema.marks.bold.create());
      else if (index % 3 === 0) one.step(new ReplaceStep(at, at + 3, Slice.empty));
      else one.insert(at, wordSchema.text('typ'));
      for (const step of one.steps) steps.push(encodeChange('bench', step));
      this.#transform = new Transform(one.doc);
    }
    return steps;
  }
}
