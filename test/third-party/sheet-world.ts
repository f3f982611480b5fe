import { fetchFile } from '../support/word-editor.ts';
import { buildXlsx } from '../support/xlsx-fixture.ts';
import { type OfficePage, type OfficeVisit, OfficeWorld } from './editor-driver.ts';
import { SheetPage } from './sheet-page.ts';
import { Workbook } from './workbook.ts';

/** The table that everybody opens unless a test gives another. */
const rows = [
  [1, 2, 3],
  [4, 5, 6],
  [7, 8, 9],
  ['=SUM(A1:A3)', '=SUM(B1:B3)', '=SUM(C1:C3)'],
];

/** People who work on spreadsheets together. */
export class SheetWorld {
  readonly office: OfficeWorld;
  #keys = 0;

  private constructor(office: OfficeWorld) {
    this.office = office;
  }

  static async open(): Promise<SheetWorld> {
    const settings = { RECONNECT_GRACE_MS: '5000', CLOSING_GRACE_MS: '5000' };
    return new SheetWorld(await OfficeWorld.open(settings));
  }

  close(): Promise<void> {
    return this.office.close();
  }

  /** A document key nobody has used. */
  newKey(): string {
    this.#keys += 1;
    return `table-${this.#keys}`;
  }

  visitOf(user: string, key: string, more: Partial<OfficeVisit> = {}): OfficeVisit {
    return {
      key,
      user,
      sourceUrl: this.office.serve('table.xlsx', buildXlsx(rows)),
      fileType: 'xlsx',
      documentType: 'cell',
      ...more,
    };
  }

  /** Somebody opens a spreadsheet and can work on it. */
  async join(user: string, key: string, more?: Partial<OfficeVisit>): Promise<SheetPage> {
    return new SheetPage(await this.office.visit(this.visitOf(user, key, more)));
  }

  /** Two people who are both in. */
  async pair(more?: Partial<OfficeVisit>): Promise<{ key: string; ann: SheetPage; bob: SheetPage }> {
    const key = this.newKey();
    const ann = await this.join('ann', key, more);
    return { key, ann, bob: await this.join('bob', key, more) };
  }

  /** Everybody leaves; the workbook that the integrator gets. */
  async assembled(key: string, ...people: readonly { office: OfficePage }[]): Promise<Workbook> {
    for (const { office } of people) await office.leave();
    const { body } = await this.office.callback(key, [2]);
    return new Workbook(await fetchFile(body.url));
  }
}
