import type { Node } from 'prosemirror-model';
import { type Plugin, PluginKey } from 'prosemirror-state';
import type { WordDocumentJson, WordListLevel } from '../../../../model/word/document.ts';
import { isSymbolFont } from '../../../kit/symbol-fonts.ts';
import type { Styles } from '../../styles/styles.ts';
import { type SequenceState, sequenceDecorations } from '../sequence-decorations.ts';
import { className, cssRule, type Declarations, twipsToPt } from '../style/css.ts';
import { runCss } from '../style/run-css.ts';
import { layer } from '../style/style-rules.ts';
import { fontOf, ListCounter, type ListDefinitions, type ListPlace, newListKind } from './list-numbering.ts';

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

interface ListLabel {
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

const kinds = ['bullet', 'decimal', 'alpha', 'roman', 'outline'] as const;

/** Class of the look of a label: lists of one kind share theirs. */
function labelClass(place: ListPlace): string {
  return className('l', lookOf(place));
}

/** Class of the indents that a list gives to paragraphs which name it themselves. */
function indentClass(place: ListPlace): string {
  return className('i', lookOf(place));
}

function lookOf({ listId, level }: ListPlace): string {
  const kind = newListKind(listId);
  return kind ? `new-${kind}-${level}` : `${listId}-${level}`;
}

/** Rules for the labels and indents of all levels of all lists. */
export function listRules(
  lists: WordDocumentJson['lists'],
  definitions: ListDefinitions,
  scope: string,
): string {
  let rules = '';
  for (const { id, levels } of lists) {
    for (const level of levels) rules += levelRules({ listId: id, level: level.level }, level, scope);
  }
  for (const kind of kinds) {
    for (let level = 0; level < 9; level++) {
      const place = { listId: `new-${kind}-0`, level };
      rules += levelRules(place, definitions.level(place.listId, level)!, scope);
    }
  }
  return layer('word-list', rules);
}

function levelRules(place: ListPlace, level: WordListLevel, scope: string): string {
  const indent: Declarations = {};
  if (level.indentLeft !== null) indent['margin-inline-start'] = twipsToPt(level.indentLeft);
  if (level.indentFirst !== null) indent['text-indent'] = twipsToPt(level.indentFirst);
  return (
    cssRule(`${scope} .${indentClass(place)}`, indent) +
    cssRule(`${scope} .${labelClass(place)}::before`, labelCss(level))
  );
}

function labelCss({ run, suffix, indentFirst }: WordListLevel): Declarations {
  const { font, highlight: _highlight, ...rest } = run;
  const look = runCss(font && !isSymbolFont(fontOf(run)) ? { ...rest, font } : rest, 'paragraph');
  const { '--style-ink': ink, '--line': _line, ...css } = look;
  if (ink !== undefined) css.color = ink;
  if (suffix === 'tab')
    css['min-inline-size'] = indentFirst !== null && indentFirst < 0 ? twipsToPt(-indentFirst) : '18pt';
  else css['margin-inline-end'] = suffix === 'space' ? '0.25em' : '0';
  return css;
}
