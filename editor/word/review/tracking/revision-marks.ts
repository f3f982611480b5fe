import type { DOMOutputSpec, Mark, Node } from 'prosemirror-model';
import { authorColor, changeTitle } from '../../../shell/people/byline.ts';
import './revision-marks.css';
import { type Plugin, PluginKey } from 'prosemirror-state';
import type { DecorationAttrs } from 'prosemirror-view';
import { wordSchema } from '../../../../model/word/schema.ts';
import { type SequenceState, sequenceDecorations } from '../../view/sequence-decorations.ts';
import { deletionOf, insertionOf, isBesideText } from './revision.ts';

/** How a tracked change of text is drawn. */
export function revisionSpec({ type, attrs }: Mark): DOMOutputSpec {
  const { author, date } = attrs;
  return [
    type.name,
    {
      class: `revised revised-${type.name}`,
      style: `--author: ${authorColor(author)}`,
      'data-revision': JSON.stringify(attrs),
      title: changeTitle(type.name === 'ins' ? 'insertion' : 'deletion', author, date),
      ...(date !== null && { datetime: date }),
    },
    0,
  ];
}

/** A paragraph whose break is a tracked change, and whether all of its text is one of the same kind. */
interface ChangedBreak {
  readonly kind: 'insertion' | 'deletion';
  readonly author: string;
  readonly date: string | null;
  readonly isWhole: boolean;
}

const key = new PluginKey<SequenceState<ChangedBreak>>('break-marks');

function read(node: Node): ChangedBreak | null {
  if (node.type !== wordSchema.nodes.paragraph) return null;
  const { markInserted, markDeleted } = node.attrs;
  const revision = markDeleted ?? markInserted;
  if (!revision) return null;
  const mark = markDeleted ? deletionOf : insertionOf;
  const isWhole = node.children.every((child) => isBesideText(child) || mark(child) !== undefined);
  const { author, date } = revision;
  return { kind: markDeleted ? 'deletion' : 'insertion', author, date, isWhole };
}

function label({ kind, author, date, isWhole }: ChangedBreak): DecorationAttrs {
  return {
    class: `revised-break revised-break-${kind}${isWhole ? ' revised-whole' : ''}`,
    style: `--author: ${authorColor(author)}`,
    title: changeTitle(kind, author, date),
  };
}

/** Marks paragraphs whose break is inserted or deleted; the CSS draws a pilcrow there. */
export function breakMarks(): Plugin {
  return sequenceDecorations<ChangedBreak>({
    key,
    read,
    descends: (node) => !node.isTextblock,
    same: (one, other) =>
      one.kind === other.kind &&
      one.author === other.author &&
      one.date === other.date &&
      one.isWhole === other.isWhole,
    label: (all) => all.map(label),
  });
}
