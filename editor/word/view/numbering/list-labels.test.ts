import fc from 'fast-check';
import { EditorState } from 'prosemirror-state';
import { describe, expect, it } from 'vitest';
import { wordSchema } from '../../../../model/word/schema.ts';
import { Styles } from '../../styles/styles.ts';
import { listLabels, listLabelsKey } from './list-labels.ts';
import { ListDefinitions } from './list-numbering.ts';

const { nodes } = wordSchema;
const styles = new Styles({
  styles: [
    {
      id: 'Numbered',
      name: 'Numbered',
      type: 'paragraph',
      basedOn: null,
      next: null,
      isDefault: false,
      paragraph: { listId: 'new-decimal-style', listLevel: 0 },
      run: {},
      extra: '',
      contextualSpacing: null,
      tabStops: [],
    },
  ],
  defaults: { paragraph: {}, run: {} },
});
const lists = new ListDefinitions([]);

const paragraph = (text: string, attrs: Record<string, unknown> = {}) =>
  nodes.paragraph.create(attrs, text === '' ? null : wordSchema.text(text));
const item = (text: string, listLevel = 0) => paragraph(text, { listId: 'new-decimal-x', listLevel });

function stateOf(...blocks: ReturnType<typeof paragraph>[]): EditorState {
  return EditorState.create({ doc: nodes.doc.create(null, blocks), plugins: [listLabels(styles, lists)] });
}

function shown(state: EditorState): string[] {
  const found = listLabelsKey.getState(state)!.decorations.find();
  return found
    .sort((one, other) => one.from - other.from)
    .map(({ from, spec }) => `${JSON.parse(spec.text)['data-label']} ${state.doc.nodeAt(from)!.textContent}`);
}

describe('labels in the view', () => {
  it('[VW13] follow when a paragraph is split, deleted, indented or leaves the list', () => {
    let state = stateOf(paragraph('intro'), item('a'), item('b'), item('c'));
    expect(shown(state)).toEqual(['1. a', '2. b', '3. c']);
    state = state.apply(state.tr.split(9));
    expect(shown(state)).toEqual(['1. a', '2. ', '3. b', '4. c']);
    // Positions: intro 0-7, a 7-10, the empty one 10-12, b 12-15, c 15-18.
    state = state.apply(state.tr.setNodeAttribute(12, 'listLevel', 1));
    expect(shown(state)).toEqual(['1. a', '2. ', 'a. b', '3. c']);
    state = state.apply(state.tr.delete(10, 12));
    expect(shown(state)).toEqual(['1. a', 'a. b', '2. c']);
    state = state.apply(state.tr.setNodeAttribute(7, 'listId', '0'));
    expect(shown(state)).toEqual(['a. b', '2. c']);
  });

  it('[VW13] a style puts its paragraphs into a list, list 0 takes one out, and its own indents stay', () => {
    const state = stateOf(
      paragraph('one', { style: 'Numbered' }),
      paragraph('no', { style: 'Numbered', listId: '0' }),
      paragraph('two', { style: 'Numbered' }),
    );
    expect(shown(state)).toEqual(['1. one', '2. two']);
    const [first] = listLabelsKey.getState(state)!.decorations.find();
    expect(JSON.parse(first!.spec.text).class).toBe('listed l-new-decimal-0');
  });

  it('[VW14] typing counts nothing again', () => {
    let state = stateOf(paragraph('intro'), item('a'), item('b'));
    const before = listLabelsKey.getState(state)!.values;
    state = state.apply(state.tr.insertText('x', 1));
    state = state.apply(state.tr.insertText('y', 10));
    state = state.apply(state.tr.addMark(1, 4, wordSchema.marks.bold.create()));
    expect(listLabelsKey.getState(state)!.values).toBe(before);
    expect(shown(state)).toEqual(['1. ay', '2. b']);
  });

  it('[VW13] are the same after any edits as in a document opened anew', () => {
    const block = fc.oneof(
      fc.string({ maxLength: 3 }).map((text) => paragraph(text)),
      fc.tuple(fc.string({ maxLength: 3 }), fc.nat(2)).map(([text, at]) => item(text, at)),
      fc.string({ maxLength: 3 }).map((text) => paragraph(text, { style: 'Numbered' })),
    );
    const cell = fc
      .array(block, { minLength: 1, maxLength: 2 })
      .map((inner) =>
        nodes.table.create(null, nodes.table_row.create(null, nodes.table_cell.create(null, inner))),
      );
    const blocks = fc.array(fc.oneof({ weight: 5, arbitrary: block }, { weight: 1, arbitrary: cell }), {
      minLength: 1,
      maxLength: 8,
    });
    const edit = fc.record({ kind: fc.nat(4), at: fc.nat(1_000), length: fc.nat(6), block });
    fc.assert(
      fc.property(blocks, fc.array(edit, { maxLength: 12 }), (first, edits) => {
        let state = stateOf(...first);
        for (const { kind, at, length, block: inserted } of edits) {
          const { tr, doc } = state;
          const pos = at % (doc.content.size + 1);
          try {
            if (kind === 0) tr.insertText('z', pos);
            else if (kind === 1) tr.delete(pos, Math.min(doc.content.size, pos + length));
            else if (kind === 2) tr.split(pos);
            else if (kind === 3) tr.insert(pos, inserted);
            else if (doc.nodeAt(pos)?.type === nodes.paragraph)
              tr.setNodeAttribute(pos, 'listId', 'new-bullet-y');
          } catch {
            // Not every edit fits everywhere.
            continue;
          }
          state = state.apply(tr);
        }
        const anew = EditorState.create({ doc: state.doc, plugins: [listLabels(styles, lists)] });
        expect(shown(state)).toEqual(shown(anew));
      }),
      { numRuns: 300 },
    );
  });
});
