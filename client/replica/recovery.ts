import { Node } from 'prosemirror-model';
import { decodeEnvelope } from '../../model/log/change.ts';
import { applyChange } from '../../model/word/change.ts';
import { stepFromJson } from '../../model/word/mark-set.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { alignDocuments, sameContent } from '../word/document-alignment.ts';
import { textOfSteps } from '../word/lost-text.ts';
import { type Later, type NamedStep, type PlacedSteps, placeSteps } from '../word/placed-steps.ts';
import { SeenNumbers, type StepName } from './change-names.ts';
import { type LogPlace, nameOf, type SeenChange } from './confirmed-log.ts';
import type { UnplacedText, UnsentRecord, UnsentSnapshot } from './unsent-store.ts';

/** A record that is being taken up. */
export interface TakenRecord {
  readonly record: UnsentRecord;
  /** The document it stands on, or null if its session left none that can be read. */
  readonly base: () => Node | null;
}

/** What has become of one record. */
export interface MergedRecord {
  readonly record: UnsentRecord;
  readonly steps: readonly NamedStep[];
  /** Null when everything has a place. */
  readonly unplaced: UnplacedText | null;
}

/** The steps of a record as they can be read, and the document before each. */
interface ReadSteps {
  readonly steps: readonly NamedStep[];
  /** One more than there are steps. */
  readonly docs: readonly Node[];
}

/**
 * Merges the unsent changes of earlier sessions into a document that is being opened. It watches the log go by, and
 * places each record's steps at the index they stand on, or by content when the record is of another version of the
 * file. What the log has already is not placed again.
 */
export class Recovery {
  readonly #key: string;
  readonly #taken: readonly TakenRecord[];
  readonly #stands = new Map<string, Node>();
  readonly #seen = new SeenNumbers();
  readonly #log: Later[] = [];
  #firstIndex: number;
  #base: Node | null = null;

  constructor(key: string, taken: readonly TakenRecord[]) {
    this.#key = key;
    this.#taken = taken;
    this.#firstIndex = Math.min(...taken.map(({ record }) => (record.key === key ? record.index : Infinity)));
  }

  /** There is nothing to merge: nobody has to see the whole log go by. */
  get isEmpty(): boolean {
    return this.#taken.length === 0;
  }

  /** The document was loaded. */
  begin(place: LogPlace): void {
    this.#base = place.doc;
    this.#note(place);
  }

  /** A change of the log, and the place after it. */
  logged(change: SeenChange, place: LogPlace): void {
    this.#seen.add(change.clientId, change.number);
    if (place.index > this.#firstIndex) {
      this.#log.push({ map: change.step.getMap(), name: nameOf(change) });
    }
    this.#note(place);
  }

  /** What becomes of every record on this document, which has the log and `local` steps on it. Oldest first. */
  merge(doc: Node, local: readonly NamedStep[]): MergedRecord[] {
    const records = this.#taken.toSorted((one, other) => one.record.changedAtMs - other.record.changedAtMs);
    const before: Later[] = local.map(({ step, name }) => ({ map: step.getMap(), name }));
    let current = doc;
    return records.map((taken) => {
      const merged = this.#mergeOne(taken, current, before);
      current = merged.placed?.doc ?? current;
      const steps = merged.placed?.steps ?? [];
      for (const { step, name } of steps) {
        before.push({ map: step.getMap(), name });
        this.#seen.add(name.clientId, name.number);
      }
      return { record: taken.record, steps, unplaced: merged.unplaced };
    });
  }

  #note({ index, digest, doc }: LogPlace): void {
    for (const { record } of this.#taken) {
      if (record.key === this.#key && record.index === index && record.digest === digest) {
        this.#stands.set(record.id, doc);
      }
    }
  }

  #mergeOne(
    { record, base }: TakenRecord,
    doc: Node,
    before: readonly Later[],
  ): { placed: PlacedSteps | null; unplaced: UnplacedText | null } {
    if (record.unplaced) return { placed: null, unplaced: record.unplaced };
    const isStored = (name: StepName) => this.#seen.has(name);
    const stand = this.#stands.get(record.id);
    if (stand) {
      const read = readSteps(stand, record.changes);
      const later = [...this.#log.slice(record.index - this.#firstIndex), ...before];
      return lossOf(read, placeSteps({ steps: read.steps, later, doc, isStored }));
    }
    const old = base();
    if (!old) return { placed: null, unplaced: textAlone(record.changes, isStored) };
    const read = this.#withoutSaved(readSteps(old, record.changes), record.sentCount);
    const { map, identity } = alignDocuments(read.docs[0]!, doc);
    const translate = (json: Record<string, unknown>) => identity.translate(json);
    const later = [{ map, name: null }];
    return lossOf(read, placeSteps({ steps: read.steps, later, doc, isStored, translate }));
  }

  /** Changes that were sent may have been stored and saved without this client's hearing of it. */
  #withoutSaved(read: ReadSteps, sentCount: number): ReadSteps {
    for (const count of new Set([read.steps.length, sentCount])) {
      const doc = read.docs[count];
      if (count > 0 && doc && this.#base && sameContent(doc, this.#base)) {
        return { steps: read.steps.slice(count), docs: read.docs.slice(count) };
      }
    }
    return read;
  }
}

function lossOf(
  { steps, docs }: ReadSteps,
  placed: PlacedSteps,
): { placed: PlacedSteps; unplaced: UnplacedText | null } {
  if (placed.lost.size === 0) return { placed, unplaced: null };
  const text = textOfSteps(
    docs.at(-1)!,
    steps.map(({ step }) => step),
    placed.lost,
  );
  return { placed, unplaced: { count: placed.lost.size, text } };
}

/** Changes that cannot be read, or do not follow each other, are left out: no replica would have taken them. */
function readSteps(doc: Node, changes: readonly string[]): ReadSteps {
  const steps: NamedStep[] = [];
  const docs = [doc];
  for (const text of changes) {
    const named = decodeNamed(text);
    const after = named && applyChange(docs.at(-1)!, text);
    if (!named || !after || typeof after === 'string') continue;
    steps.push({ step: stepFromJson(named.step), name: named.name });
    docs.push(after);
  }
  return { steps, docs };
}

function decodeNamed(text: string): { step: unknown; name: StepName } | null {
  const change = decodeEnvelope(text);
  if (typeof change === 'string' || change.number === undefined) return null;
  return { step: change.step, name: { clientId: change.clientId, number: change.number } };
}

/** The document of a snapshot that is of this record and can be read, or null. */
export function snapshotDocument(record: UnsentRecord, snapshot: UnsentSnapshot | null): Node | null {
  if (!snapshot || snapshot.index !== record.index || snapshot.digest !== record.digest) return null;
  try {
    const content = snapshot.blocks.flatMap((blocks) => JSON.parse(blocks) as unknown[]);
    return Node.fromJSON(wordSchema, { type: 'doc', content });
  } catch {
    return null;
  }
}

/** Without the document they stand on, all that can be said of changes is what text they put in. */
function textAlone(changes: readonly string[], isStored: (name: StepName) => boolean): UnplacedText | null {
  const lost = changes.flatMap((text) => {
    const named = decodeNamed(text);
    return named && !isStored(named.name) ? [sliceText(named.step)] : [];
  });
  return lost.length > 0 ? { count: lost.length, text: lost.join('').trim() } : null;
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
