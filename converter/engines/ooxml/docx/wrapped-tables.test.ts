import type { Node } from 'prosemirror-model';
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import { CellSelection, deleteColumn, deleteRow, mergeCells } from 'prosemirror-tables';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { addColumnAfter, addRowAfter, addRowBefore } from '../../../../editor/word/commands/tables.ts';
import { encodeChange } from '../../../../model/word/change.ts';
import { WRAPPED } from '../../../../test/model/tables.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';
import { blocks, edit, positionOf, text } from './testing/docx-edit.ts';

type TableCommand = (state: EditorState, dispatch: (tr: Transaction) => void) => boolean;

/** Commands one after the other, each with the cursor in the text that is named with it. */
function afterCommands(...all: readonly (readonly [at: string, command: TableCommand])[]): string {
  const { xml } = edit({ body: WRAPPED }, (transform: Transform) => {
    for (const [at, command] of all) {
      const doc: Node = transform.doc;
      const selection = TextSelection.create(doc, positionOf(doc, at));
      const did = command(EditorState.create({ doc, selection }), ({ steps }) => {
        for (const step of steps) transform.step(step);
      });
      expect(did).toBe(true);
    }
  });
  return blocks(xml);
}

/** What of the structure is in an XML text: rows, cells with their text, and what is around them. */
function outline(xml: string): string {
  const marks =
    /<(\/?)w:(tr|sdt|customXml)(?=[\s>])|<w:id w:val="(\d+)"|<w15:repeatingSection(Item)?|<w:t>([^<]*)|<w:bookmarkStart/g;
  let told = '';
  for (const [match, close, name, id, item, content] of xml.matchAll(marks)) {
    if (name === 'tr') told += close ? ')' : ' (';
    else if (name) told += close ? `/${name}` : ` ${name}`;
    else if (id !== undefined) told += id;
    else if (content) told += ` ${content}`;
    else if (match === '<w:bookmarkStart') told += ' *';
    else if (match.startsWith('<w15')) told += item ? '.item' : '.section';
  }
  return told.trim();
}

describe('rows and cells in controls', () => {
  const whole =
    '( head sdt1 in one/sdt last) sdt2.section sdt3.item ( item 1 x1 y1)/sdt sdt4.item ( item 2 sdt5 x2 y2/sdt)/sdt/sdt * ' +
    'sdt6 ( a6 b6 c6) * ( d6 e6 f6)/sdt customXml ( customXml tall/customXml g7 h7)/customXml ( sdt7/sdt i8 j8)';

  test('[FD64] a table whose rows and cells are in controls and the like is a table, and all its text is edited', () => {
    expect(outline(WRAPPED)).toBe(whole);
    const { doc } = openDocx(buildDocx({ body: WRAPPED }));
    expect(doc.firstChild?.type.name).toBe('table');
    const texts = [...WRAPPED.matchAll(/<w:t>([^<]+)/g)].map(([, content]) => content!);
    expect(texts).toHaveLength(20);
    for (const content of texts) {
      const { xml } = edit({ body: WRAPPED }, (tr) => tr.insert(positionOf(tr.doc, content), text('X')));
      expect(blocks(xml)).toBe(
        WRAPPED.replace(`<w:r><w:t>${content}<`, `<w:r><w:t>X</w:t></w:r><w:r><w:t>${content}<`),
      );
    }
  });

  test('[FD65] a row goes with the controls that hold nothing else, and the others keep theirs', () => {
    const deleted = (at: string) => outline(afterCommands([at, deleteRow]));
    expect(deleted('item 1')).toBe(whole.replace(' sdt3.item ( item 1 x1 y1)/sdt', ''));
    expect(deleted('d6')).toBe(whole.replace(' * ( d6 e6 f6)/sdt', '/sdt'));
    expect(outline(afterCommands(['item 1', deleteRow], ['item 2', deleteRow]))).toBe(
      whole.replace(/ sdt2\.section.*?\/sdt\/sdt/, ''),
    );
  });

  test('[FD66] a new row is in the controls that both its neighbours are in', () => {
    expect(outline(afterCommands(['b6', addRowAfter]))).toBe(whole.replace('( a6 b6 c6)', '( a6 b6 c6) ()'));
    expect(outline(afterCommands(['e6', addRowAfter]))).toBe(
      whole.replace('( d6 e6 f6)/sdt', '( d6 e6 f6)/sdt ()'),
    );
    expect(outline(afterCommands(['head', addRowAfter]))).toBe(whole.replace(' last)', ' last) ()'));
  });

  test('[FD67] a new row of a repeating section is an item of its own, without the ids of others', () => {
    const added = ' sdt.item ()/sdt';
    expect(outline(afterCommands(['x1', addRowAfter]))).toBe(
      whole.replace('( item 1 x1 y1)/sdt', `( item 1 x1 y1)/sdt${added}`),
    );
    expect(outline(afterCommands(['x2', addRowBefore]))).toBe(
      whole.replace('( item 1 x1 y1)/sdt', `( item 1 x1 y1)/sdt${added}`),
    );
    expect(outline(afterCommands(['x2', addRowAfter], ['x2', addRowAfter]))).toBe(
      whole.replace('y2/sdt)/sdt', `y2/sdt)/sdt${added}${added}`),
    );
    const reopened = openDocx(buildDocx({ body: afterCommands(['x2', addRowAfter]) })).doc;
    expect(reopened.firstChild?.childCount).toBe(8);
  });

  test('[FD68] columns come and go beside the controls of other cells, and between two that share one into it', () => {
    expect(outline(afterCommands(['head', deleteColumn]))).toBe(
      '( sdt1 in one/sdt last) sdt2.section sdt3.item ( x1 y1)/sdt sdt4.item ( sdt5 x2 y2/sdt)/sdt/sdt * ' +
        'sdt6 ( b6 c6) * ( e6 f6)/sdt customXml ( g7 h7)/customXml ( i8 j8)',
    );
    const widened = afterCommands(['in one', addColumnAfter]);
    expect(outline(widened)).toBe(whole);
    expect(widened).toMatch(/x2<(?:(?!sdt).)*<w:tc>(?:(?!sdt).)*y2/s);
    expect(widened.match(/<w:id w:val="5"\/>/g)).toHaveLength(1);
  });

  test('[FD68] merged cells keep the control of the one that stays', () => {
    const { xml } = edit({ body: WRAPPED }, (transform: Transform) => {
      const cellOf = (content: string) => {
        const $at = transform.doc.resolve(positionOf(transform.doc, content));
        return $at.before($at.depth - 1);
      };
      const selection = CellSelection.create(transform.doc, cellOf('x2'), cellOf('y2'));
      mergeCells(EditorState.create({ doc: transform.doc, selection }), ({ steps }) => {
        for (const step of steps) transform.step(step);
      });
    });
    expect(outline(blocks(xml))).toBe(whole);
  });

  test('[FD69] who may only fill in forms types into cells that a control is around, and no others', () => {
    const bytes = buildDocx({
      body: WRAPPED.replace('<w:id w:val="6"/>', '<w:id w:val="6"/><w:lock w:val="contentLocked"/>'),
    });
    const { doc } = openDocx(bytes);
    const author = { name: 'A', may: ['fill'] } as const;
    const mayType = (content: string) => {
      const [step] = new Transform(doc).insert(positionOf(doc, content), text('X')).steps;
      return assembleDocx(bytes, [{ change: encodeChange('c', step!), author }]).applied === 1;
    };
    expect(['in one', 'x2', 'y2'].map(mayType)).toEqual([true, true, true]);
    expect(['head', 'last', 'a6', 'tall', 'i8'].map(mayType)).toEqual([false, false, false, false, false]);
  });
});
