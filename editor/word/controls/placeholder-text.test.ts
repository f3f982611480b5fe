import { EditorState, TextSelection, type Transaction } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { describe, expect, it } from 'vitest';
import { openDocx } from '../../../converter/engines/ooxml/docx/docx-engine.ts';
import { buildDocx } from '../../../test/support/docx-fixture.ts';
import { placeholderText } from './placeholder-text.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const styles = `<w:styles xmlns:w="${WORD}"><w:style w:type="character" w:styleId="Ask"><w:name w:val="Placeholder Text"/></w:style></w:styles>`;
const run = (text: string, more = '') =>
  `<w:r><w:rPr>${more}<w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const asked = run('Your name', '<w:rStyle w:val="Ask"/>');
const control = (content: string) =>
  `<w:sdt><w:sdtPr><w:showingPlcHdr/><w:text/></w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

/** A view as the plugin sees it, without a page. */
function open(body: string) {
  const source = openDocx(buildDocx({ body, parts: { 'word/styles.xml': styles } }));
  const plugin = placeholderText(source.model());
  const view = {
    state: EditorState.create({ doc: source.doc, plugins: [plugin] }),
    editable: true,
    dispatch(transaction: Transaction) {
      view.state = view.state.apply(transaction);
    },
  };
  const given = view as unknown as EditorView;
  const { handleClick, handleTextInput } = plugin.props;
  return {
    view,
    /** Where a text is. */
    placeOf: (wanted: string): number => {
      let found = -1;
      view.state.doc.descendants((node, position) => {
        const at = node.isText ? node.text!.indexOf(wanted) : -1;
        if (at >= 0) found = position + at;
      });
      return found;
    },
    click: (at: number) => handleClick?.call(plugin, given, at, {} as MouseEvent) ?? false,
    type: (text: string, from = view.state.selection.from, to = view.state.selection.to) =>
      handleTextInput?.call(plugin, given, from, to, text, () => view.state.tr) ?? false,
    selected: () => view.state.doc.textBetween(view.state.selection.from, view.state.selection.to),
  };
}

describe('placeholders of content controls', () => {
  it.each([
    ['in a line', `<w:p>${run('Name: ')}${control(asked)}${run('.')}</w:p>`],
    ['around a paragraph', `<w:p/>${control(`<w:p>${asked}</w:p>`)}<w:p/>`],
  ])('[FD55] a click in one %s selects it, and typing takes its place without its style', (_where, body) => {
    const page = open(body);
    expect(page.click(page.placeOf('name'))).toBe(true);
    expect(page.selected()).toBe('Your name');
    expect(page.type('A')).toBe(true);
    const typed = page.view.state.doc.nodeAt(page.placeOf('A'))!;
    expect(typed.text).toBe('A');
    const names = typed.marks.map(({ type }) => type.name);
    expect(names).toContain('bold');
    expect(names).not.toContain('character_style');
    expect(names.includes('within')).toBe(body.includes('Name: '));
    expect(page.click(page.placeOf('A'))).toBe(false);
    expect(page.type('nn')).toBe(false);
  });

  it('[FD55] typing with only the cursor in it takes the place of all of it, too', () => {
    const page = open(`<w:p>${run('Name: ')}${control(asked)}${run('.')}</w:p>`);
    const at = page.placeOf('name');
    page.view.dispatch(page.view.state.tr.setSelection(TextSelection.create(page.view.state.doc, at)));
    expect(page.type('A')).toBe(true);
    expect(page.view.state.doc.textContent).toBe('Name: A.');
  });

  it('[FD55] text beside it, and controls that show none, are typed in as ever', () => {
    const page = open(`<w:p>${run('Name: ')}${control(asked)}${run('.')}</w:p>`);
    expect(page.click(page.placeOf('Name:') + 1)).toBe(false);
    expect(page.type('x', 1, 1)).toBe(false);
    expect(placeholderText(openDocx(buildDocx({ paragraphs: ['x'] })).model()).props).toEqual({});
    const locked = `<w:p>${control(asked).replace('<w:text/>', '<w:lock w:val="contentLocked"/>')}</w:p>`;
    expect(open(locked).click(3)).toBe(false);
  });
});
