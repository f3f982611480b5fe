import { Node, Slice } from 'prosemirror-model';
import type { EditorState, Plugin } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { wordKind } from '../../model/kinds.ts';
import { decodeEnvelope } from '../../model/log/change.ts';
import { applyChange, encodeChange } from '../../model/word/change.ts';
import { parseWordDocument, type WordDocumentJson } from '../../model/word/document.ts';
import { FieldPairs } from '../../model/word/fields/field-pairs.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import { documentRights } from '../../model/word/rights/document-rights.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { wordModel } from '../../model/word/word-model.ts';
import type { ChangeName } from '../replica/change-names.ts';
import type {
  CheckpointText,
  DocumentBase,
  LoadedDocument,
  LoggedOperation,
  MadeOperations,
  NamedOperation,
  PlacedOperations,
  PlacingTarget,
  ReplicaContext,
  SessionKind,
} from '../replica/kind-replica.ts';
import { beginLog } from '../replica/model-log.ts';
import { blockIds } from './block-ids.ts';
import { alignDocuments, sameContent } from './document-alignment.ts';
import { heldBlocks } from './held-blocks.ts';
import type { WordTypes } from './local-steps.ts';
import { placeSteps, textOfSteps } from './placed-steps.ts';
import { wholeFields } from './whole-fields.ts';
import { WordReplica } from './word-replica.ts';

export interface WordKindOptions {
  /** Plugins of the editor state, beside the ones for working together; asked for when the document has come. */
  readonly plugins?: ((document: WordDocumentJson) => readonly Plugin[]) | undefined;
  /** The state changed, by `dispatch` or by others. */
  readonly onState?: ((state: EditorState) => void) | undefined;
}

/** Blocks of a snapshot that are written in one go. */
const snapshotBlocks = 100;

/** Text documents, as sessions need them. */
export class WordKind implements SessionKind<WordTypes, WordReplica> {
  readonly model = wordModel.name;
  readonly editorType = wordKind.editorType;
  readonly #options: WordKindOptions;

  constructor(options: WordKindOptions = {}) {
    this.#options = options;
  }

  read(text: string): DocumentBase<WordTypes, WordReplica> {
    const { json, doc } = parseWordDocument(JSON.parse(text));
    return { begin: (checkpoint, context) => this.#begin(json, doc, checkpoint, context) };
  }

  #begin(
    json: WordDocumentJson,
    base: Node,
    checkpoint: CheckpointText | null,
    { clientId, nextName, holderOf, hasLocks }: ReplicaContext,
  ): LoadedDocument<WordTypes, WordReplica> {
    const opened = { doc: base, rights: documentRights(json) };
    const nothing = new ReplaceStep(0, 0, Slice.empty);
    const { log, index, changes } = beginLog(wordModel, opened, checkpoint, nothing);
    const replica = new WordReplica({
      ...{ json, log, version: index, nextName },
      plugins: [
        ...(this.#options.plugins?.(json) ?? []),
        wholeFields(new FieldPairs(base, json.fields ?? [])),
        blockIds(clientId),
        heldBlocks(holderOf, () => !hasLocks()),
      ],
      onState: (state) => this.#options.onState?.(state),
    });
    return { log, index, changes, replica };
  }

  encode({ operation, name }: NamedOperation<WordTypes>): string {
    return encodeChange(name.clientId, operation, name.number);
  }

  decode(text: string, document: Node): { named: NamedOperation<WordTypes>; document: Node } | null {
    const change = namedStep(text);
    const after = change && applyChange(document, text);
    if (!change || !after || typeof after === 'string') return null;
    return { named: { operation: stepFromJson(change.step), name: change.name }, document: after };
  }

  insertedText(text: string): { name: ChangeName; text: string } | null {
    const change = namedStep(text);
    return change && { name: change.name, text: sliceText(change.step) };
  }

  textOf(
    operations: readonly NamedOperation<WordTypes>[],
    document: Node,
    which: ReadonlySet<number>,
  ): string {
    return textOfSteps(
      document,
      operations.map(({ operation }) => operation),
      which,
    );
  }

  place(
    { operations }: MadeOperations<WordTypes>,
    later: readonly LoggedOperation<WordTypes>[],
    { document, isStored }: PlacingTarget<WordTypes>,
  ): PlacedOperations<WordTypes> {
    const maps = later.map(({ operation, name }) => ({ map: operation.getMap(), name }));
    return placeSteps({ steps: operations, later: maps, document, isStored });
  }

  align(
    { operations, documents }: MadeOperations<WordTypes>,
    { document, isStored }: PlacingTarget<WordTypes>,
  ): PlacedOperations<WordTypes> {
    const { map, identity } = alignDocuments(documents[0]!, document);
    return placeSteps({
      steps: operations,
      later: [{ map, name: null }],
      document,
      isStored,
      translate: (json) => identity.translate(json),
    });
  }

  sameContent(one: Node, other: Node): boolean {
    return sameContent(one, other);
  }

  snapshot({ children }: Node): readonly (() => string)[] {
    const starts = Array.from(
      { length: Math.ceil(children.length / snapshotBlocks) },
      (_, at) => at * snapshotBlocks,
    );
    return starts.map((start) => () => JSON.stringify(children.slice(start, start + snapshotBlocks)));
  }

  readSnapshot(parts: readonly string[]): Node {
    const content = parts.flatMap((blocks) => JSON.parse(blocks) as unknown[]);
    return Node.fromJSON(wordSchema, { type: 'doc', content });
  }
}

function namedStep(text: string): { step: unknown; name: ChangeName } | null {
  const change = decodeEnvelope(text);
  if (typeof change === 'string' || change.number === undefined) return null;
  return { step: change.step, name: { clientId: change.clientId, number: change.number } };
}

/** Letters of a step's slice; a new block begins a new line. */
function sliceText(step: unknown): string {
  const { slice } = step as { slice?: { content?: unknown } };
  if (!Array.isArray(slice?.content)) return '';
  try {
    return slice.content
      .map((json) => Node.fromJSON(wordSchema, json))
      .map((node) => (node.isBlock ? `${node.textContent}\n` : node.isText ? node.text! : node.textContent))
      .join('');
  } catch {
    return '';
  }
}
