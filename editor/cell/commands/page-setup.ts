import type { Area } from '../../../model/cell/area.ts';
import { quotedSheet } from '../../../model/cell/formula/formula-parts.ts';
import type { CellOperation } from '../../../model/cell/operations.ts';
import { namesOf, type PageSetup } from '../../../model/cell/workbook.ts';
import { columnName } from '../../../model/cell-address.ts';
import type { CellEditor } from '../cell-editor.ts';
import { typedTokens } from '../editing/typed-tokens.ts';
import { isWholeColumns, isWholeRows, rangeName } from '../grid/cell-areas.ts';
import { absoluteReference } from './names.ts';

/** Names that files keep for what is printed of a sheet. */
const printAreaName = '_xlnm.Print_Area';
const titlesName = '_xlnm.Print_Titles';

/** What is printed of a sheet, as people write it: cells, rows and columns that come again on each page. */
export interface PrintedParts {
  readonly area: string;
  readonly rows: string;
  readonly columns: string;
}

const nameOf = (editor: CellEditor, name: string): readonly [id: string, formula: string] | null => {
  const sheet = editor.page.sheetId.peek();
  for (const [id, item] of namesOf(editor.page.workbook.peek()))
    if (item.scope === sheet && item.name.toLowerCase() === name.toLowerCase()) return [id, item.formula];
  return null;
};

const rangesIn = (formula: string | undefined): Area[] =>
  typedTokens(`=${formula ?? ''}`).flatMap(({ range }) => (range ? [range] : []));

export function printedParts(editor: CellEditor): PrintedParts {
  const titles = rangesIn(nameOf(editor, titlesName)?.[1]);
  const area = rangesIn(nameOf(editor, printAreaName)?.[1]);
  const rows = titles.find(isWholeRows);
  const columns = titles.find((range) => isWholeColumns(range) && !isWholeRows(range));
  return {
    area: area.map(rangeName).join(', '),
    rows: rows ? `${rows[0] + 1}:${rows[2] + 1}` : '',
    columns: columns ? `${columnName(columns[1])}:${columnName(columns[3])}` : '',
  };
}

/** The range of whole rows (`1:2`) or columns (`A:B`) that a text means; null where it is none. */
export function linesOf(text: string, axis: 'row' | 'column'): Area | null {
  const [range, ...rest] = rangesIn(text);
  if (!range || rest.length > 0) return null;
  return (axis === 'row' ? isWholeRows(range) : isWholeColumns(range)) ? range : null;
}

/** Sets how a sheet is printed, and what of it, as far as that is said. */
export function setUpPage(
  editor: CellEditor,
  page: PageSetup,
  {
    area,
    titles,
  }: {
    area?: readonly Area[];
    titles?: { readonly rows: Area | null; readonly columns: Area | null };
  },
): boolean {
  const sheet = editor.page.sheetId.peek();
  const of = editor.page.sheet;
  const quoted = quotedSheet(of.properties.name);
  const { rows = null, columns = null } = titles ?? {};
  const lines = [
    ...(columns ? [`${quoted}!$${columnName(columns[1])}:$${columnName(columns[3])}`] : []),
    ...(rows ? [`${quoted}!$${rows[0] + 1}:$${rows[2] + 1}`] : []),
  ].join(',');
  return editor.change(
    { op: 'sheet', sheet, patch: { page } },
    ...(area ? kept(editor, printAreaName, area.map((range) => absoluteReference(of, range)).join(',')) : []),
    ...(titles ? kept(editor, titlesName, lines) : []),
  );
}

/** Puts a name that files keep, changes it, or takes it away where it stands for nothing. */
function kept(editor: CellEditor, name: string, formula: string): CellOperation[] {
  const known = nameOf(editor, name);
  const place = { sheet: null, kind: 'name' as const, id: known?.[0] ?? editor.newId() };
  if (formula === '') return known ? [{ op: 'drop', ...place }] : [];
  if (known?.[1] === formula) return [];
  if (known) return [{ op: 'patch', ...place, patch: { formula } }];
  return [{ op: 'put', ...place, item: { name, formula, scope: editor.page.sheetId.peek() } }];
}
