import { describe, expect, test } from 'vitest';
import type { FilterColumn } from '../../../../model/cell/filter-columns.ts';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import { itemsOf, type Workbook } from '../../../../model/cell/workbook.ts';
import { buildWorkbook, STYLES } from '../../../../test/support/workbook-fixture.ts';
import { edit, opened } from './testing/xlsx-edit.ts';

const solid = (colors: string) =>
  `<dxf><fill><patternFill patternType="solid">${colors}</patternFill></fill></dxf>`;
/** Colours as programs write them that take one from a cell, that think of a conditional format, and of a text. */
const DIFFERENCES = [
  solid('<fgColor rgb="FFFFFF00"/><bgColor rgb="FF000000"/>'),
  solid('<bgColor rgb="FF00B050"/>'),
  solid('<fgColor indexed="64"/><bgColor rgb="FFFF0000"/>'),
  '<dxf><font><color theme="4"/></font></dxf>',
  '<dxf><fill><patternFill patternType="none"/></fill></dxf>',
];

/** A sheet of nine rows and 52 columns with a filter. @param criteria what it holds */
const filtered = (criteria: string): Uint8Array =>
  buildWorkbook({
    styles: STYLES.replace(
      /<dxfs.*<\/dxfs>/,
      `<dxfs count="${DIFFERENCES.length}">${DIFFERENCES.join('')}</dxfs>`,
    ),
    sheets: [
      {
        rows: '<row r="2"><c r="A2"><v>1</v></c></row>',
        after: `<autoFilter ref="A1:AZ9">${criteria}</autoFilter>`,
      },
    ],
  });

const filterOf = ({ sheets }: Workbook) => [...itemsOf(sheets[0]!, 'filter')][0]!;
const setColumns = (base: Uint8Array, columns: readonly FilterColumn[]) => {
  const [id] = filterOf(opened(base));
  const set: CellOperation = { op: 'patch', sheet: 's1', kind: 'filter', id, patch: { columns } };
  return edit(base, [set]);
};

describe('filters by colour', () => {
  const byColor = (dxfId: number, more = '') =>
    `<filterColumn colId="${dxfId}"><colorFilter dxfId="${dxfId}"${more}/></filterColumn>`;

  test('[XS238] have the colour in front of the pattern where it was taken from a cell, else the one behind it', () => {
    const base = filtered(byColor(0) + byColor(1) + byColor(2) + byColor(3, ' cellColor="0"') + byColor(4));
    expect(filterOf(opened(base))[1].columns.map(({ color }) => color)).toEqual([
      { color: { rgb: 'FFFF00' }, ofFont: false },
      { color: { rgb: '00B050' }, ofFont: false },
      { color: { rgb: 'FF0000' }, ofFont: false },
      { color: { theme: 4 }, ofFont: true },
      { color: { auto: true }, ofFont: false },
    ]);
  });

  test('[XS238] are written with it at both places, and read again', () => {
    const columns: FilterColumn[] = [
      { column: 0, color: { color: { rgb: '12AB34' }, ofFont: false } },
      { column: 1, color: { color: { rgb: '12AB34' }, ofFont: true } },
    ];
    const { xml, part, reopened } = setColumns(filtered(byColor(1)), columns);
    expect(xml).toContain(
      '<filterColumn colId="0"><colorFilter dxfId="5"/></filterColumn><filterColumn colId="1"><colorFilter dxfId="6" cellColor="0"/></filterColumn>',
    );
    expect(part('xl/styles.xml')).toContain(
      `${solid('<fgColor rgb="FF12AB34"/><bgColor rgb="FF12AB34"/>')}<dxf><font><color rgb="FF12AB34"/></font></dxf>`,
    );
    expect(filterOf(reopened)[1].columns).toEqual(columns);
  });

  test('[XS238] keep the order by a colour that the file has beside them, with the cells that it is of', () => {
    const order = (row: number) =>
      `<sortState ref="A${row}:AZ${row + 7}"><sortCondition sortBy="cellColor" ref="A${row}:A${row + 7}" dxfId="0"/>` +
      `<sortCondition descending="1" sortBy="fontColor" ref="B${row}:B${row + 7}" dxfId="3"/></sortState>`;
    const base = filtered(byColor(0) + order(2));
    const insert: CellOperation = { op: 'insert', axis: 'row', sheet: 's1', at: 0, count: 1 };
    expect(edit(base, [insert]).xml).toContain(
      `<autoFilter ref="A2:AZ10">${byColor(0)}${order(3)}</autoFilter>`,
    );
    const changed = setColumns(base, [{ column: 2, color: { color: { rgb: '12AB34' }, ofFont: false } }]);
    expect(changed.xml).toContain(`</filterColumn>${order(2)}</autoFilter>`);
  });
});

describe('the order of filtered rows', () => {
  const order = (column: string, more = '') =>
    `<sortState ref="A2:AZ9"><sortCondition${more} ref="${column}2:${column}9"/></sortState>`;
  const base = filtered(order('B', ' descending="1"'));
  const patch = (sorted: unknown): CellOperation => ({
    ...({ op: 'patch', sheet: 's1', kind: 'filter', id: filterOf(opened(base))[0] } as const),
    patch: { sorted } as never,
  });

  test('[XS251] is read, goes with its column, and is written when rows are sorted by another one', () => {
    expect(filterOf(opened(base))[1].sorted).toEqual([{ column: 1, falling: true }]);
    const insert: CellOperation = { op: 'insert', axis: 'column', sheet: 's1', at: 1, count: 1 };
    const inserted = edit(base, [insert]);
    expect(filterOf(inserted.reopened)[1].sorted).toEqual([{ column: 2, falling: true }]);
    expect(inserted.xml).toContain('<sortCondition descending="1" ref="C2:C9"/>');
    expect(edit(base, [patch([{ column: 3 }])]).xml).toContain(`${order('D')}</autoFilter>`);
    expect(edit(base, [patch(null)]).xml).not.toContain('sortState');
    const gone: CellOperation = { op: 'delete', axis: 'column', sheet: 's1', at: 1, count: 1 };
    expect(edit(base, [gone]).xml).not.toContain('sortState');
  });

  test('[XS251] by a column that is not there is not written', () => {
    expect(edit(base, [patch([{ column: 400 }])]).xml).not.toContain('sortState');
  });

  test('[XS251] of a table is read and written, too', () => {
    const item = {
      ...{ area: [0, 0, 4, 1] as const, name: 'Stock', hasHeader: true, hasTotals: true },
      ...{ columns: [{ name: 'a' }, { name: 'b' }], sorted: [{ column: 1, falling: true }] },
    };
    const without = filtered('');
    const [id] = filterOf(opened(without));
    const { part, reopened } = edit(without, [
      { op: 'drop', sheet: 's1', kind: 'filter', id },
      { op: 'put', sheet: 's1', kind: 'table', id: 't', item },
    ]);
    expect(part('xl/tables/table1.xml')).toContain(
      '</autoFilter><sortState ref="A2:B4"><sortCondition descending="1" ref="B2:B4"/></sortState><tableColumns',
    );
    expect([...itemsOf(reopened.sheets[0]!, 'table').values()][0]!.sorted).toEqual(item.sorted);
  });
});

describe('filters by days, ranks and averages', () => {
  const stretches = [
    ...['today', 'yesterday', 'tomorrow', 'yearToDate', 'aboveAverage', 'belowAverage'],
    ...['Week', 'Month', 'Quarter', 'Year'].flatMap((of) => [`last${of}`, `this${of}`, `next${of}`]),
    ...['Q1', 'Q4', 'M1', 'M9', 'M10', 'M12'],
  ];

  test('[XS239] are written as xlsx calls them, and read again as they were', () => {
    const columns: FilterColumn[] = [
      ...stretches.map((dynamic, column): FilterColumn => ({ column, dynamic })),
      { column: 30, top: { count: 3, percent: false, bottom: false } },
      { column: 31, top: { count: 25, percent: true, bottom: true } },
      {
        ...{ column: 32, all: true },
        conditions: [
          { operator: 'greaterThanOrEqual', value: '45992' },
          { operator: 'lessThanOrEqual', value: '46022' },
        ],
      },
      { column: 33, values: ['x'], dates: [[2026], [2025, 12], [2025, 11, 30], [2025, 11, 29, 23, 59, 1]] },
    ];
    const { xml, reopened } = setColumns(filtered(''), columns);
    for (const [column, dynamic] of stretches.entries())
      expect(xml).toContain(
        `<filterColumn colId="${column}"><dynamicFilter type="${dynamic}"/></filterColumn>`,
      );
    expect(xml).toContain('<top10 val="3"/>');
    expect(xml).toContain('<top10 top="0" percent="1" val="25"/>');
    expect(xml).toContain(
      '<customFilters and="1"><customFilter operator="greaterThanOrEqual" val="45992"/><customFilter operator="lessThanOrEqual" val="46022"/></customFilters>',
    );
    expect(xml).toContain(
      '<dateGroupItem year="2025" month="11" day="29" hour="23" minute="59" second="1" dateTimeGrouping="second"/>',
    );
    expect(filterOf(reopened)[1].columns).toEqual(columns);
  });

  test('[XS239] of a file say what programs have found beside them as long as nobody sets them', () => {
    const given =
      '<filterColumn colId="0"><dynamicFilter type="aboveAverage" val="5.5"/></filterColumn>' +
      '<filterColumn colId="1"><dynamicFilter type="thisMonth" val="45992" maxVal="46023"/></filterColumn>' +
      '<filterColumn colId="2"><top10 val="2" filterVal="7"/></filterColumn>';
    const base = filtered(given);
    const { columns } = filterOf(opened(base))[1];
    expect(columns).toEqual([
      { column: 0, dynamic: 'aboveAverage' },
      { column: 1, dynamic: 'thisMonth' },
      { column: 2, top: { count: 2, percent: false, bottom: false } },
    ]);
    expect(setColumns(base, [...columns, { column: 3, values: ['x'] }]).xml).toContain(
      `${given}<filterColumn colId="3">`,
    );
  });
});
