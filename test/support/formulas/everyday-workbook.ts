import type { XmlDocument } from '../../../converter/engines/ooxml/package/xml-document.ts';
import { prefixOf } from '../../../editor/cell/editing/functions.ts';
import type { CellContent } from '../../../model/calculation/calculation.ts';
import { cellOf, formulaTokens } from '../../../model/calculation/formula-tokens.ts';
import type { EverydaySection } from '../../../model/calculation/testing/everyday-values.ts';
import { buildWorkbook } from '../workbook-fixture.ts';
import { cellXml, type Shown, shownCells, tablesOf } from './compared-values.ts';

const firstRow = 100;
const column = 'AN';

/** With the marks that files have before the names of younger functions. */
function asInFiles(formula: string): string {
  const tokens = formulaTokens(formula);
  const write = ({ kind, text }: (typeof tokens)[number], at: number) =>
    kind === 'name' && tokens[at + 1]?.text === '(' ? prefixOf(text) + text : text;
  return tokens.map(write).join('');
}

/** An xlsx with a sheet for each section, whose formulas have no values yet. */
export function everydayWorkbook(sections: readonly EverydaySection[]): Uint8Array {
  return buildWorkbook({
    sheets: sections.map((section, number) => ({ name: `S${number + 1}`, rows: rowsOf(section) })),
  });
}

function rowsOf({ cells, formulas }: EverydaySection): string {
  const rows = new Map<number, { readonly column: number; readonly xml: string }[]>();
  const put = (address: string, content: CellContent) => {
    const place = cellOf(address);
    const row = rows.get(place.row) ?? [];
    rows.set(place.row, [...row, { column: place.column, xml: cellXml(address, content) }]);
  };
  for (const [address, content] of Object.entries(cells)) put(address, content);
  // LibreOffice does not spill: each formula is an array of one.
  for (const [index, { formula }] of formulas.entries())
    put(`${column}${firstRow + index}`, { formula: asInFiles(formula), kind: 'array', rows: 1, columns: 1 });
  return [...rows]
    .toSorted(([one], [other]) => one - other)
    .map(([row, inRow]) => {
      const inOrder = inRow.toSorted((one, other) => one.column - other.column);
      return `<row r="${row}">${inOrder.map(({ xml }) => xml).join('')}</row>`;
    })
    .join('');
}

/** What the formulas of each section show in a flat ODF. */
export function shownOfSections(document: XmlDocument, sections: readonly EverydaySection[]): Shown[][] {
  const tables = tablesOf(document);
  const at = cellOf(`${column}1`).column;
  return sections.map(({ formulas }, number) => {
    const shown = shownCells(document, tables[number]!);
    return formulas.map((_, index) => shown.get(`${firstRow + index}:${at}`) ?? null);
  });
}
