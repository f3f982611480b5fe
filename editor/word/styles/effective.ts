import type { Mark, Node } from 'prosemirror-model';
import type { EditorState } from 'prosemirror-state';
import type { Styles } from './styles.ts';

/** A value that is the same all over the selection, or `mixed`. */
export type Common<T> = T | 'mixed';

/** How the selected text looks, styles and defaults included. */
interface EffectiveRun {
  readonly bold: Common<boolean>;
  readonly italic: Common<boolean>;
  readonly underline: Common<boolean>;
  readonly strike: Common<boolean>;
  readonly vertical: Common<'baseline' | 'superscript' | 'subscript'>;
  readonly font: Common<string | null>;
  readonly halfPoints: Common<number>;
  /** RRGGBB, or null for automatic. */
  readonly color: Common<string | null>;
  readonly highlight: Common<string | null>;
}

/** Runs looked at for the toolbar: in a selection of a whole book the beginning has to do. */
const maxRuns = 500;
/** 17.3.2.38: the size of text that nothing gives a size. */
const fallbackHalfPoints = 20;

/** Marks of a run by name, the run's own before the character style's before the paragraph style's. */
function valuesOf(marks: readonly Mark[], paragraph: Node, styles: Styles): EffectiveRun {
  const own = new Map(marks.map((mark) => [mark.type.name, mark.attrs]));
  const characterStyle = own.get('character_style')?.id as string | undefined;
  const character = characterStyle === undefined ? {} : styles.character(characterStyle);
  const style = styles.paragraph(paragraph.attrs.style).run;
  const attrs = (name: string) => own.get(name) ?? character[name] ?? style[name];
  const toggle = (name: string) => Boolean(attrs(name)?.on ?? false);
  const underline = attrs('underline')?.style;
  const color = attrs('color')?.value as string | undefined;
  const highlight = attrs('highlight')?.color as string | undefined;
  return {
    bold: toggle('bold'),
    italic: toggle('italic'),
    strike: toggle('strike'),
    underline: underline !== undefined && underline !== 'none',
    vertical: (attrs('vertical')?.align as EffectiveRun['vertical'] | undefined) ?? 'baseline',
    font: (attrs('font')?.name as string | undefined) ?? null,
    halfPoints: (attrs('size')?.halfPoints as number | undefined) ?? fallbackHalfPoints,
    color: color === undefined || color === 'auto' ? null : color.toUpperCase(),
    highlight: highlight === undefined || highlight === 'none' ? null : highlight,
  };
}

/** How the selection looks, or what would be typed at the cursor. */
export function effectiveRun(state: EditorState, styles: Styles): EffectiveRun {
  const { selection, storedMarks } = state;
  if (selection.empty) {
    const { $from } = selection;
    return valuesOf(storedMarks ?? $from.marks(), $from.parent, styles);
  }
  let common: EffectiveRun | null = null;
  let runs = 0;
  for (const { $from, $to } of selection.ranges) {
    state.doc.nodesBetween($from.pos, $to.pos, (node, _pos, parent) => {
      if (runs >= maxRuns) return false;
      if (!node.isText || !parent) return true;
      runs++;
      common = merge(common, valuesOf(node.marks, parent, styles));
      return false;
    });
  }
  return common ?? valuesOf(selection.$from.marks(), selection.$from.parent, styles);
}

function merge(one: EffectiveRun | null, other: EffectiveRun): EffectiveRun {
  if (!one) return other;
  const merged = Object.entries(other).map(([name, value]) => [
    name,
    one[name as keyof EffectiveRun] === value ? value : 'mixed',
  ]);
  return Object.fromEntries(merged) as EffectiveRun;
}

/** The paragraphs that the selection touches, with their positions. */
export function selectedParagraphs(state: EditorState): { node: Node; pos: number }[] {
  const found: { node: Node; pos: number }[] = [];
  for (const { $from, $to } of state.selection.ranges) {
    state.doc.nodesBetween($from.pos, $to.pos, (node, pos) => {
      if (node.type.name !== 'paragraph') return true;
      found.push({ node, pos });
      return false;
    });
  }
  return found;
}
