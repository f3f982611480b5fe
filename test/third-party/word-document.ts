import { eventually } from '../support/eventually.ts';
import type { OfficePage } from './editor-driver.ts';

/** After that a letter that was typed is not coming any more. */
const lostLetterMs = 5_000;

/** What of the editors' interface for macros is used here. */
interface Content {
  GetElementsCount(): number;
  GetElement(index: number): Element;
}
interface Element {
  GetClassType(): string;
  GetText(): string;
  GetRowsCount(): number;
  GetRow(index: number): { GetCellsCount(): number; GetCell(index: number): { GetContent(): Content } };
}
/** Where the cursor is, as the editor itself knows it. */
interface Editing {
  Asc: {
    editor: {
      WordControl: {
        m_oLogicDocument: { GetCurrentParagraph(): { Index: number; IsCursorAtEnd(): boolean } };
      };
    };
  };
}
interface Builder {
  AscBuilder: { Api: { GetDocument(): Content & { GetAllImages(): unknown[] } } };
}

/** The document as the editor has it: each paragraph's text; a table's as `[first cell|second cell]`, row by row. */
export function paragraphsIn(editor: OfficePage): Promise<string[]> {
  return editor.inEditor(() => {
    const textsOf = (content: Content): string[] =>
      Array.from({ length: content.GetElementsCount() }, (_none, index) => {
        const element = content.GetElement(index);
        if (element.GetClassType() !== 'table') return element.GetText().replace(/[\r\n\t]+$/, '');
        return Array.from({ length: element.GetRowsCount() }, (_row, rowIndex) => {
          const row = element.GetRow(rowIndex);
          const cells = Array.from({ length: row.GetCellsCount() }, (_cell, cellIndex) =>
            textsOf(row.GetCell(cellIndex).GetContent()).join(' '),
          );
          return `[${cells.join('|')}]`;
        }).join('');
      });
    return textsOf((globalThis as unknown as Builder).AscBuilder.Api.GetDocument());
  }, null);
}

/** How many pictures the document has. */
export function picturesIn(editor: OfficePage): Promise<number> {
  return editor.inEditor(
    () => (globalThis as unknown as Builder).AscBuilder.Api.GetDocument().GetAllImages().length,
    null,
  );
}

/** Puts in a picture from a file, where the cursor is. */
export function insertPicture(editor: OfficePage, bytes: Uint8Array): Promise<void> {
  const open = async () => {
    await editor.find('a[data-tab=ins]').click();
    await editor.find('section[data-tab=ins] button:has-text("Image"):visible').click();
    await editor
      .find('a:visible')
      .filter({ hasText: /image from file/i })
      .click();
  };
  return editor.putPicture(bytes, open);
}

/**
 * Types at the end of a paragraph, counted from 0. A letter that comes while the editor asks for a
 * lock is not taken by it, and is typed again as by somebody who looks at what they type.
 */
export async function typeAtEndOf(editor: OfficePage, paragraph: number, text: string): Promise<void> {
  await goToEndOf(editor, paragraph);
  let wanted = (await paragraphsIn(editor))[paragraph]!;
  for (const letter of text) {
    wanted += letter;
    const isThere = ({ [paragraph]: present }: string[]) => present === wanted;
    const press = async () => {
      await editor.type(letter);
      await sameIn([editor], isThere, lostLetterMs);
    };
    await press().catch(press);
  }
}

/** Resolves with the document when it is so in every one of these editors, and the same. */
export async function sameIn(
  editors: readonly OfficePage[],
  isSo: (paragraphs: string[]) => boolean,
  timeoutMs = 60_000,
): Promise<string[]> {
  const seen = await eventually(
    () => Promise.all(editors.map((editor) => paragraphsIn(editor))),
    ([first, ...others]) =>
      isSo(first!) && others.every((other) => JSON.stringify(other) === JSON.stringify(first)),
    timeoutMs,
  );
  return seen[0]!;
}

/** Puts the cursor at the end of a paragraph, counted from 0, by keys: again where the page was not laid out yet. */
export async function goToEndOf(editor: OfficePage, paragraph: number): Promise<void> {
  const keys = ['Control+Home', ...Array.from({ length: paragraph }, () => 'ArrowDown'), 'End'];
  await eventually(
    async () => {
      await editor.press(...keys);
      return editor.inEditor(() => {
        const { WordControl } = (globalThis as unknown as Editing).Asc.editor;
        const current = WordControl.m_oLogicDocument.GetCurrentParagraph();
        return current.IsCursorAtEnd() ? current.Index : null;
      }, null);
    },
    (index) => index === paragraph,
  );
}

/** Puts in a table by the toolbar's grid; the cursor is in its first cell. */
export async function insertTable(
  editor: OfficePage,
  { columns, rows }: { columns: number; rows: number },
): Promise<void> {
  await editor.find('a[data-tab=ins]').click();
  await editor.find('#slot-btn-instable button').click();
  const grid = editor.find('.dimension-picker:visible').first();
  const box = (await grid.boundingBox())!;
  // Ten cells fill the width of the grid, which has a line of text above; the mouse has to come to where it clicks.
  const cell = box.width / 10;
  const top = box.y + (box.height % cell);
  const at = [box.x + cell * (columns - 0.5), top + cell * (rows - 0.5)] as const;
  await editor.page.mouse.move(at[0] - 3, at[1] - 3);
  await editor.page.mouse.move(...at);
  await editor.page.mouse.click(...at);
  await editor.focus();
}

/** Resolves when the editor lets nobody write where the cursor is. */
export async function lockedHere(editor: OfficePage): Promise<void> {
  await editor.find('#id-toolbar-btn-bold.disabled').waitFor({ state: 'attached', timeout: 60_000 });
}
