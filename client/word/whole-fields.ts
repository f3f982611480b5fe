import { isHistoryTransaction } from 'prosemirror-history';
import type { Mark, Node } from 'prosemirror-model';
import { type EditorState, Plugin, type Transaction } from 'prosemirror-state';
import { Mapping, ReplaceStep } from 'prosemirror-transform';
import { changedNodes } from '../../model/word/changed-nodes.ts';
import {
  type FieldPairs,
  isBare,
  isInstruction,
  isStruck,
  shownOf,
} from '../../model/word/fields/field-pairs.ts';
import {
  type PlacedField,
  type PlacedFields,
  type PlacedMark,
  type PlacedNode,
  placeFields,
} from '../../model/word/fields/placed-fields.ts';
import { isShared } from './local-steps.ts';

/**
 * Keeps fields whole in what this user does, by whatever command: their characters are invisible, so that nobody means to
 * take one without the other. What a deletion leaves of a field that still has a result gets back what it lost; without
 * a result it goes as well. A half that was copied or moved without the other is not put where it would land. What is struck
 * by a tracked deletion counts as deleted.
 */
export function wholeFields(pairs: FieldPairs): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      if (pairs.isEmpty) return null;
      const made = transactions.filter(({ docChanged }) => docChanged);
      if (made.length === 0 || made.some(isShared)) return null;
      if (made.every(isTyping) || !concernsFields(before.doc, state.doc, pairs)) return null;
      const mending = new Mending(made, before.doc, state, pairs);
      return mending.tr.docChanged ? mending.tr : null;
    },
  });
}

/** Whether a transaction only puts in text: what most do, known without a look at the document. */
function isTyping({ steps }: Transaction): boolean {
  return steps.every(
    (step) =>
      step instanceof ReplaceStep &&
      step.from === step.to &&
      step.slice.content.content.every(({ isText }) => isText),
  );
}

/** Whether anything of a field came, went, or was marked. Cost follows the size of the change. */
function concernsFields(before: Node, after: Node, pairs: FieldPairs): boolean {
  let found = false;
  const look = (node: Node) => {
    found ||= isInstruction(node) || pairs.of(node).length > 0;
  };
  changedNodes(before, after, look, look);
  return found;
}

/** A character or an instruction of a field that was whole, and where it is now. */
interface Member extends PlacedNode {
  readonly isBeforeResult: boolean;
  /** Null when it is gone. */
  readonly now: PlacedNode | null;
  /** Where it would be: the place of what was deleted with it. */
  readonly place: number;
}

interface Insertion {
  readonly at: number;
  readonly node: Node;
  /** Where it was. */
  readonly position: number;
}

class Mending {
  readonly tr: Transaction;
  readonly #mapping: Mapping;
  readonly #doc: Node;
  /** Everything of fields in the document now, by position. */
  readonly #present: ReadonlyMap<number, PlacedNode>;
  /** What of that came with the transactions. */
  readonly #come: Map<number, PlacedNode>;
  readonly #removed = new Set<number>();
  readonly #inserted: Insertion[] = [];

  constructor(made: readonly Transaction[], before: Node, state: EditorState, pairs: FieldPairs) {
    this.tr = state.tr;
    this.#doc = state.doc;
    this.#mapping = new Mapping(made.flatMap(({ mapping }) => mapping.maps));
    const old = placeFields(before, pairs);
    const now = placeFields(state.doc, pairs);
    this.#present = new Map(nodesOf(now).map((one) => [one.position, one]));
    this.#come = new Map(this.#present);
    // What undo brings back is where it was.
    if (made.some(isHistoryTransaction) && now.stray.length === 0) return;
    for (const { position } of old.stray) {
      const { deletedAfter, pos } = this.#mapping.mapResult(position, 1);
      if (!deletedAfter) this.#come.delete(pos);
    }
    const fields = old.whole.map((field) => this.#members(field));
    this.#removeLoneHalves(now);
    for (const members of fields) this.#mend(members);
    this.#apply();
    this.#removeBroken(old, placeFields(this.tr.doc, pairs));
    if (state.storedMarks) this.tr.setStoredMarks(state.storedMarks);
  }

  /** Where the members of a field are now. */
  #members(field: PlacedField): Member[] {
    const { begin, separate, end } = field;
    const beginsStill = !this.#mapping.mapResult(begin.position, 1).deletedAfter;
    const place = (one: PlacedNode, side: -1 | 1, isBeforeResult: boolean) =>
      this.#member(one, side, isBeforeResult);
    const headSide = beginsStill ? -1 : 1;
    return [
      place(begin, 1, true),
      ...field.instructions.map((one) => place(one, headSide, true)),
      ...(separate ? [place(separate, headSide, true)] : []),
      place(end, -1, false),
    ];
  }

  #member({ node, position }: PlacedNode, side: -1 | 1, isBeforeResult: boolean): Member {
    const result = this.#mapping.mapResult(position, 1);
    const place = this.#mapping.map(position, side);
    const now = result.deletedAfter ? this.#putBack(node, position) : this.#present.get(result.pos);
    if (now) this.#come.delete(now.position);
    return { node, position, isBeforeResult, now: now ?? null, place };
  }

  /** The same node, where a step has taken it out and put it in again. */
  #putBack(node: Node, position: number): PlacedNode | undefined {
    const [from, to] = [this.#mapping.map(position, -1), this.#mapping.map(position, 1)];
    for (const one of this.#come.values()) {
      if (one.position >= from && one.position < to && one.node.attrs.id === node.attrs.id) return one;
    }
    return undefined;
  }

  /** Of what came only whole fields stay. */
  #removeLoneHalves(now: PlacedFields): void {
    for (const field of now.whole) {
      const members = membersOf(field);
      if (!members.every(({ position }) => this.#come.has(position))) continue;
      for (const { position } of members) this.#come.delete(position);
    }
    for (const { node, position } of this.#come.values()) if (isBare(node)) this.#removed.add(position);
  }

  #mend(members: readonly Member[]): void {
    const left = members.filter(({ now }) => now !== null);
    if (left.length === 0) return;
    const struckNow = left.filter(({ node, now }) => isStruck(now!.node) && !isStruck(node));
    if (left.length === members.length && struckNow.length === 0) return;
    const [first, last] = [members[0]!, members.at(-1)!];
    const from = first.now?.position ?? first.place;
    const to = last.now?.position ?? last.place;
    if (left.length < members.length) {
      if (this.#shows(from, to, () => true) && this.#giveBack(members)) return;
      for (const { now } of left) if (isBare(now!.node)) this.#removed.add(now!.position);
      return;
    }
    const plain = left.filter(({ now }) => !isStruck(now!.node));
    if (plain.length === 0) return;
    const deletion = struckNow[0]!.now!.node.marks.find(({ type }) => type.name === 'del')!;
    if (this.#shows(from, to, (node) => !isStruck(node))) {
      for (const { now } of struckNow) this.#setStruck(now!, null);
    } else for (const { now } of plain) this.#setStruck(now!, deletion);
  }

  /** Whether anything that can be seen stands in a range. */
  #shows(from: number, to: number, counts: (node: Node) => boolean): boolean {
    let found = false;
    if (from < to) {
      this.#doc.nodesBetween(from, to, (node, position) => {
        const isInside = node.isLeaf && position >= from && position < to;
        if (isInside && shownOf(node) !== '' && counts(node)) found = true;
        return !found;
      });
    }
    return found;
  }

  /** Puts back what is gone of a field. False, and nothing is done, if there is no place for it or it was more than that. */
  #giveBack(members: readonly Member[]): boolean {
    const returning: Insertion[] = [];
    for (const { node, position, now, place, isBeforeResult } of members) {
      if (now) continue;
      const at = isBare(node) ? placeInText(this.#doc, place, isBeforeResult ? 1 : -1) : null;
      if (at === null) return false;
      const marks = node.marks.filter((mark) => goesAlong(mark, at === place));
      returning.push({ at, position, node: node.mark(marks) });
    }
    this.#inserted.push(...returning);
    return true;
  }

  #setStruck({ position, node }: PlacedNode, deletion: Mark | null): void {
    const to = position + node.nodeSize;
    if (!isBare(node)) return;
    if (deletion) this.tr.addMark(position, to, deletion);
    else this.tr.removeMark(position, to, node.type.schema.marks.del);
  }

  /** Marks do not move anything, so that all positions are those of the document as it was given. */
  #apply(): void {
    const places = new Map<number, Node[]>();
    this.#inserted.sort((one, other) => one.position - other.position);
    for (const { at, node } of this.#inserted) places.set(at, [...(places.get(at) ?? []), node]);
    const positions = [...new Set([...places.keys(), ...this.#removed])].sort((a, b) => b - a);
    for (const position of positions) {
      if (this.#removed.has(position)) this.tr.delete(position, position + 1);
      const nodes = places.get(position);
      if (nodes) this.tr.insert(position, nodes);
    }
  }

  /** What has come apart nevertheless, as when a part of a cell is joined with a paragraph before the table, is a field no more. */
  #removeBroken(old: PlacedFields, { stray }: PlacedFields): void {
    if (stray.length === 0) return;
    const ids = idsOfWhole(old);
    const broken = stray.filter(({ node }) => isBare(node) && ids.has(node.attrs.id));
    const positions = new Set(broken.map(({ position }) => position));
    for (const position of [...positions].sort((a, b) => b - a)) this.tr.delete(position, position + 1);
  }
}

/** Ids of nodes of fields that are whole, without those that stand elsewhere as well. */
function idsOfWhole({ whole, stray }: PlacedFields): Set<string> {
  const ids = new Set<string>(whole.flatMap(membersOf).map(({ node }) => node.attrs.id));
  for (const { node } of stray) ids.delete(node.attrs.id);
  return ids;
}

/** A half is no part of a deletion, and elsewhere none of a link or a content control. */
function goesAlong({ type }: Mark, stays: boolean): boolean {
  return type.name !== 'del' && (stays || (type.name !== 'link' && type.name !== 'within'));
}

function membersOf({ begin, separate, end, instructions }: PlacedField): readonly PlacedNode[] {
  return [begin, ...instructions, ...(separate ? [separate] : []), end];
}

function nodesOf({ whole, stray }: PlacedFields): readonly (PlacedMark | PlacedNode)[] {
  return [...whole.flatMap(membersOf), ...stray];
}

/**
 * The next place for inline content at a position or from there on in a direction; the other direction where there is none.
 * It is in the same cell, and in no table that the position is not in. Null where there is no such place at all.
 */
function placeInText(doc: Node, position: number, direction: 1 | -1): number | null {
  return placeTowards(doc, position, direction) ?? placeTowards(doc, position, direction === 1 ? -1 : 1);
}

function placeTowards(doc: Node, position: number, direction: 1 | -1): number | null {
  let $at = doc.resolve(position);
  while (!$at.parent.inlineContent) {
    const next = direction > 0 ? $at.nodeAfter : $at.nodeBefore;
    if (!next) {
      if ($at.parent.type.name !== 'block_wrap') return null;
      $at = doc.resolve(direction > 0 ? $at.after() : $at.before());
    } else if (next.type.name === 'paragraph' || next.type.name === 'block_wrap') {
      $at = doc.resolve($at.pos + direction);
    } else if (next.type.name === 'opaque_block') $at = doc.resolve($at.pos + direction * next.nodeSize);
    else return null;
  }
  return $at.pos;
}
