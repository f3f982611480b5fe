import { TextDigest } from '../../model/log/text-digest.ts';
import { applyChanges } from '../../model/word/change.ts';
import { checkpointOf } from '../../model/word/checkpoint.ts';
import { parseWordDocument } from '../../model/word/document.ts';
import { AuthorRules } from '../../model/word/rights/author-rules.ts';
import { WORD_DOCUMENT_VERSION } from '../../model/word/version.ts';
import { entryOf, loggedChange } from '../change-sequence.ts';
import { OwnNames } from '../replica/change-names.ts';
import type { CheckpointText } from '../replica/kind-replica.ts';
import { Replica } from '../replica/replica.ts';
import type { WordTypes } from '../word/local-steps.ts';
import { WordKind } from '../word/word-kind.ts';
import type { WordReplica } from '../word/word-replica.ts';
import { WordSession, type WordSessionOptions } from '../word/word-session.ts';
import type { FakeServerOptions } from './fake-server.ts';
import type { MemoryNetwork } from './memory-link.ts';
import { SessionWorld } from './session-world.ts';

/** A block of a document that is made here: a paragraph's text, or the JSON of a node. */
export type WordBlock = string | Record<string, unknown>;

/** The text of a document with these blocks; paragraphs have the ids `p1`, `p2`, … */
export function wordDocumentText(blocks: readonly WordBlock[]): string {
  const content = blocks.map((block, at) =>
    typeof block === 'string'
      ? {
          type: 'paragraph',
          attrs: { id: `p${at + 1}` },
          ...(block !== '' && { content: [{ type: 'text', text: block }] }),
        }
      : block,
  );
  return JSON.stringify({
    format: 'quire-word',
    version: WORD_DOCUMENT_VERSION,
    doc: { type: 'doc', content },
    ...emptyParts,
  });
}

const emptyParts = {
  rx: [],
  styles: [],
  defaults: { paragraph: {}, run: {} },
  lists: [],
  sections: [],
  parts: [],
  footnotes: {},
  endnotes: {},
  settings: {
    trackChanges: false,
    evenAndOddHeaders: false,
    defaultTabStop: 720,
    majorFont: null,
    minorFont: null,
  },
  media: [],
};

/** A replica without a session; `soon` is given what it does a moment later. */
export function wordReplica(
  baseText: string,
  checkpoint: CheckpointText | null = null,
  soon: (run: () => void) => void = () => undefined,
): Replica<WordTypes, WordReplica> {
  const kind = new WordKind();
  const names = new OwnNames('me');
  const loaded = kind.read(baseText).begin(checkpoint, {
    clientId: names.clientId,
    nextName: () => names.next(),
    holderOf: () => null,
    hasLocks: () => false,
  });
  return new Replica({ kind, loaded, baseText, names, onLogged: () => undefined, soon });
}

/** A server, a network and a clock in memory, with word sessions in them. */
export class WordWorld extends SessionWorld<WordSession, WordSessionOptions> {
  readonly #text: string;

  constructor(blocks: readonly WordBlock[], options: FakeServerOptions = {}, network?: MemoryNetwork) {
    const text = wordDocumentText(blocks);
    super(text, options, network);
    this.#text = text;
  }

  session(user: string, options: Partial<WordSessionOptions> = {}): WordSession {
    return new WordSession({ ...this.optionsOf(user), ...options });
  }

  /** Sessions that begin from now on are offered the document as it is after so many changes. */
  makeCheckpoint(index = this.changes.length): void {
    const changes = this.changes.slice(0, index);
    const entries = this.server.log.slice(0, index).map((change) => entryOf(loggedChange(change)));
    const { doc: base } = parseWordDocument(JSON.parse(this.#text));
    const rules = new AuthorRules();
    const { doc, skipped } = applyChanges(base, entries, 0, rules);
    const digest = changes.reduce((all, text) => all.with(text), new TextDigest()).toString();
    const url = `http://files.test/checkpoint-${index}`;
    const log = { index, digest, skipped: skipped.length, gone: rules.goneFrom(doc) };
    this.files.set(url, JSON.stringify(checkpointOf(base, doc, log)));
    this.server.checkpoint = { index, url };
  }
}
