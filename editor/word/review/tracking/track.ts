import { Fragment, type Node, Slice } from 'prosemirror-model';
import { type EditorState, type Selection, TextSelection, type Transaction } from 'prosemirror-state';
import { Mapping, ReplaceAroundStep, ReplaceStep, type Step, StepMap } from 'prosemirror-transform';
import { wordSchema } from '../../../../model/word/schema.ts';
import { deleteTracked } from './delete-tracked.ts';
import { afterDeleted, insertTracked } from './insert-tracked.ts';
import { continues, deletionOf, insertionOf, type Revision } from './revision.ts';

const { nodes } = wordSchema;

interface Tracking {
  readonly revision: Revision;
  /** Rows, tables and opaque blocks that are deleted as such go for good; otherwise they stay, with their text marked as deleted. */
  readonly removesBlocks: boolean;
}

/**
 * The transaction that does the same as the given one, but tracked: what it inserts is marked as inserted, what it
 * deletes stays and is marked as deleted. Formatting and the structure of tables are changed as they are in the given
 * one. Accepting all of it gives the document of the given transaction, rejecting all the document before.
 */
export function track(state: EditorState, given: Transaction, tracking: Tracking): Transaction {
  if (!given.docChanged || goesOn(given, tracking.revision)) return given;
  const { tr } = state;
  const counterparts: (number | null)[] = [];
  for (const [index, step] of given.steps.entries()) {
    const places = new Places(given, tr, counterparts);
    counterparts.push(trackStep(tr, step, given.docs[index]!, places, tracking));
  }
  const places = new Places(given, tr, counterparts);
  tr.setSelection(mappedSelection(state, given, tr, places));
  return withMetaOf(tr, given);
}

/** Letters that are part of the author's own insertion already. */
function goesOn({ steps, docs }: Transaction, revision: Revision): boolean {
  const [step] = steps;
  if (steps.length !== 1 || !(step instanceof ReplaceStep) || step.from !== step.to) return false;
  const { content, openStart, openEnd } = step.slice;
  if (openStart > 0 || openEnd > 0 || afterDeleted(docs[0]!, step.from) !== step.from) return false;
  return content.content.every(
    (node) => node.isInline && continues(insertionOf(node), revision) && !deletionOf(node),
  );
}

/** Does one step. Returns the index of the step in `tr` that has the same positions in what it put in, or null. */
function trackStep(
  tr: Transaction,
  step: Step,
  doc: Node,
  places: Places,
  { revision, removesBlocks }: Tracking,
): number | null {
  if (step instanceof ReplaceAroundStep && deletesText(step, doc)) {
    deleteTracked(tr, places.of(step.gapTo), places.of(step.to), revision);
    deleteTracked(tr, places.of(step.from), places.of(step.gapFrom), revision);
    return null;
  }
  if (!(step instanceof ReplaceStep)) return applyAsItIs(tr, step, places);
  const { from, to, slice, isWhole } = trimmed(doc, step);
  const removesOnlyBlocks = to > from && isBlocksWithoutMark(doc.slice(from, to));
  if (removesOnlyBlocks && removesBlocks) return applyAsItIs(tr, step, places);
  const begun = tr.steps.length;
  const end = places.of(to);
  deleteTracked(tr, places.of(from), end, revision);
  if (!hasContent(slice)) return null;
  const at = tr.mapping.slice(begun).map(end);
  const inserted = insertTracked(tr, at, slice, revision);
  return isWhole ? inserted : null;
}

/** The step where its place is now. A change of marks or attributes whose place is gone is left out. */
function applyAsItIs(tr: Transaction, step: Step, places: Places): number | null {
  const mapped = step.map(places.mapping);
  if (!mapped || tr.maybeStep(mapped).failed) return null;
  return tr.steps.length - 1;
}

function deletesText({ from, gapFrom, gapTo, to }: ReplaceAroundStep, doc: Node): boolean {
  const hasText = (start: number, end: number) => {
    let found = false;
    doc.nodesBetween(start, end, (node, position) => {
      if (node.isInline && position >= start && position < end) found = true;
      return !found;
    });
    return found;
  };
  return hasText(from, gapFrom) || hasText(gapTo, to);
}

/** Whole tables, rows, cells and opaque blocks: what has no mark of its own. */
function isBlocksWithoutMark({ content, openStart, openEnd }: Slice): boolean {
  if (openStart > 0 || openEnd > 0) return false;
  return content.content.every(({ type }) => type !== nodes.paragraph && !type.isInline);
}

/** What a step moves: a token that it puts in the place of another of its size moves nothing. */
function movesOf(step: Step): StepMap {
  if (!(step instanceof ReplaceAroundStep)) return step.getMap();
  const { from, gapFrom, gapTo, to, slice, insert } = step;
  const ranges = [
    [from, gapFrom - from, insert],
    [gapTo, to - gapTo, slice.size - insert],
  ];
  return new StepMap(ranges.filter(([, oldSize, newSize]) => oldSize !== newSize).flat());
}

/** Where positions of the given transaction are in the tracked one. */
class Places {
  readonly mapping: Mapping;

  constructor(given: Transaction, tr: Transaction, counterparts: readonly (number | null)[]) {
    const back = given.steps.slice(0, counterparts.length).map((step) => movesOf(step).invert());
    const mirrors = counterparts.flatMap((counterpart, index) =>
      counterpart === null ? [] : [back.length - 1 - index, back.length + counterpart],
    );
    this.mapping = new Mapping([...back.reverse(), ...tr.steps.map(movesOf)], mirrors);
  }

  /** Behind what was marked as deleted at a position. */
  of(position: number): number {
    return Math.max(this.mapping.map(position, -1), this.mapping.map(position, 1));
  }

  /** Before what was marked as deleted at a position. */
  before(position: number): number {
    return this.mapping.map(position, -1);
  }
}

/**
 * The cursor is where it would be, and before what was marked as deleted. Only the key that deletes what follows the cursor
 * moves it behind that.
 */
function mappedSelection(state: EditorState, given: Transaction, tr: Transaction, places: Places): Selection {
  const { selection } = given;
  if (!(selection instanceof TextSelection)) {
    return selection.getBookmark().map(places.mapping).resolve(tr.doc);
  }
  const place = (position: number) =>
    deletesForward(state, given) ? places.of(position) : places.before(position);
  const head = tr.doc.resolve(place(selection.head));
  return selection.empty
    ? TextSelection.near(head)
    : TextSelection.between(tr.doc.resolve(place(selection.anchor)), head);
}

function deletesForward({ selection }: EditorState, { steps }: Transaction): boolean {
  const [step] = steps;
  if (!selection.empty || steps.length !== 1 || !(step instanceof ReplaceStep)) return false;
  return step.to > step.from && step.from === selection.head && !hasContent(step.slice);
}

/** A replacement: from, to, and what comes in between. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly slice: Slice;
  /** Whether the slice is the one of the step, so that positions in it are the same. */
  readonly isWhole: boolean;
}

/**
 * A step without what it takes out and puts in again: whole paragraphs are replaced by their content, and the
 * opening of a node that follows a deleted block stays where it is.
 */
function trimmed(doc: Node, step: ReplaceStep): Replacement {
  let { from, to, slice } = step;
  if (from === to || slice.size === 0) return { from, to, slice, isWhole: true };
  const whole = slice;
  const $from = doc.resolve(from);
  const $to = doc.resolve(to);
  if (slice.openEnd > 0 && $to.parentOffset === 0 && $to.before() > from && isEmptyAtEnd(slice)) {
    slice = new Slice(withoutLast(slice.content, slice.openEnd), slice.openStart, slice.openEnd - 1);
    to = $to.before();
  } else if (slice.openEnd === 0 && isParagraph(slice.content.lastChild) && isParagraph($to.nodeBefore)) {
    slice = new Slice(slice.content, slice.openStart, 1);
    to -= 1;
  }
  if (slice.openStart === 0 && isParagraph(slice.content.firstChild) && isParagraph($from.nodeAfter)) {
    slice = new Slice(slice.content, 1, slice.openEnd);
    from += 1;
  }
  return { from, to, slice, isWhole: slice === whole };
}

const isParagraph = (node: Node | null): boolean => node?.type === nodes.paragraph;

/** Whether the last token of a slice opens a node. */
function isEmptyAtEnd({ content, openEnd }: Slice): boolean {
  let node: Node | null = content.lastChild;
  for (let depth = 1; depth < openEnd; depth++) node = node?.lastChild ?? null;
  return node?.content.size === 0;
}

function withoutLast(content: Fragment, depth: number): Fragment {
  const last = content.lastChild!;
  const kept = content.content.slice(0, -1);
  return Fragment.fromArray(depth === 1 ? kept : [...kept, last.copy(withoutLast(last.content, depth - 1))]);
}

/** Whether a slice has anything in it: text, a break between paragraphs, or a block that is no paragraph. */
function hasContent({ content, openStart, openEnd }: Slice): boolean {
  if (content.childCount !== 1) return content.childCount > 1;
  const only = content.firstChild!;
  if (only.isInline || !(openStart > 0 || openEnd > 0)) return true;
  return hasContent(new Slice(only.content, Math.max(0, openStart - 1), Math.max(0, openEnd - 1)));
}

/** Takes over everything of a transaction but its steps and its selection. */
export function withMetaOf(tr: Transaction, given: Transaction): Transaction {
  // The list of what was said with a transaction is missing from the typings.
  const { meta } = given as unknown as { meta: Readonly<Record<string, unknown>> };
  for (const [key, value] of Object.entries(meta)) tr.setMeta(key, metaValue(value, given, tr));
  if (given.storedMarksSet) tr.setStoredMarks(given.storedMarks);
  if (given.scrolledIntoView) tr.scrollIntoView();
  return tr.setTime(given.time);
}

/** Input rules remember the transaction that they made, to undo it. */
function metaValue(value: unknown, given: Transaction, tr: Transaction): unknown {
  const isAbout = typeof value === 'object' && value !== null && 'transform' in value;
  return isAbout && value.transform === given ? { ...value, transform: tr } : value;
}
