import { Fragment, type Mark, type Node, Slice } from 'prosemirror-model';
import { wordSchema } from '../../../../model/word/schema.ts';
import { opaqueLook } from '../nodes/opaque-look.ts';

const { marks, nodes } = wordSchema;

export interface Adoption {
  /** The slice comes from this very document: what refers to the opened file means the same here. */
  readonly sameDocument: boolean;
  /** Nodes of the file that are in the document now, by id: the only one of its kind cannot be there twice. */
  readonly present: ReadonlySet<string>;
  /** The list of this document that stands for one of the slice's. */
  listId(listId: string): string | null;
  /** The style of this document for one of the slice's. */
  styleId(styleId: string): string | null;
}

/** A note, a comment and the like have one reference each. */
const single = new Set([
  'w:footnoteReference',
  'w:endnoteReference',
  'w:commentReference',
  'w:annotationRef',
]);

/**
 * Makes copied content that of this document: nothing claims to be a block of the opened file that is there already,
 * tracked changes are as if accepted, and from another document nothing stays that only has a meaning there.
 */
export function adoptSlice(slice: Slice, adoption: Adoption): Slice {
  return new Slice(adoptFragment(slice.content, adoption), slice.openStart, slice.openEnd);
}

function adoptFragment(fragment: Fragment, adoption: Adoption): Fragment {
  const adopted: Node[] = [];
  fragment.forEach((node) => {
    const one = adoptNode(node, adoption);
    if (one) adopted.push(one);
  });
  return Fragment.fromArray(adopted);
}

function adoptNode(node: Node, adoption: Adoption): Node | null {
  if (marks.del.isInSet(node.marks)) return null;
  const kept = adoptMarks(node.marks, adoption);
  if (node.isText) return node.mark(kept);
  const { id, kind, label } = node.attrs;
  const isThere = id !== null && adoption.present.has(id);
  switch (node.type) {
    case nodes.anchor:
    case nodes.comment:
      return adoption.sameDocument && !isThere ? node.mark(kept) : null;
    case nodes.opaque_inline:
      if (adoption.sameDocument && !(isThere && single.has(kind))) return node.mark(kept);
      return opaqueLook(node) === 'text' && label !== '' ? wordSchema.text(label, kept) : null;
    case nodes.opaque_block:
      if (adoption.sameDocument) return node;
      return nodes.paragraph.create(null, label === '' ? null : wordSchema.text(label));
    case nodes.image:
      if (adoption.sameDocument) return node.mark(kept);
      return node.attrs.alt === '' ? null : wordSchema.text(`[${node.attrs.alt}]`, kept);
    case nodes.line_break:
    case nodes.tab:
      return node.mark(kept);
    default:
      return node.type.create(blockAttributes(node, adoption), adoptFragment(node.content, adoption), kept);
  }
}

function adoptMarks(set: readonly Mark[], { sameDocument, styleId }: Adoption): readonly Mark[] {
  return set.flatMap((mark): Mark[] => {
    switch (mark.type) {
      case marks.ins:
      case marks.within:
        return [];
      case marks.rx:
      case marks.settled:
        return sameDocument ? [mark] : [];
      case marks.link:
        return mark.attrs.href === null && !sameDocument
          ? []
          : [marks.link.create({ ...mark.attrs, key: null })];
      case marks.character_style: {
        const id = styleId(mark.attrs.id);
        return id === null ? [] : [marks.character_style.create({ id })];
      }
      default:
        return [mark];
    }
  });
}

/** A copy is a new block; what the model does not hold it takes from the block that it is a copy of. */
function blockAttributes(
  { attrs, type }: Node,
  { sameDocument, listId, styleId }: Adoption,
): Record<string, unknown> {
  const own: Record<string, unknown> = { ...attrs, id: null };
  if ('settled' in attrs && !sameDocument) own.settled = null;
  if ('origin' in attrs) own.origin = sameDocument ? (attrs.id ?? attrs.origin) : null;
  if ('style' in attrs && attrs.style !== null) own.style = styleId(attrs.style);
  if (type === nodes.paragraph) {
    Object.assign(own, { markInserted: null, markDeleted: null });
    if (attrs.listId !== null && attrs.listId !== '0') {
      own.listId = listId(attrs.listId);
      if (own.listId === null) own.listLevel = null;
    }
  }
  return own;
}

/** Ids of the nodes of the file that a document has now. */
export function presentIds(doc: Node): Set<string> {
  const ids = new Set<string>();
  doc.descendants((node) => {
    if (typeof node.attrs.id === 'string') ids.add(node.attrs.id);
  });
  return ids;
}
