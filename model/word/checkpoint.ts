import { Node } from 'prosemirror-model';
import * as z from 'zod/mini';
import { checkpointHeader } from '../log/checkpoint.ts';
import { checkAll } from './changed-nodes.ts';
import { wordSchema } from './schema.ts';
import { WORD_DOCUMENT_VERSION } from './version.ts';

const wordCheckpoint = z.extend(checkpointHeader, {
  format: z.literal('quire-word-checkpoint'),
  version: z.literal(WORD_DOCUMENT_VERSION),
  /** Signatures that the document has held and has no more, see `AuthorRules`. */
  gone: z.readonly(z.array(z.readonly(z.array(z.union([z.string(), z.number(), z.null()]))))),
  /** Of the document itself; absent where it has those of the base. */
  attrs: z.optional(z.record(z.string(), z.unknown())),
  /** The blocks of the document in order: runs `[first, count]` of blocks of the base, and nodes that are not in it. */
  blocks: z.array(z.union([z.tuple([z.number(), z.number()]), z.record(z.string(), z.unknown())])),
});

/**
 * A document after the first changes of its log, told by its difference to the document that the log began with. Blocks
 * that nobody touched are the very nodes of the base, so that work on the result shares them.
 */
export type WordCheckpoint = z.infer<typeof wordCheckpoint>;

/**
 * The checkpoint of a document. Null where reading it would not give an equal document: then there is none.
 */
export function checkpointOf(
  base: Node,
  doc: Node,
  log: Pick<WordCheckpoint, 'index' | 'digest' | 'gone' | 'skipped' | 'firstSkipped'>,
): WordCheckpoint | null {
  const places = new Map<Node, number>();
  base.forEach((block, _offset, index) => {
    places.set(block, index);
  });
  const blocks: WordCheckpoint['blocks'] = [];
  let run: [first: number, count: number] | null = null;
  doc.forEach((block) => {
    const place = places.get(block);
    if (place === undefined) {
      run = null;
      blocks.push(block.toJSON());
    } else if (run && run[0] + run[1] === place) {
      run[1] += 1;
    } else {
      run = [place, 1];
      blocks.push(run);
    }
  });
  const checkpoint: WordCheckpoint = {
    format: 'quire-word-checkpoint',
    version: WORD_DOCUMENT_VERSION,
    ...log,
    ...(doc.sameMarkup(base) ? {} : { attrs: doc.attrs }),
    blocks,
  };
  const read = documentAt(base, JSON.parse(JSON.stringify(checkpoint)));
  return read.doc.eq(doc) ? checkpoint : null;
}

/**
 * The document of a checkpoint, and what it says of the log.
 * @throws TypeError when it is none, or none of this base
 */
export function documentAt(base: Node, value: unknown): { doc: Node; checkpoint: WordCheckpoint } {
  const parsed = wordCheckpoint.safeParse(value);
  if (!parsed.success) throw new TypeError('not a checkpoint of a word document', { cause: parsed.error });
  const checkpoint = parsed.data;
  try {
    const blocks: Node[] = [];
    for (const entry of checkpoint.blocks) {
      if (Array.isArray(entry)) {
        const [first, count] = entry;
        for (let index = first; index < first + count; index++) blocks.push(base.child(index));
      } else {
        const block = Node.fromJSON(wordSchema, entry);
        checkAll(block, 1);
        blocks.push(block);
      }
    }
    const { attrs } = checkpoint.attrs
      ? Node.fromJSON(wordSchema, { type: 'doc', attrs: checkpoint.attrs })
      : base;
    const doc = base.type.create(attrs, blocks);
    if (!doc.type.validContent(doc.content)) throw new RangeError('blocks that a document cannot have');
    return { doc, checkpoint };
  } catch (error) {
    throw new TypeError('not a checkpoint of this document', { cause: error });
  }
}
