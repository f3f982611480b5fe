import { strFromU8, unzipSync } from 'fflate';
import { cellModel } from '../../../../../model/cell/cell-model.ts';
import { applyChange } from '../../../../../model/cell/change.ts';
import { parseWorkbook, type WorkbookJson, workbookJsonOf } from '../../../../../model/cell/document.ts';
import type { Line } from '../../../../../model/cell/lines.ts';
import type { CellOperation } from '../../../../../model/cell/operations.ts';
import type { Workbook } from '../../../../../model/cell/workbook.ts';
import { buildWorkbook, type WorkbookFixture } from '../../../../../test/support/workbook-fixture.ts';
import type { MediaReader } from '../../../kind-engine.ts';
import type { CalculateWorkbook } from '../calculation.ts';
import { openXlsx, xlsxEngine } from '../xlsx-engine.ts';

interface EditOptions {
  readonly calculate?: CalculateWorkbook;
  readonly media?: MediaReader;
}

export interface EditedXlsx {
  readonly base: Uint8Array;
  readonly bytes: Uint8Array;
  readonly missingMedia: readonly string[];
  /** The workbook after the operations, and the one that is in the file. */
  readonly expected: Workbook;
  readonly reopened: Workbook;
  /** Names of the parts that are other than before, or gone. */
  readonly changed: readonly string[];
  /** Text of any part, '' when there is none of this name. */
  part(name: string): string;
  /** Text of the first sheet. */
  readonly xml: string;
}

export const opened = (bytes: Uint8Array): Workbook =>
  parseWorkbook(JSON.parse(JSON.stringify(openXlsx(bytes).model)));

/** What of a workbook is in a file, see {@link inFile}. */
interface InFile {
  readonly names: readonly { readonly scope?: string | null }[];
  readonly sheets: readonly {
    readonly id: string;
    readonly items: Readonly<Record<string, readonly unknown[]>>;
  }[];
  readonly properties?: WorkbookJson['properties'];
  readonly volatile?: unknown;
}

/** What of a workbook is in a file: formats by what they are, not from which format of the file one was made, sheets without what they are copies of, and items without ids. */
export function inFile(workbook: Workbook): InFile {
  const { formats, sheets, items: named = {}, ...rest } = workbookJsonOf(workbook);
  const formatOf = (index: number | undefined) => {
    const { base: _base, ...format } = formats[index ?? 0]!;
    return format;
  };
  // Ids of the items of a file count its elements.
  const lineOf = ({ filtered, ...line }: Line) => ({
    ...line,
    // A file says only that a row is hidden.
    hidden: line.hidden || filtered,
    format: formatOf(line.format),
  });
  const shown = sheets.map(({ rows = [], columns = [], items = {}, copyOf: _copyOf, ...sheet }) => ({
    ...sheet,
    // A file that has groups has to say the usual height, too.
    properties: { ...sheet.properties, rowHeight: sheet.properties?.rowHeight ?? 15 },
    items: Object.fromEntries(Object.entries(items).map(([kind, byId]) => [kind, Object.values(byId)])),
    columns: columns.map(([first, count, line]) => [first, count, lineOf(line)]),
    rows: rows.map(([gap, line, ...cells]) => [
      gap,
      line === 0 ? line : lineOf(line),
      ...cells.map((part, at) => (at % 3 === 1 ? formatOf(part as number) : part)),
    ]),
  }));
  return JSON.parse(JSON.stringify({ ...rest, names: Object.values(named.name ?? {}), sheets: shown }));
}

/** Opens a fixture, applies operations, assembles, and gives what came of it. @throws Error when one does not apply */
export function edit(
  fixture: WorkbookFixture | Uint8Array,
  operations: readonly CellOperation[],
  { calculate, media }: EditOptions = {},
): EditedXlsx {
  const base = fixture instanceof Uint8Array ? fixture : buildWorkbook(fixture);
  const changes = operations.map((operation, index) => cellModel.encode('client', operation, index));
  const tail = { checkpoint: null, changes, wantsCheckpoint: false };
  const result = xlsxEngine(calculate).assemble(base, tail, media ? { media } : {});
  if (result.firstSkipped) throw new Error(`skipped: ${JSON.stringify(result.firstSkipped)}`);
  let expected = opened(base);
  for (const change of changes) expected = applyChange(expected, change) as Workbook;
  const [before, after] = [unzipSync(base), unzipSync(result.bytes)];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const isOther = (name: string) =>
    Buffer.compare(before[name] ?? new Uint8Array(), after[name] ?? new Uint8Array()) !== 0;
  const part = (name: string) => strFromU8(after[name] ?? new Uint8Array());
  return {
    base,
    bytes: result.bytes,
    missingMedia: result.missingMedia,
    expected,
    reopened: opened(result.bytes),
    changed: [...names].filter(isOther).sort(),
    part,
    xml: part('xl/worksheets/sheet1.xml'),
  };
}

/** What `sheetData` of a sheet holds. */
export const rowsOf = (xml: string): string => /<sheetData>([\s\S]*)<\/sheetData>/.exec(xml)?.[1] ?? '';
