import type { Node } from 'prosemirror-model';
import { type Plugin, PluginKey } from 'prosemirror-state';
import type { Styles } from '../../styles/styles.ts';
import { type SequenceState, sequenceDecorations } from '../sequence-decorations.ts';
import { ListCounter, type ListPlace } from './list-counter.ts';
import type { ListDefinitions } from './list-definitions.ts';
import { indentClass, labelClass } from './list-rules.ts';

interface ListItem extends ListPlace {
  /** The paragraph names the list itself; otherwise its style does, and says what the indents are. */
  readonly direct: boolean;
}

export const listLabelsKey = new PluginKey<SequenceState<ListItem>>('list-labels');

/** Where a paragraph stands in which list, itself or by its style; null for none. List 0 is "no list" (17.9.18). */
export function listPlace(paragraph: Node, styles: Styles): ListItem | null {
  const { listId, listLevel, style } = paragraph.attrs;
  if (listId !== null) return listId === '0' ? null : { listId, level: listLevel ?? 0, direct: true };
  const said = styles.paragraph(style).paragraph;
  if (typeof said.listId !== 'string' || said.listId === '0') return null;
  const level = listLevel ?? said.listLevel;
  return { listId: said.listId, level: typeof level === 'number' ? level : 0, direct: false };
}

/** Draws the labels of list paragraphs: the text is in `data-label`, which the CSS puts before the paragraph. */
export function listLabels(styles: Styles, definitions: ListDefinitions): Plugin {
  return sequenceDecorations<ListItem>({
    key: listLabelsKey,
    read: (node) => (node.type.name === 'paragraph' ? listPlace(node, styles) : null),
    descends: (node) => node.type.name !== 'paragraph',
    same: (one, other) =>
      one.listId === other.listId && one.level === other.level && one.direct === other.direct,
    label: (all) => {
      const counter = new ListCounter(definitions);
      return all.map((item) => {
        return { class: classesOf(item).join(' '), 'data-label': counter.next(item) };
      });
    },
  });
}

function classesOf(item: ListItem): string[] {
  return ['listed', labelClass(item), ...(item.direct ? [indentClass(item)] : [])];
}

export interface ListLabel {
  readonly label: string;
  readonly classes: readonly string[];
}

/** The labels of the list paragraphs of a document that is shown without a view. */
export function labelsOf(doc: Node, styles: Styles, definitions: ListDefinitions): Map<Node, ListLabel> {
  const counter = new ListCounter(definitions);
  const labels = new Map<Node, ListLabel>();
  doc.descendants((node) => {
    if (node.type.name !== 'paragraph') return true;
    const item = listPlace(node, styles);
    if (item) labels.set(node, { label: counter.next(item), classes: classesOf(item) });
    return false;
  });
  return labels;
}
