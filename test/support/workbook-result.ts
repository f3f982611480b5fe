import { packageFaults } from '../../bench/support/workbook-checks.ts';
import type { Reading, WorkbookReaders } from '../../bench/support/workbook-readers.ts';
import {
  difference,
  filledAreas,
  otherCells,
  readingOf,
  textInFile,
} from '../../bench/support/workbook-trial.ts';
import { OfficePackage } from '../../converter/engines/ooxml/package/office-package.ts';
import { resolveTarget } from '../../converter/engines/ooxml/package/relationships.ts';
import type { ZipArchive } from '../../converter/engines/ooxml/package/zip-archive.ts';
import { SHEET_PREFIXES } from '../../converter/engines/ooxml/xlsx/vocabulary.ts';
import { readSheetEntries } from '../../converter/engines/ooxml/xlsx/workbook-part.ts';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { contains } from '../../model/cell/area.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { Grid } from '../../model/cell/grid.ts';
import type { Workbook } from '../../model/cell/workbook.ts';
import type { WorkbookEdit } from './workbook-edit.ts';
import { areAlike, formulasOf, PageValues } from './workbook-values.ts';

/** A workbook as it was opened, and as it came back with one cell set. */
export interface WorkbookResult {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  readonly edit: WorkbookEdit;
  /** As the client had it when it was opened, and when it left. */
  readonly opened: Workbook;
  readonly left: Workbook;
}

/** What is wrong with a workbook that came back, each in a few words. */
export async function faultsOf(result: WorkbookResult, readers: WorkbookReaders): Promise<string[]> {
  const saved = parseWorkbook(openXlsx(result.after).model);
  const known = new Set(packageFaults(result.before));
  const { faults, sheets } = valueFaults(result, saved);
  return [
    ...otherParts(result, sheets),
    ...packageFaults(result.after)
      .filter((fault) => !known.has(fault))
      .map((fault) => `package: ${fault}`),
    ...contentFaults(result, saved),
    ...faults,
    ...(await readFaults('openpyxl', result, (bytes) => readers.openpyxl(bytes))),
    ...(await readFaults('LibreOffice', result, (bytes) => readers.office(bytes))),
  ];
}

/** Parts that are other, bit by bit, and hold neither the cell nor a formula whose value is another. */
function otherParts({ before, after }: WorkbookResult, sheets: ReadonlySet<number>): string[] {
  const [one, other] = [new OfficePackage(before, SHEET_PREFIXES), new OfficePackage(after, SHEET_PREFIXES)];
  const links = one.relationshipsOf(one.mainPart);
  const concerned = new Set(
    readSheetEntries(one.requiredXml(one.mainPart)).flatMap(({ relationshipId }, index) => {
      const target = links.get(relationshipId)?.target;
      const entry = target === undefined ? undefined : one.archive.find(resolveTarget(one.mainPart, target));
      return entry && sheets.has(index) ? [entry.name] : [];
    }),
  );
  if (isToBeCalculated(other)) concerned.add(one.archive.find(one.mainPart)!.name);
  const names = new Set([...one.archive.entries, ...other.archive.entries].map(({ name }) => name));
  return [...names].flatMap((name) =>
    concerned.has(name) || isSamePart(one.archive, other.archive, name) ? [] : [`other part: ${name}`],
  );
}

/** Programs are told to calculate a file in which some values are not known. */
const isToBeCalculated = (file: OfficePackage): boolean => {
  const xml = file.requiredXml(file.mainPart);
  return xml.attribute(xml.child(xml.root, 'calcPr'), 'fullCalcOnLoad') === '1';
};

function isSamePart(one: ZipArchive, other: ZipArchive, name: string): boolean {
  const [first, second] = [one, other].map((archive) => {
    const entry = archive.find(name);
    return entry && archive.bytes.subarray(entry.dataStart, entry.dataStart + entry.compressedBytes);
  });
  return first !== undefined && second !== undefined && first.equals(second);
}

/** The workbook that is in the file is the one that the client left, values of formulas apart. */
function contentFaults({ left }: WorkbookResult, saved: Workbook): string[] {
  const isFilled = filledCells(left);
  const [meant, found] = [left, saved].map((workbook) =>
    JSON.stringify(
      readingOf(workbook).map(([name, cells]) => [
        name,
        cells.filter(
          ([row, column, content]) => String(content).startsWith('=') || !isFilled(name, row, column),
        ),
      ]),
    ),
  );
  if (meant !== found) return [`content: ${difference(meant!, found!)}`];
  const [properties, others] = [left, saved].map((workbook) => textInFile(withoutRows(workbook)));
  return properties === others ? [] : [`beside cells: ${difference(properties!, others!)}`];
}

/** Whether a cell's value is that of a formula. */
function filledCells({ sheets }: Workbook): (sheet: string, row: number, column: number) => boolean {
  const areas = new Map(sheets.map((sheet) => [sheet.properties.name, filledAreas(sheet)]));
  return (sheet, row, column) =>
    areas.get(sheet)?.some((area) => contains(area, [row, column, row, column])) ?? false;
}

const withoutRows = (workbook: Workbook): Workbook => ({
  ...workbook,
  sheets: workbook.sheets.map((sheet) => ({ ...sheet, grid: Grid.empty })),
});

/** Formulas whose value is neither the one that was stored nor what pages calculate; and the sheets that have other values. */
function valueFaults(
  { edit, opened, left }: WorkbookResult,
  saved: Workbook,
): { faults: string[]; sheets: ReadonlySet<number> } {
  const page = new PageValues();
  page.take({ ...opened, volatile: left.volatile });
  page.take(left);
  const sheets = new Set([edit.sheet]);
  const faults: string[] = [];
  for (const [index, sheet] of left.sheets.entries()) {
    const grid = saved.sheets[index]!.grid;
    for (const { row, column, text, value: stored } of formulasOf(sheet)) {
      const { value } = grid.cell(row, column);
      const isKept = JSON.stringify(value) === JSON.stringify(stored);
      if (!isKept) sheets.add(index);
      const calculated = page.of(sheet.id, row, column);
      const isDue = page.hasChanged(sheet.id, row, column);
      if (isKept && !isDue) continue;
      if (!areAlike(value, calculated) && calculated !== undefined)
        faults.push(
          `value: R${row + 1}C${column + 1} =${text.slice(0, 80)} is ${JSON.stringify(value)}, was ${JSON.stringify(stored)}, on pages ${JSON.stringify(calculated)}`,
        );
    }
  }
  return { faults, sheets };
}

/** What another program reads otherwise than before, beside the cell and values that follow from it. */
async function readFaults(
  program: string,
  { before, after, edit, opened }: WorkbookResult,
  read: (bytes: Uint8Array) => Promise<Reading | undefined>,
): Promise<string[]> {
  const result = await read(after);
  if (!result) return [];
  const first = await read(before);
  if (!first || first.error !== undefined) return [];
  if (result.error !== undefined) return [`${program} does not read it: ${result.error}`];
  const { name } = opened.sheets[edit.sheet]!.properties;
  const isFilled = filledCells(opened);
  // LibreOffice has names of its own for sheets whose names it does not take.
  const names = [name, first.sheets[edit.sheet]?.[0]];
  const isSet = (on: string, row: number, column: number) =>
    (names.includes(on) && row === edit.row && column === edit.column) || isFilled(on, row, column);
  // It asks the cells anew for its pivot tables.
  const hasPivots = new OfficePackage(before).archive.entries.some((entry) =>
    /pivotTables?\//i.test(entry.name),
  );
  if (program === 'LibreOffice' && hasPivots) return [];
  const further = program === 'openpyxl' || typeof edit.value === 'string';
  const others = otherCells(first.sheets, result.sheets, { further, except: isSet });
  return others.length > 0 ? [`${program} reads ${others.length} otherwise: ${others[0]}`] : [];
}
