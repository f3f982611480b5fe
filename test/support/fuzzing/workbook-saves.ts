import { inFile, opened } from '../../../converter/engines/ooxml/xlsx/testing/xlsx-edit.ts';
import { validWorkbook } from '../../../converter/engines/ooxml/xlsx/valid-workbook.ts';
import { xlsxEngine } from '../../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { cellModel } from '../../../model/cell/cell-model.ts';
import { applyChange } from '../../../model/cell/change.ts';
import type { Workbook } from '../../../model/cell/workbook.ts';

/** How files are written and read again. */
export interface Saves {
  assemble(
    source: Uint8Array,
    changes: readonly string[],
  ): Promise<{ readonly bytes: Uint8Array; readonly applied: number }>;
  /** Gives the model as JSON in UTF-8. */
  reopen(bytes: Uint8Array): Promise<Uint8Array>;
}

/**
 * A workbook that was opened is one for editors, is saved untouched as it was, and, with one cell set, as a file that opens
 * again and has all else as it was.
 * @throws Error where one of these is not so
 */
export async function checkSaves(
  source: Uint8Array,
  model: Uint8Array,
  { assemble, reopen }: Saves,
): Promise<void> {
  const workbook = workbookIn(model);
  const untouched = await assemble(source, []);
  if (Buffer.compare(untouched.bytes, source) !== 0)
    throw new Error('a save without changes gives other bytes');
  const sheet = workbook.sheets.find(({ properties }) => (properties.type ?? 'cells') === 'cells');
  if (!sheet) return;
  const change = cellModel.encode(
    'fuzz',
    { op: 'set', sheet: sheet.id, cells: [[1, 1, { v: 'Quire <&>' }]] },
    0,
  );
  const meant = applyChange(workbook, change);
  const saved = await assemble(source, [change]);
  if (typeof meant === 'string') return;
  if (saved.applied !== 1) throw new Error('a change that applies here does not apply to the file');
  const reopened = workbookIn(await reopen(saved.bytes));
  const { value } = reopened.sheets.find(({ id }) => id === sheet.id)!.grid.cell(1, 1);
  if (value !== 'Quire <&>') throw new Error(`a cell that was set is ${JSON.stringify(value)}`);
  // Calculation aside, which has values of its own to say.
  const tail = { checkpoint: null, changes: [change], wantsCheckpoint: false };
  const plain = opened(xlsxEngine().assemble(source, tail, {}).bytes);
  const expected = JSON.stringify(inFile(validWorkbook(workbook, meant)));
  const found = JSON.stringify(inFile(plain));
  if (expected === found) return;
  let at = 0;
  while (expected[at] === found[at]) at++;
  throw new Error(
    `a cell was set, and something else changed: ${expected.slice(at - 60, at + 60)} / ${found.slice(at - 60, at + 60)}`,
  );
}

const workbookIn = (model: Uint8Array): Workbook =>
  cellModel.parse(JSON.parse(Buffer.from(model).toString('utf8'))).doc;
