import type { Node } from 'prosemirror-model';

/** Opaque content that has no look of its own: marks of fields, notes and ranges. */
const HIDDEN =
  /^w:(?:fldChar|instrText|delInstrText|annotationRef|commentReference|(?:bookmark|commentRange|perm|moveFromRange|moveToRange)(?:Start|End)|proofErr|sectPr)$/;

/**
 * Visits every inline node and every opaque block of a document in order.
 * @param visit is told the node, its position, the table cell that it is in, and what readers see of it: text, or a character
 * for what is no text
 */
export function visitShown(
  doc: Node,
  visit: (node: Node, position: number, cell: Node | null, shown: string) => void,
): void {
  const visitChildren = (parent: Node, start: number, cell: Node | null) => {
    parent.forEach((node, offset) => {
      const position = start + offset;
      if (node.isLeaf) visit(node, position, cell, shownOf(node));
      else visitChildren(node, position + 1, node.type.name === 'table_cell' ? node : cell);
    });
  };
  visitChildren(doc, 0, null);
}

/** What readers see of a node: its text, a character for what is no text, nothing for what is invisible. */
export function shownOf({ type, attrs, text, isInline }: Node): string {
  switch (type.name) {
    case 'text':
      return text!;
    case 'tab':
      return '\t';
    case 'line_break':
      return '\n';
    case 'image':
      return '\ufffc';
    case 'opaque_inline':
    case 'opaque_block': {
      if (HIDDEN.test(attrs.kind)) return '';
      const isSeen = !isInline || attrs.label !== '' || attrs.picture !== null || attrs.kind !== 'field';
      return isSeen ? '\ufffc' : '';
    }
    default:
      return '';
  }
}
