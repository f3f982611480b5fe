import { inFile } from '../../converter/engines/ooxml/xlsx/testing/xlsx-edit.ts';
import { validWorkbook } from '../../converter/engines/ooxml/xlsx/valid-workbook.ts';
import { xlsxEngine } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import type { Area } from '../../model/cell/area.ts';
import { cellModel } from '../../model/cell/cell-model.ts';
import { applyChange } from '../../model/cell/change.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import type { CellOperation } from '../../model/cell/operations.ts';
import { isRichText } from '../../model/cell/values.ts';
import type { Sheet, Workbook } from '../../model/cell/workbook.ts';
import { packageFaults } from './workbook-checks.ts';
import type { Deed, Place } from './workbook-deeds/deed.ts';
import { PICTURE, PICTURE_PATH } from './workbook-deeds/item-deeds.ts';
import type { ReadCell, Reading, WorkbookReaders } from './workbook-readers.ts';

const engine = xlsxEngine();

export const isSheetOfCells = ({ properties }: Sheet): boolean => (properties.type ?? 'cells') === 'cells';

/** The cells that formulas of a sheet fill beside their own: they follow as formulas do. */
export function filledAreas({ grid }: Sheet): Area[] {
  const areas: Area[] = [];
  for (const [row, { cells, columns }] of grid.rows())
    for (const [index, { formula }] of cells.entries()) {
      const column = columns[index]!;
      if (formula?.span)
        areas.push([row, column, row + formula.span.rows - 1, column + formula.span.columns - 1]);
    }
  return areas;
}

/** What came of an operation: the file, and the workbook that is in it by the model. */
export interface Written {
  readonly bytes: Uint8Array;
  readonly workbook: Workbook;
  /** Why an operation was skipped. */
  readonly skipped?: string;
}

/** Makes a file with operations in it. */
export function written(
  bytes: Uint8Array,
  workbook: Workbook,
  operations: readonly CellOperation[],
  by = engine,
): Written {
  const changes = operations.map((operation, index) => cellModel.encode('bench', operation, index));
  const tail = { checkpoint: null, changes, wantsCheckpoint: false };
  const media = (path: string) => (path === PICTURE_PATH ? PICTURE : undefined);
  const result = by.assemble(bytes, tail, { media });
  let after = workbook;
  for (const change of changes) {
    const next = applyChange(after, change);
    if (typeof next !== 'string') after = next;
  }
  const skipped = result.firstSkipped && String(result.firstSkipped.reason);
  return { bytes: result.bytes, workbook: validWorkbook(workbook, after), ...(skipped && { skipped }) };
}

/**
 * What of a workbook is in a file, as text that is the same for what nobody can tell apart: items without their ids and order,
 * and no named formats where a file has its first ones from us.
 */
export function textInFile(workbook: Workbook): string {
  const { sheets, names, properties, volatile: _volatile, ...rest } = inFile(workbook);
  const shown = sheets.map(({ id: _id, items, ...sheet }) => ({
    ...sheet,
    items: Object.fromEntries(Object.entries(items).map(([kind, all]) => [kind, withoutIds(all)])),
  }));
  const scopes = new Map(sheets.map(({ id }, index) => [id, index]));
  const named = names.map(({ scope, ...name }) =>
    JSON.stringify({ ...name, scope: scope === undefined || scope === null ? null : scopes.get(scope) }),
  );
  const isFirst = JSON.stringify(sortedKeys(properties?.styles)) === FIRST_STYLES;
  const others = isFirst ? { ...properties, styles: undefined } : properties;
  return JSON.stringify(sortedKeys({ ...rest, properties: others, names: named.sort(), sheets: shown }));
}

/** What a package that had no formats has with its first one. */
const FIRST_STYLES = '{"Normal":{"font":{"name":"Calibri","size":11}}}';

/** Ids of other items, places among others, what charts had last, and what is a copy of what. */
const NOT_COMPARED = new Set(['parent', 'order', 'cached', 'cachedFormats', 'copyOf']);

/** Answers say which comment they are of by an id, and drawings in which order they are drawn. */
const withoutIds = (items: readonly unknown[]) =>
  items
    .map((item) =>
      JSON.stringify(sortedKeys(item), (key, value) => (NOT_COMPARED.has(key) ? undefined : value)),
    )
    .sort();

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, part]) => [name, sortedKeys(part)]),
  );
}

/** Where two texts differ. */
export function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return `…${one.slice(Math.max(0, at - 60), at + 80)}… / …${other.slice(Math.max(0, at - 60), at + 80)}…`;
}

/** The cells that a workbook holds, as another program has to read them. */
export function readingOf({ sheets }: Workbook): Reading['sheets'] {
  return sheets.filter(isSheetOfCells).map(({ properties, grid }) => {
    const cells: ReadCell[] = [];
    for (const [place, row] of grid.rows()) {
      for (const [index, column] of row.columns.entries()) {
        const { value, formula } = row.cells[index]!;
        if (formula)
          cells.push([place, column, formula.span?.kind === 'data' ? '=TABLE' : `=${formula.text}`, '']);
        else if (value !== null && value !== '') {
          const text =
            typeof value !== 'object'
              ? value
              : isRichText(value)
                ? value.r.map(({ t }) => t).join('')
                : value.e;
          if (text !== '') cells.push([place, column, text, '']);
        }
      }
    }
    return [properties.name, cells];
  });
}

/** LibreOffice says of a cell that is gone which column or row it was in, as long as the file is open. */
const withoutColumns = (text: string): string =>
  text.replace(/(?<![\w.])(?:\$?[A-Z]{1,3}#REF!|#REF!\$?\d+)/g, '#REF!');

const isSameContent = (one: unknown, other: unknown): boolean =>
  one === other ||
  (typeof one === 'string' && typeof other === 'string' && withoutColumns(one) === withoutColumns(other)) ||
  (typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= 1e-9 * Math.abs(one));

/** Values that are other with every calculation, or that only one program knows. */
const VOLATILE = /\b(?:RAND|RANDBETWEEN|RANDARRAY|NOW|TODAY|CELL|INFO)\b|\bcom\.sun/i;

interface Comparison {
  /** Whether formats, or values of formulas, are compared as well. */
  readonly further: boolean;
  /** Whether a cell is left out. */
  readonly except?: (sheet: string, row: number, column: number) => boolean;
  /** Whether sheets that only one has are passed over. */
  readonly common?: boolean;
}

/** Cells that two readings have otherwise, each in a few words. */
export function otherCells(
  expected: Reading['sheets'],
  found: Reading['sheets'],
  { further, except = () => false, common = false }: Comparison,
): string[] {
  const others: string[] = [];
  const byName = new Map(found);
  for (const [name, cells] of expected) {
    const present = byName.get(name);
    if (!present) {
      if (!common) others.push(`${name}: no such sheet`);
      continue;
    }
    const mine = new Map(present.map((cell) => [cell[0] * 16_384 + cell[1], cell]));
    for (const [row, column, content, more] of cells) {
      const key = row * 16_384 + column;
      const other = mine.get(key);
      mine.delete(key);
      if (except(name, row, column) || (typeof content === 'string' && VOLATILE.test(content))) continue;
      const isSame = other && isSameContent(content, other[2]) && (!further || isSameContent(more, other[3]));
      if (!isSame)
        others.push(`${name} R${row + 1}C${column + 1}: ${content} ${more} / ${other?.[2]} ${other?.[3]}`);
    }
    for (const [row, column, content] of mine.values())
      if (!except(name, row, column)) others.push(`${name} R${row + 1}C${column + 1}: nothing / ${content}`);
  }
  return others;
}

/** What is the same of a difference wherever it is. */
const kindOf = (other: string): string => other.replace(/^.*?R\d+C\d+: /, '');

/** A file that things are done to, with what readers make of it as it is. */
export class WorkbookTrial {
  readonly #bytes: Uint8Array;
  readonly #place: Place;
  readonly #readers: WorkbookReaders;
  readonly #faults: ReadonlySet<string>;
  #openpyxl: Reading | undefined;
  #office: Reading | undefined;
  /** Where openpyxl reads otherwise than we do, in the file as it is. */
  #known: ReadonlySet<string> = new Set();

  static async of(bytes: Uint8Array, place: Place, readers: WorkbookReaders): Promise<WorkbookTrial> {
    const trial = new WorkbookTrial(bytes, place, readers);
    trial.#openpyxl = await readers.openpyxl(bytes);
    if (trial.#openpyxl && trial.#openpyxl.error === undefined)
      trial.#known = new Set(
        otherCells(readingOf(place.workbook), trial.#openpyxl.sheets, { further: false }).map(kindOf),
      );
    return trial;
  }

  private constructor(bytes: Uint8Array, place: Place, readers: WorkbookReaders) {
    this.#bytes = bytes;
    this.#place = place;
    this.#readers = readers;
    this.#faults = new Set(packageFaults(bytes));
  }

  /**
   * Does one thing to the file, and looks at the one that comes of it.
   * @param asksOffice whether LibreOffice reads it, too
   * @returns null where it cannot be done to this file; else what is wrong, or why it was refused
   */
  async try(
    deed: Deed,
    asksOffice: boolean,
  ): Promise<{ refused?: string; faults: string[]; read: string[] } | null> {
    const operations = deed.operations(this.#place);
    if (!operations) return null;
    const { bytes, workbook, skipped } = written(this.#bytes, this.#place.workbook, operations);
    if (skipped) return { refused: skipped, faults: [], read: [] };
    const faults = packageFaults(bytes)
      .filter((fault) => !this.#faults.has(fault))
      .map((fault) => `package: ${fault}`);
    const [expected, reopened] = [textInFile(workbook), textInFile(parseWorkbook(engine.open(bytes).model))];
    if (expected !== reopened) faults.push(`reopened: ${difference(expected, reopened)}`);
    const read: string[] = [];
    faults.push(...(await this.#askOpenpyxl(deed, bytes, workbook, read)));
    if (asksOffice) faults.push(...(await this.#askOffice(deed, bytes, read)));
    return { faults, read };
  }

  #isTouched(deed: Deed): (sheet: string, row: number, column: number) => boolean {
    const areas = deed.touched?.(this.#place) ?? [];
    const { name } = this.#place.sheet.properties;
    return (sheet, row, column) =>
      sheet === name &&
      areas.some(([r1, c1, r2, c2]) => row >= r1 && row <= r2 && column >= c1 && column <= c2);
  }

  async #askOpenpyxl(deed: Deed, bytes: Uint8Array, workbook: Workbook, read: string[]): Promise<string[]> {
    const before = this.#openpyxl;
    const after = before && (await this.#readers.openpyxl(bytes));
    if (!before || !after) return [];
    const faults = (after.faults ?? [])
      .filter((fault) => !before.faults?.includes(fault))
      .map((fault) => `schema: ${fault}`);
    // Of a strict workbook it sees no sheets.
    if (before.error !== undefined || before.sheets.length === 0) return faults;
    read.push('openpyxl');
    if (after.error !== undefined) return [...faults, `openpyxl: ${after.error}`];
    const others = otherCells(readingOf(workbook), after.sheets, { further: false }).filter(
      (other) => !this.#known.has(kindOf(other)),
    );
    // What openpyxl reads otherwise than we do moves with the cells.
    const isDoubtful = deed.moves && this.#known.size > 0;
    if (others.length > 0 && !isDoubtful)
      faults.push(`openpyxl reads ${others.length} otherwise: ${others[0]}`);
    if (deed.moves) return faults;
    const looks = otherCells(before.sheets, after.sheets, {
      further: !deed.name.startsWith('format'),
      except: this.#isTouched(deed),
      common: true,
    });
    if (looks.length > 0) faults.push(`openpyxl sees ${looks.length} changed: ${looks[0]}`);
    return faults;
  }

  async #askOffice(deed: Deed, bytes: Uint8Array, read: string[]): Promise<string[]> {
    const { workbook, sheet } = this.#place;
    const act = deed.office?.(this.#place, workbook.sheets.indexOf(sheet));
    if (deed.moves && !act) {
      const opened = await this.#readers.office(bytes);
      if (opened?.error === undefined) read.push('LibreOffice opens');
      return opened?.error === undefined ? [] : [`LibreOffice: ${opened.error}`];
    }
    if (!act) this.#office ??= await this.#readers.office(this.#bytes);
    const before = act ? await this.#readers.office(this.#bytes, [act]) : this.#office;
    if (!before || before.error !== undefined) return [];
    const after = await this.#readers.office(bytes);
    if (!after) return [];
    read.push('LibreOffice');
    if (after.error !== undefined) return [`LibreOffice: ${after.error}`];
    const isValueKept = deed.touched === undefined;
    const others = otherCells(before.sheets, after.sheets, {
      further: isValueKept,
      except: this.#isTouched(deed),
      common: !act,
    });
    return others.length > 0 ? [`LibreOffice reads ${others.length} otherwise: ${others[0]}`] : [];
  }
}
