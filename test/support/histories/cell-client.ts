import { CellSession } from '../../../client/cell/cell-session.ts';
import type { CellInput, CellOperation } from '../../../model/cell/operations.ts';
import { textOfValue } from '../../../model/cell/values.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';
import { buildXlsx } from '../xlsx-fixture.ts';
import { type ClientPlace, pick } from './editor-client.ts';
import { SessionClient } from './session-client.ts';

const [rowCount, columnCount] = [12, 5];

/** The file that every workbook of these runs begins with. */
export const workbookSource = (): Uint8Array =>
  buildXlsx(
    Array.from({ length: rowCount }, (_, row) => [
      `row ${row}`,
      row,
      `=B${row + 1}*2`,
      'x',
      'An end nobody touches.',
    ]),
  );

/** What the cells of a workbook hold, sheet by sheet and cell by cell; of a formula not what it comes to. */
export const cellTexts = ({ sheets }: Workbook): string[] =>
  sheets.flatMap(({ properties, grid }) => [
    `sheet ${properties.name}`,
    ...[...grid.rows()].flatMap(([row, { columns, cells }]) =>
      cells.flatMap(({ value, formula }, at) => {
        const text = formula ? `=${formula.text}` : textOfValue(value);
        return text === '' ? [] : [`${row},${columns[at]} ${text}`];
      }),
    ),
  ]);

/** Somebody in our spreadsheet session who fills cells, and puts in, takes out, moves and takes back now and then. */
export class CellClient extends SessionClient<CellSession> {
  #made = 0;

  constructor(place: ClientPlace) {
    super(place, 'cell', {
      ...{ editorType: 1, format: 'xlsx', elements: ['s1', 's2'] },
      open: (options) => new CellSession(options),
    });
  }

  protected override shownTexts(): readonly string[] {
    return cellTexts(this.session.workbook);
  }

  /** A text that nobody else has, or a formula, in some cell. */
  protected override write(): void {
    this.#made += 1;
    const text: CellInput = { v: `${this.name}.${this.#made}` };
    const formula: CellInput = { f: `SUM(B1:B${1 + this.#below(rowCount)})+C${1 + this.#below(rowCount)}` };
    const input = this.#below(5) === 0 ? formula : text;
    this.#make({
      ...{ op: 'set', sheet: this.#sheet },
      cells: [[this.#below(rowCount), this.#below(columnCount), input]],
    });
  }

  protected override alter(): void {
    const { random } = this.place;
    const [sheet, at] = [this.#sheet, this.#below(rowCount - 3)];
    const lines = { sheet, axis: pick(['row', 'row', 'column'] as const, random), at: at % 4, count: 1 };
    const cells = {
      op: 'moveCells',
      sheet,
      area: [at, 0, at, 1],
      toSheet: sheet,
      row: at + 2,
      column: 1,
    } as const;
    const order = [at + 2, at, at + 1];
    const deeds: readonly (() => void)[] = [
      () => this.#make({ op: 'insert', ...lines }),
      () => this.#make({ op: 'delete', ...lines }),
      () => this.#make({ op: 'move', ...lines, to: (at % 4) + 3 }),
      () => this.#make(cells),
      () => this.#make({ op: 'sort', sheet, axis: 'row', band: [0, columnCount], order }),
      () => this.session.undo(),
    ];
    pick(deeds, random)();
  }

  get #sheet(): string {
    return this.session.workbook.sheets[0]!.id;
  }

  #below(count: number): number {
    return Math.floor(this.place.random() * count);
  }

  #make(operation: CellOperation): void {
    this.session.dispatch({ operations: [operation] });
  }
}
