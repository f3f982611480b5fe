import type { Mark, Node } from 'prosemirror-model';
import { FieldPairs, isBare, isStruck } from '../../../../model/word/fields/field-pairs.ts';
import {
  type PlacedField,
  type PlacedNode,
  placeFields,
} from '../../../../model/word/fields/placed-fields.ts';
import type { DocxSource } from './docx-source.ts';
import { withReplaced } from './replaced-nodes.ts';
import { isWrapping } from './source-map.ts';

/**
 * A document with its fields as they can be written:
 * - no half of a field, and no instruction without a field
 * - all characters of a field are in a tracked deletion, or none
 * - text that was put into an instruction stands before the field, because programs do not show instructions
 *
 * Halves in nodes that hold more than a half are left to {@link withoutLooseElements}.
 */
export function withMendedFields({ doc: base, map }: DocxSource, doc: Node): Node {
  if (map.fieldMarks.length === 0) return doc;
  const { whole, stray } = placeFields(doc, new FieldPairs(base, map.fieldMarks));
  const replaced = new Map<number, readonly Node[]>();
  for (const { node, position } of stray) if (isBare(node)) replaced.set(position, []);
  for (const field of whole) {
    if (!field.source.isHalfStruck) keepStruckAlike(field, replaced);
    if (field.shownInstruction !== '' && field.shownInstruction !== field.source.instruction) {
      bringTogether(field, replaced);
    }
  }
  return replaced.size === 0 ? doc : withReplaced(doc, replaced);
}

/** A deletion that somebody accepts elsewhere takes all characters of a field, or none. */
function keepStruckAlike(
  { begin, separate, end }: PlacedField,
  replaced: Map<number, readonly Node[]>,
): void {
  const all = [begin, end, ...(separate ? [separate] : [])];
  if (all.every(({ node }) => isStruck(node))) return;
  for (const { node, position } of all)
    if (isStruck(node) && isBare(node)) replaced.set(position, [unstruck(node)]);
}

const ownMarks = ({ marks }: Node): readonly Mark[] => marks.filter((mark) => !isWrapping(mark));

const unstruck = (node: Node): Node => node.mark(node.marks.filter(({ type }) => type.name !== 'del'));

/** Puts the beginning of a field and its instruction where its result begins. */
function bringTogether(field: PlacedField, replaced: Map<number, readonly Node[]>): void {
  const { begin, separate, end, instructions } = field;
  const moved: readonly PlacedNode[] = [begin, ...instructions];
  const place = separate ?? end;
  const around = place.node.marks.filter(isWrapping);
  const now = ({ node, position }: PlacedNode) => replaced.get(position) ?? [node];
  const inPlace = (node: Node) => node.mark(around.reduce((set, mark) => mark.addToSet(set), ownMarks(node)));
  if (!isBare(begin.node) || !isBare(place.node)) {
    // What holds them cannot be moved; without its own characters the field is none.
    for (const one of [begin, ...instructions, end, ...(separate ? [separate] : [])]) {
      if (isBare(one.node)) replaced.set(one.position, []);
    }
    return;
  }
  replaced.set(place.position, [...moved.flatMap(now).map(inPlace), ...now(place)]);
  for (const { position } of moved) replaced.set(position, []);
}
