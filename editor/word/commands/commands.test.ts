import type { Node } from 'prosemirror-model';
import { AllSelection, type Command, EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { CellSelection } from 'prosemirror-tables';
import { describe, expect, it } from 'vitest';
import { applyChange, encodeChange } from '../../../model/word/change.ts';
import { wordSchema } from '../../../model/word/schema.ts';
import { effectiveRun } from '../styles/effective.ts';
import { Styles } from '../styles/styles.ts';
import { linkAddress, linkAt, removeLink, setLink } from './links.ts';
import { changeListLevel, kindOfList, leaveList, toggleList } from './lists.ts';
import { indent, setAlignment, setParagraphStyle } from './paragraph-format.ts';
import { clearFormatting, setColor, setSize, stepSize, toggleRun, toggleVertical } from './run-format.ts';
import { addColumnAfter, addRowAfter, insertTable, shadeCells, toggleHeaderRow } from './tables.ts';
import { backspace, enter, insertPageBreak } from './typing.ts';

const { nodes, marks, text } = { ...wordSchema, text: (value: string) => wordSchema.text(value) };

const style = (id: string, more: object = {}) => ({
  id,
  name: id,
  type: 'paragraph' as const,
  basedOn: null,
  next: null,
  isDefault: false,
  paragraph: {},
  extra: '',
  contextualSpacing: null,
  tabStops: [],
  run: {},
  ...more,
});

const styles = new Styles({
  styles: [
    style('Normal', { isDefault: true }),
    style('Heading1', {
      basedOn: 'Normal',
      next: 'Normal',
      run: { bold: { on: true } },
      paragraph: { align: 'center' },
    }),
    style('Derived', { basedOn: 'Heading1' }),
  ],
  defaults: { paragraph: {}, run: { size: { halfPoints: 22 }, font: { name: 'Carlito' } } },
});

const paragraph = (content: string, attrs: object = {}): Node =>
  nodes.paragraph.create(attrs, content === '' ? null : text(content));

/** A state with the selection from the first `[` to `]`, which are taken out; `|` is a cursor. */
function stateOf(...blocks: Node[]): EditorState {
  return EditorState.create({ doc: nodes.doc.create(null, blocks) });
}

function select(state: EditorState, from: number, to = from): EditorState {
  return state.apply(state.tr.setSelection(TextSelection.create(state.doc, from, to)));
}

function run(state: EditorState, command: Command): EditorState {
  let after = state;
  command(state, (transaction) => {
    after = state.apply(transaction);
  });
  return after;
}

const marksAt = (state: EditorState, pos: number) =>
  state.doc.nodeAt(pos)?.marks.map((mark) => mark.type.name);

describe('formatting of runs', () => {
  it('[EC1] switches bold on and off again', () => {
    const bold = run(select(stateOf(paragraph('word')), 1, 5), toggleRun(styles, 'bold'));
    expect(marksAt(bold, 1)).toEqual(['bold']);
    expect(marksAt(run(bold, toggleRun(styles, 'bold')), 1)).toEqual([]);
  });

  it('[EC2] where a style is bold, switching off is a mark that says so, and switching on takes it away', () => {
    const state = select(stateOf(paragraph('Head', { style: 'Derived' })), 1, 5);
    expect(effectiveRun(state, styles).bold).toBe(true);
    const plain = run(state, toggleRun(styles, 'bold'));
    expect(plain.doc.nodeAt(1)?.marks[0]?.attrs).toEqual({ on: false });
    expect(marksAt(run(plain, toggleRun(styles, 'bold')), 1)).toEqual([]);
  });

  it('[EC3] a mixed selection becomes all bold', () => {
    const mixed = nodes.paragraph.create(null, [
      wordSchema.text('a', [marks.bold.create({ on: true })]),
      wordSchema.text('b'),
    ]);
    const state = select(stateOf(mixed), 1, 3);
    expect(effectiveRun(state, styles).bold).toBe('mixed');
    expect(effectiveRun(run(state, toggleRun(styles, 'bold')), styles).bold).toBe(true);
  });

  it('[EC4] at a cursor, what is typed next is formatted', () => {
    const state = run(select(stateOf(paragraph('ab')), 2), toggleVertical(styles, 'superscript'));
    const typed = state.apply(state.tr.insertText('x'));
    expect(marksAt(typed, 2)).toEqual(['vertical']);
    expect(marksAt(typed, 1)).toEqual([]);
  });

  it('[EC5] sizes go to the next usual one, and the document’s default is where they start', () => {
    const state = select(stateOf(paragraph('word')), 1, 5);
    expect(effectiveRun(run(state, stepSize(styles, 1)), styles).halfPoints).toBe(24);
    expect(effectiveRun(run(state, stepSize(styles, -1)), styles).halfPoints).toBe(20);
    expect(effectiveRun(run(state, setSize(21)), styles).halfPoints).toBe(21);
  });

  it('[EC6] clearing takes formatting away and leaves links and tracked changes', () => {
    const run1 = wordSchema.text('x', [
      marks.link.create({ href: 'https://example.com' }),
      marks.ins.create({ author: 'Ann' }),
      marks.bold.create(),
      marks.color.create({ value: 'FF0000' }),
    ]);
    const state = select(stateOf(nodes.paragraph.create(null, [run1])), 1, 2);
    expect(marksAt(run(state, clearFormatting([])), 1)).toEqual(['link', 'ins']);
  });

  it('[EW50] formatting all of a long document is a few changes that every replica takes, and takes back exactly', () => {
    const bold = [marks.bold.create({ on: true })];
    const italic = [marks.italic.create({ on: true })];
    const mixed = (at: number) =>
      nodes.paragraph.create({ id: `p${at}` }, [
        wordSchema.text('plain '),
        wordSchema.text('bold ', bold),
        wordSchema.text('italic', italic),
      ]);
    const blocks = Array.from({ length: 3000 }, (_, at) =>
      at % 50 === 0 ? paragraph('Heading', { style: 'Heading1', id: `p${at}` }) : mixed(at),
    );
    const before = stateOf(...blocks);
    const all = before.apply(before.tr.setSelection(new AllSelection(before.doc)));
    let made: Transaction | null = null;
    toggleRun(styles, 'bold')(all, (transaction) => {
      made = transaction;
    });
    const { steps, docs, doc } = made as unknown as Transaction;
    expect(steps.length).toBeLessThan(8);
    const isBold = (state: Node) => {
      let every = true;
      state.descendants((node, _position, parent) => {
        if (node.isText)
          every &&=
            parent!.attrs.style === 'Heading1' ? node.marks.length === 0 : !!marks.bold.isInSet(node.marks);
      });
      return every;
    };
    expect(isBold(doc)).toBe(true);
    const replica = steps.reduce<Node>(
      (now, step) => applyChange(now, encodeChange('c', step)) as Node,
      before.doc,
    );
    expect(replica.eq(doc)).toBe(true);
    const back = steps.map((step, at) => step.invert(docs[at]!)).reverse();
    const undone = back.reduce<Node>((now, step) => applyChange(now, encodeChange('c', step)) as Node, doc);
    expect(undone.eq(before.doc)).toBe(true);
  });

  it('[EW50] of selected cells only those are formatted', () => {
    const cell = (content: string) => nodes.table_cell.create(null, paragraph(content));
    const row = (...content: string[]) => nodes.table_row.create(null, content.map(cell));
    const state = stateOf(nodes.table.create(null, [row('a', 'b'), row('c', 'd')]));
    const first = 2;
    const below = first + state.doc.firstChild!.firstChild!.nodeSize;
    const column = state.apply(state.tr.setSelection(CellSelection.create(state.doc, first, below)));
    const made = run(column, toggleRun(styles, 'bold'));
    const found: string[] = [];
    made.doc.descendants((node) => {
      if (node.isText && node.marks.length > 0) found.push(node.text!);
    });
    expect(found).toEqual(['a', 'c']);
  });

  it('[EC7] automatic colour takes the mark away', () => {
    const red = run(select(stateOf(paragraph('word')), 1, 5), setColor(styles, 'FF0000'));
    expect(effectiveRun(red, styles).color).toBe('FF0000');
    expect(marksAt(run(red, setColor(styles, null)), 1)).toEqual([]);
  });
});

describe('formatting of paragraphs', () => {
  it('[EC8] changes every paragraph of the selection and nothing else of them', () => {
    const state = select(
      stateOf(paragraph('one', { keepNext: true }), paragraph('two'), paragraph('three')),
      2,
      8,
    );
    const after = run(state, setAlignment('right', styles));
    expect(after.doc.children.map(({ attrs }) => attrs.align)).toEqual(['right', 'right', null]);
    expect(after.doc.child(0).attrs.keepNext).toBe(true);
  });

  it('[EC9] a style takes direct alignment and spacing with it', () => {
    const state = select(stateOf(paragraph('one', { align: 'right', spaceAfter: 100 })), 2);
    expect(run(state, setParagraphStyle('Heading1')).doc.child(0).attrs).toMatchObject({
      style: 'Heading1',
      align: null,
      spaceAfter: null,
    });
  });

  it('[EC10] indents never leave the page', () => {
    let state = select(stateOf(paragraph('one')), 2);
    for (let step = 0; step < 40; step++) state = run(state, indent(styles, 1));
    expect(state.doc.child(0).attrs.indentLeft).toBe(15_840);
    for (let step = 0; step < 40; step++) state = run(state, indent(styles, -1));
    expect(state.doc.child(0).attrs.indentLeft).toBe(null);
  });
});

describe('lists', () => {
  const toggleBullets = toggleList('bullet', kindOfList([]), styles);

  it('[EC11] paragraphs become one new list, and paragraphs again', () => {
    const listed = run(select(stateOf(paragraph('one'), paragraph('two')), 2, 8), toggleBullets);
    const ids = listed.doc.children.map(({ attrs }) => attrs.listId);
    expect(ids[0]).toMatch(/^new-bullet-[A-Za-z0-9]+$/);
    expect(ids[1]).toBe(ids[0]);
    const plain = run(listed, toggleBullets);
    expect(plain.doc.children.map(({ attrs }) => attrs.listId)).toEqual([null, null]);
  });

  it('[EC12] a paragraph after a list of the kind continues it', () => {
    const state = select(
      stateOf(paragraph('one', { listId: 'new-bullet-abc', listLevel: 0 }), paragraph('two')),
      7,
    );
    expect(run(state, toggleBullets).doc.child(1).attrs.listId).toBe('new-bullet-abc');
  });

  it('[EC13] levels go from the first to the ninth', () => {
    let state = select(stateOf(paragraph('one', { listId: '3', listLevel: 0 })), 2);
    for (let step = 0; step < 12; step++) state = run(state, changeListLevel(1, styles));
    expect(state.doc.child(0).attrs.listLevel).toBe(8);
    expect(changeListLevel(1, styles)(stateOf(paragraph('plain')))).toBe(false);
  });

  it('[EC14] Enter in an empty item goes up a level, then out of the list', () => {
    const deep = select(stateOf(paragraph('', { listId: '3', listLevel: 1 })), 1);
    const higher = run(deep, enter(styles));
    expect(higher.doc.child(0).attrs).toMatchObject({ listId: '3', listLevel: 0 });
    expect(run(higher, enter(styles)).doc.child(0).attrs.listId).toBe(null);
    expect(leaveList(styles)(select(stateOf(paragraph('x')), 1))).toBe(false);
  });

  it('[EC15] knows the kind of a list of the file by its levels', () => {
    const level = (number: number, format: string, label: string) => ({
      level: number,
      format,
      text: label,
      start: 1,
      restarts: true,
      indentLeft: null,
      indentFirst: null,
      suffix: 'tab' as const,
      run: {},
    });
    const kind = kindOfList([
      { id: '1', counter: '1', levels: [level(0, 'bullet', '•')] },
      { id: '2', counter: '2', levels: [level(0, 'decimal', '%1.'), level(1, 'decimal', '%1.%2.')] },
      { id: '3', counter: '3', levels: [level(0, 'upperRoman', '%1.')] },
    ]);
    expect(['1', '2', '3', '4', 'new-alpha-x1'].map(kind)).toEqual([
      'bullet',
      'outline',
      'roman',
      'other',
      'alpha',
    ]);
  });
});

describe('typing', () => {
  it('[EC16] Enter at the end of a heading continues with its next style, in a new block', () => {
    const state = select(stateOf(paragraph('Head', { id: 'p1', style: 'Heading1' })), 5);
    const after = run(state, enter(styles));
    expect(after.doc.child(0).attrs).toMatchObject({ id: 'p1', style: 'Heading1' });
    expect(after.doc.child(1).attrs).toMatchObject({ id: null, origin: 'p1', style: 'Normal' });
  });

  it('[EC17] Enter inside a paragraph gives both halves its style; only the first keeps the id', () => {
    const state = select(stateOf(paragraph('Head', { id: 'p1', style: 'Heading1' })), 3);
    const after = run(state, enter(styles));
    expect(after.doc.children.map(({ textContent }) => textContent)).toEqual(['He', 'ad']);
    expect(after.doc.child(1).attrs).toMatchObject({ id: null, style: 'Heading1' });
  });

  it('[EC18] Backspace at the start leaves the list, then takes the indent back, then joins', () => {
    let state = select(
      stateOf(paragraph('one'), paragraph('two', { listId: '3', listLevel: 0, indentLeft: 720 })),
      6,
    );
    state = run(state, backspace(styles));
    expect(state.doc.child(1).attrs).toMatchObject({ listId: null });
    while (state.doc.childCount === 2) state = run(state, backspace(styles));
    expect(state.doc.child(0).textContent).toBe('onetwo');
  });

  it('[EC19] a page break stands at the end of a paragraph, and what follows is one of its own', () => {
    const after = run(select(stateOf(paragraph('onetwo')), 4), insertPageBreak(styles));
    expect(after.doc.childCount).toBe(2);
    expect(after.doc.child(0).lastChild?.attrs).toEqual({ type: 'page' });
    expect(after.doc.child(1).textContent).toBe('two');
    expect(after.selection.$from.parent).toBe(after.doc.child(1));
  });
});

describe('links', () => {
  it('[EC20] completes addresses and refuses what a document must not link to', () => {
    expect(linkAddress(' https://example.com/a ')).toBe('https://example.com/a');
    expect(linkAddress('example.com/a?b')).toBe('https://example.com/a?b');
    expect(linkAddress('ann@example.com')).toBe('mailto:ann@example.com');
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'just words', '']) {
      expect(linkAddress(bad)).toBe(null);
    }
  });

  it('[EC21] makes a link of a selection, finds it from inside and at its edges, and takes it away', () => {
    const state = run(
      select(stateOf(paragraph('see here now')), 5, 9),
      setLink(styles, 'https://example.com', null),
    );
    expect(state.doc.textContent).toBe('see here now');
    for (const pos of [5, 7, 9]) {
      expect(linkAt(state, pos)).toEqual({ from: 5, to: 9, href: 'https://example.com' });
    }
    expect(linkAt(state, 2)).toBe(null);
    expect(linkAt(run(select(state, 7), removeLink(styles)), 7)).toBe(null);
  });
});

describe('tables', () => {
  it('[EC24] a new row and its cells take over what the model does not hold from the ones beside them', () => {
    const cell = (id: string) => nodes.table_cell.create({ id }, paragraph('x'));
    const table = nodes.table.create(
      { id: 't1' },
      nodes.table_row.create({ id: 'r1' }, [cell('c1'), cell('c2')]),
    );
    const after = run(select(stateOf(table), 4), addRowAfter).doc.child(0);
    expect(after.child(1).attrs).toMatchObject({ id: null, origin: 'r1' });
    expect(after.child(1).children.map(({ attrs }) => attrs.origin)).toEqual(['c1', 'c2']);
    const wider = run(select(stateOf(table), 4), addColumnAfter)
      .doc.child(0)
      .child(0);
    expect(wider.children.map(({ attrs }) => attrs.id ?? `new from ${attrs.origin}`)).toEqual([
      'c1',
      'new from c1',
      'c2',
    ]);
  });

  const inserted = run(select(stateOf(paragraph('before')), 7), insertTable(2, 3, 600, null));

  it('[EC22] inserts one after the paragraph, with the cursor in its first cell', () => {
    const table = inserted.doc.child(1);
    expect(table.childCount).toBe(2);
    expect(table.child(0).children.map(({ attrs }) => attrs.colwidth)).toEqual([[200], [200], [200]]);
    expect(inserted.selection.$from.node(3)).toBe(table.child(0).child(0));
  });

  it('[EC23] shades the cell with the cursor and repeats its row', () => {
    const shaded = run(run(inserted, shadeCells('FFEE00')), toggleHeaderRow);
    const row = shaded.doc.child(1).child(0);
    expect(row.attrs.header).toBe(true);
    expect(row.children.map(({ attrs }) => attrs.shading)).toEqual(['FFEE00', null, null]);
  });
});
