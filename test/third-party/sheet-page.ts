import { eventually } from '../support/eventually.ts';
import type { OfficePage } from './editor-driver.ts';

/** What these tests use of the spreadsheet editor's interface for plugins and embedding pages. */
interface SheetEditor {
  asc_findCell(reference: string): void;
  asc_getCellInfo(): { asc_getText(): string; asc_getLocked(): boolean };
  asc_insertCells(what: number): void;
  asc_deleteCells(what: number): void;
  asc_coAuthoringChatSendMessage(text: string): void;
}

interface SheetGlobals {
  Asc: {
    editor: SheetEditor;
    c_oAscInsertOptions: { InsertRows: number; InsertColumns: number };
    c_oAscDeleteOptions: { DeleteRows: number; DeleteColumns: number };
  };
}

/** Somebody with mouse and keyboard in front of a spreadsheet. */
export class SheetPage {
  readonly office: OfficePage;

  constructor(office: OfficePage) {
    this.office = office;
  }

  /** Selects cells, and puts the keyboard there. */
  async goTo(reference: string): Promise<void> {
    await this.office.inEditor((wanted) => {
      (globalThis as unknown as SheetGlobals).Asc.editor.asc_findCell(wanted);
    }, reference);
    await this.office.focus();
  }

  /** Begins to type into a cell and does not finish. */
  async beginTyping(reference: string, text: string): Promise<void> {
    await this.goTo(reference);
    await this.office.type(text);
  }

  /** Types into a cell and presses Enter. */
  async enter(reference: string, text: string): Promise<void> {
    await this.beginTyping(reference, text);
    await this.office.press('Enter');
  }

  /** What stands in a cell: text, or a formula as it was typed. */
  async content(reference: string): Promise<string> {
    return this.office.inEditor((wanted) => {
      const { editor } = (globalThis as unknown as SheetGlobals).Asc;
      editor.asc_findCell(wanted);
      return editor.asc_getCellInfo().asc_getText();
    }, reference);
  }

  /** Resolves when this stands in a cell. */
  async shows(reference: string, text: string): Promise<void> {
    await eventually(
      () => this.content(reference),
      (content) => content === text,
    );
  }

  /** Resolves when a cell is known to be somebody else's at the moment. */
  async seesLocked(reference: string): Promise<void> {
    await eventually(
      () =>
        this.office.inEditor((wanted) => {
          const { editor } = (globalThis as unknown as SheetGlobals).Asc;
          editor.asc_findCell(wanted);
          return editor.asc_getCellInfo().asc_getLocked();
        }, reference),
      (locked) => locked,
    );
  }

  /** Resolves when the status bar says this sum of at least two cells: what formulas come to. */
  async addUpTo(range: string, sum: number): Promise<void> {
    const shown = this.office.find('#status-math-sum');
    await eventually(
      async () => {
        // The bar tells of cells when they become selected.
        await this.goTo('Z99');
        await this.goTo(range);
        await this.office.page.waitForTimeout(300);
        return (await shown.textContent()) ?? '';
      },
      (text) => text.trim().toLowerCase() === `sum: ${sum}`,
    );
  }

  /** Inserts a row above, or a column before, the cell. */
  async insert(what: 'InsertRows' | 'InsertColumns', reference: string): Promise<void> {
    await this.goTo(reference);
    await this.office.inEditor((wanted) => {
      const { editor, c_oAscInsertOptions } = (globalThis as unknown as SheetGlobals).Asc;
      editor.asc_insertCells(c_oAscInsertOptions[wanted]);
    }, what);
  }

  /** Deletes the row or the column of the cell. */
  async delete(what: 'DeleteRows' | 'DeleteColumns', reference: string): Promise<void> {
    await this.goTo(reference);
    await this.office.inEditor((wanted) => {
      const { editor, c_oAscDeleteOptions } = (globalThis as unknown as SheetGlobals).Asc;
      editor.asc_deleteCells(c_oAscDeleteOptions[wanted]);
    }, what);
  }

  async comment(reference: string, text: string): Promise<void> {
    await this.goTo(reference);
    await this.office.putComment(text);
  }

  async picture(reference: string, bytes: Uint8Array): Promise<void> {
    await this.goTo(reference);
    await this.office.putPicture(bytes);
  }

  /** Says something in the chat. */
  async say(text: string): Promise<void> {
    await this.office.inEditor((given) => {
      (globalThis as unknown as SheetGlobals).Asc.editor.asc_coAuthoringChatSendMessage(given);
    }, text);
  }

  /** Resolves when the chat shows this. */
  async hears(text: string): Promise<void> {
    await this.office.find('#left-btn-chat').click();
    await this.office.find('#chat-messages .message').filter({ hasText: text }).waitFor();
  }
}
