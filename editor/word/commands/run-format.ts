import type { Mark, Node } from 'prosemirror-model';
import type { Command, Transaction } from 'prosemirror-state';
import { WORD_LIMITS } from '../../../model/word/limits.ts';
import { type MarkChange, MarkParts, MarkSet } from '../../../model/word/mark-set.ts';
import { directMarks, type WordMarkName, wordSchema } from '../../../model/word/schema.ts';
import { effectiveRun } from '../styles/effective.ts';
import type { Styles } from '../styles/styles.ts';

const { marks } = wordSchema;

export type Toggle = 'bold' | 'italic' | 'strike' | 'underline';

/** Marks that say how text looks; the others say what it is: a link, a tracked change. */
const formatting: readonly WordMarkName[] = [...directMarks, 'character_style', 'rx'];

/** What a run needs so that it looks as wanted in its paragraph: a mark, or none of the type. */
type Choose = (run: readonly Mark[], paragraph: Node) => Mark | null;

/** Most runs that one step changes: its undoing must fit into one step, too. */
const maxRunsOfStep = WORD_LIMITS.markSteps / 4;

/** Changes marks of all runs of the selection, which may be all of the document, in as few steps as possible. */
function changeRuns(
  tr: Transaction,
  changesOf: (run: readonly Mark[], paragraph: Node) => readonly MarkChange[],
): void {
  let parts = new MarkParts();
  let runs = 0;
  const steps: MarkSet[] = [];
  const finish = () => {
    if (runs > 0) steps.push(new MarkSet(parts.parts));
    parts = new MarkParts();
    runs = 0;
  };
  for (const { $from, $to } of tr.selection.ranges) {
    // Other cells lie between the ranges of selected cells.
    parts.add($from.pos, $from.pos, []);
    tr.doc.nodesBetween($from.pos, $to.pos, (node, pos, parent) => {
      if (!node.isInline || !parent) return true;
      const changes = changesOf(node.marks, parent);
      parts.add(Math.max(pos, $from.pos), Math.min(pos + node.nodeSize, $to.pos), changes);
      if (changes.some(({ adds, mark }) => adds !== mark.isInSet(node.marks))) runs++;
      if (runs === maxRunsOfStep) finish();
      return false;
    });
  }
  finish();
  for (const step of steps) tr.step(step);
}

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
    changeRuns(tr, (run, paragraph) => {
      const mark = choose(run, paragraph);
      const old = marks[type]!.isInSet(run);
      if (mark) return [{ adds: true, mark }];
      return old ? [{ adds: false, mark: old }] : [];
    });
    if (tr.docChanged) dispatch(tr.scrollIntoView());
    return true;
  };
}

/** What the styles of a run say about a mark, without the run's own. */
function styleSays(styles: Styles, run: readonly Mark[], paragraph: Node, type: string) {
  const characterStyle = marks.character_style.isInSet(run);
  const character = characterStyle ? styles.character(characterStyle.attrs.id) : {};
  return character[type] ?? styles.paragraph(paragraph.attrs.style).run[type];
}

/** Switches on unless all of the selection is on; a style that says otherwise is overruled, not duplicated. */
export function toggleRun(styles: Styles, type: Toggle): Command {
  return (state, dispatch) => {
    const on = effectiveRun(state, styles)[type] !== true;
    return setRuns(type, (run, paragraph) => {
      const said = styleSays(styles, run, paragraph, type);
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
export function toggleVertical(styles: Styles, align: 'superscript' | 'subscript'): Command {
  return (state, dispatch) => {
    const wanted = effectiveRun(state, styles).vertical === align ? 'baseline' : align;
    return setRuns('vertical', (run, paragraph) => {
      const said = styleSays(styles, run, paragraph, 'vertical')?.align ?? 'baseline';
      return said === wanted ? null : marks.vertical.create({ align: wanted });
    })(state, dispatch);
  };
}

export const setFont = (name: string): Command => setRuns('font', () => marks.font.create({ name }));

/** @param halfPoints 1 to 3276 */
export const setSize = (halfPoints: number): Command =>
  setRuns('size', () => marks.size.create({ halfPoints }));

/** @param value RRGGBB, or null for automatic, also where a style has a colour */
export const setColor = (styles: Styles, value: string | null): Command =>
  setRuns('color', (run, paragraph) => {
    if (value !== null) return marks.color.create({ value });
    const said = styleSays(styles, run, paragraph, 'color')?.value ?? 'auto';
    return said === 'auto' ? null : marks.color.create({ value: 'auto' });
  });

/** @param color a name of ST_HighlightColor, or null for none, also where a style has one */
export const setHighlight = (styles: Styles, color: string | null): Command =>
  setRuns('highlight', (run, paragraph) => {
    if (color !== null) return marks.highlight.create({ color });
    const said = styleSays(styles, run, paragraph, 'highlight')?.color ?? 'none';
    return said === 'none' ? null : marks.highlight.create({ color: 'none' });
  });

const sizes = [8, 9, 10, 11, 12, 14, 16, 18, 20, 22, 24, 26, 28, 36, 48, 72];

/** The next larger or smaller of the usual sizes. */
export function stepSize(styles: Styles, direction: 1 | -1): Command {
  return (state, dispatch) => {
    const now = effectiveRun(state, styles).halfPoints;
    const points = now === 'mixed' ? 11 : now / 2;
    const next =
      direction > 0
        ? (sizes.find((size) => size > points) ?? Math.min(1_638, points + 10))
        : (sizes.findLast((size) => size < points) ?? Math.max(1, points - 1));
    return setSize(Math.round(next * 2))(state, dispatch);
  };
}

/** What text is rather than how it looks: its language and direction (17.3.2). */
const notLooks = /<w:(?:rtl|cs|lang)[\s/>]/;

/**
 * Takes direct formatting away; links, tracked changes, language and direction stay.
 * @param rx the table of the document's further run properties
 */
export function clearFormatting(rx: readonly string[]): Command {
  const isFormatting = ({ type, attrs }: Mark) =>
    formatting.includes(type.name as WordMarkName) &&
    !(type === marks.rx && notLooks.test(rx[attrs.index] ?? ''));
  return (state, dispatch) => {
    const { selection, tr } = state;
    if (!dispatch) return true;
    if (selection.empty) {
      const current = state.storedMarks ?? selection.$from.marks();
      dispatch(tr.setStoredMarks(current.filter((mark) => !isFormatting(mark))));
      return true;
    }
    changeRuns(tr, (run) => run.filter(isFormatting).map((mark) => ({ adds: false, mark })));
    dispatch(tr);
    return true;
  };
}
