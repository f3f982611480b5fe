import type { Mark, Node } from 'prosemirror-model';
import type { Command, EditorState } from 'prosemirror-state';
import { wordSchema } from '../../../model/word/schema.ts';
import { effectiveRun } from '../styles/effective.ts';
import type { StyleSheet } from '../styles/style-sheet.ts';

const { marks } = wordSchema;

export type Toggle = 'bold' | 'italic' | 'strike' | 'underline';

/** Marks that say how text looks; the others say what it is: a link, a tracked change. */
const formatting: readonly (keyof typeof marks)[] = [
  'bold',
  'italic',
  'strike',
  'underline',
  'size',
  'font',
  'color',
  'highlight',
  'vertical',
  'character_style',
  'rx',
];

/** What a run needs so that it looks as wanted in its paragraph: a mark, or none of the type. */
type Choose = (run: readonly Mark[], paragraph: Node) => Mark | null;

/** Gives each run of the selection, or what will be typed at the cursor, the mark that `choose` names. */
function setRuns(type: keyof typeof marks, choose: Choose): Command {
  return (state, dispatch) => {
    const { selection } = state;
    if (selection.empty && !selection.$from.parent.inlineContent) return false;
    if (!dispatch) return true;
    const { tr } = state;
    if (selection.empty) {
      const current = state.storedMarks ?? selection.$from.marks();
      const mark = choose(current, selection.$from.parent);
      const others = marks[type]!.removeFromSet(current);
      dispatch(tr.setStoredMarks(mark ? mark.addToSet(others) : others));
      return true;
    }
    for (const { $from, $to } of selection.ranges) {
      state.doc.nodesBetween($from.pos, $to.pos, (node, pos, parent) => {
        if (!node.isInline || !parent) return true;
        const from = Math.max(pos, $from.pos);
        const to = Math.min(pos + node.nodeSize, $to.pos);
        const mark = choose(node.marks, parent);
        if (mark) tr.addMark(from, to, mark);
        else if (marks[type]!.isInSet(node.marks)) tr.removeMark(from, to, marks[type]);
        return false;
      });
    }
    if (tr.docChanged) dispatch(tr.scrollIntoView());
    return true;
  };
}

/** What the styles of a run say about a mark, without the run's own. */
function styleSays(sheet: StyleSheet, run: readonly Mark[], paragraph: Node, type: string) {
  const characterStyle = marks.character_style.isInSet(run);
  const character = characterStyle ? sheet.character(characterStyle.attrs.id) : {};
  return character[type] ?? sheet.paragraph(paragraph.attrs.style).run[type];
}

/** Switches on unless all of the selection is on; a style that says otherwise is overruled, not duplicated. */
export function toggleRun(sheet: StyleSheet, type: Toggle): Command {
  return (state, dispatch) => {
    const on = effectiveRun(state, sheet)[type] !== true;
    return setRuns(type, (run, paragraph) => {
      const said = styleSays(sheet, run, paragraph, type);
      if (type === 'underline') {
        const styleOn = said !== undefined && said.style !== 'none';
        if (on === styleOn) return null;
        return marks.underline.create({ style: on ? 'single' : 'none' });
      }
      return on === Boolean(said?.on) ? null : marks[type].create({ on });
    })(state, dispatch);
  };
}

/** Super- or subscript; the one that is in effect already is taken away. */
export function toggleVertical(sheet: StyleSheet, align: 'superscript' | 'subscript'): Command {
  return (state, dispatch) => {
    const on = effectiveRun(state, sheet).vertical !== align;
    return setRuns('vertical', () => (on ? marks.vertical.create({ align }) : null))(state, dispatch);
  };
}

export const setFont = (name: string): Command => setRuns('font', () => marks.font.create({ name }));

/** @param halfPoints 1 to 3276 */
export const setSize = (halfPoints: number): Command =>
  setRuns('size', () => marks.size.create({ halfPoints }));

/** @param value RRGGBB, or null for automatic */
export const setColor = (value: string | null): Command =>
  setRuns('color', () => (value === null ? null : marks.color.create({ value })));

/** @param color a name of ST_HighlightColor, or null for none */
export const setHighlight = (color: string | null): Command =>
  setRuns('highlight', () => (color === null ? null : marks.highlight.create({ color })));

export const setCharacterStyle = (id: string | null): Command =>
  setRuns('character_style', () => (id === null ? null : marks.character_style.create({ id })));

const sizes = [8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 36, 48, 72];

/** The next larger or smaller of the usual sizes. */
export function stepSize(sheet: StyleSheet, direction: 1 | -1): Command {
  return (state, dispatch) => {
    const now = effectiveRun(state, sheet).halfPoints;
    const points = now === 'mixed' ? 11 : now / 2;
    const next =
      direction > 0
        ? (sizes.find((size) => size > points) ?? Math.min(1_638, points + 10))
        : (sizes.findLast((size) => size < points) ?? Math.max(1, points - 1));
    return setSize(Math.round(next * 2))(state, dispatch);
  };
}

/** Takes direct formatting away; links and tracked changes stay. */
export const clearFormatting: Command = (state, dispatch) => {
  const { selection, tr } = state;
  if (!dispatch) return true;
  if (selection.empty) {
    const kept = (state.storedMarks ?? selection.$from.marks()).filter(
      (mark) => !formatting.includes(mark.type.name as keyof typeof marks),
    );
    dispatch(tr.setStoredMarks(kept));
    return true;
  }
  for (const { $from, $to } of selection.ranges) {
    for (const name of formatting) tr.removeMark($from.pos, $to.pos, marks[name]);
  }
  dispatch(tr);
  return true;
};

/** Marks of a state that new text takes over, for a paragraph made by a command. */
export function formattingAt(state: EditorState): readonly Mark[] {
  const current = state.storedMarks ?? state.selection.$from.marks();
  return current.filter((mark) => formatting.includes(mark.type.name as keyof typeof marks));
}
