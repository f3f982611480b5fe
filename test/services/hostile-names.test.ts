import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellSession } from '../../client/cell/cell-session.ts';
import { openXlsx } from '../../converter/engines/ooxml/xlsx/xlsx-engine.ts';
import { parseWorkbook } from '../../model/cell/document.ts';
import { sameWorkbook } from '../../model/cell/same-workbook.ts';
import { itemsOf } from '../../model/cell/workbook.ts';
import { EndToEndWorld } from '../support/e2e-world.ts';
import { eventually } from '../support/eventually.ts';
import { newName } from '../support/new-name.ts';
import { fetchFile } from '../support/word-editor.ts';
import { buildWorkbook, MAIN, STYLES } from '../support/workbook-fixture.ts';

/** What every object of JavaScript has, or is told by. */
const words = ['__proto__', 'constructor', 'toString'] as const;
const THREADS = 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment';
const PERSON = 'http://schemas.microsoft.com/office/2017/10/relationships/person';
const THREADED = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const numbers =
  '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><f>SUM(\'__proto__\'!A1,constructor!A1,toString!A1)</f><v>3</v></c><c r="C1"><f>constructor+toString+__proto__</f><v>3</v></c><c r="D1" t="e"><v>constructor</v></c></row>';
const table =
  '<row r="5"><c r="A5" t="str"><v>__proto__</v></c><c r="B5" t="str"><v>constructor</v></c></row><row r="6"><c r="A6"><v>1</v></c><c r="B6"><v>4</v></c></row>';
const summed =
  '<row r="9"><c r="A9"><f>SUM(valueOf[__proto__])+SUM(valueOf[constructor])</f><v>5</v></c></row>';

const checked =
  '<dataValidations count="1"><dataValidation type="constructor" sqref="E1"><formula1>1</formula1></dataValidation></dataValidations>';

/** A workbook in which everything that has a name has one of these words. */
const source = buildWorkbook({
  styles: STYLES.replace(
    '<cellStyles count="1">',
    '<cellStyles count="3"><cellStyle name="__proto__" xfId="0"/><cellStyle name="constructor" xfId="0"/>',
  ),
  sheets: words.map((name, at) =>
    at > 0
      ? { name, rows: numbers }
      : {
          name,
          rows: numbers + table + summed,
          after: `${checked}<tableParts count="1"><tablePart r:id="rId1"/></tableParts>`,
          links: [
            ['table', '../tables/table1.xml'],
            [THREADS, '../threadedComments/threadedComment1.xml'],
          ],
        },
  ),
  after: `<definedNames>${words.map((name) => `<definedName name="${name}">'${name}'!$A$1</definedName>`).join('')}</definedNames>`,
  links: [
    [PERSON, 'persons/person.xml'],
    ['custom-properties', '../docProps/custom.xml'],
  ],
  parts: {
    'xl/tables/table1.xml': [
      `${TYPES}.table+xml`,
      `<table xmlns="${MAIN}" id="1" name="valueOf" displayName="valueOf" ref="A5:B6"><tableColumns count="2"><tableColumn id="1" name="__proto__"/><tableColumn id="2" name="constructor"/></tableColumns></table>`,
    ],
    'xl/threadedComments/threadedComment1.xml': [
      'application/vnd.ms-excel.threadedcomments+xml',
      `<ThreadedComments xmlns="${THREADED}"><threadedComment ref="D1" dT="2026-01-01T00:00:00.00" personId="__proto__" id="__proto__"><text>first</text></threadedComment><threadedComment ref="D2" dT="2026-01-01T00:00:00.00" personId="constructor" id="constructor"><text>second</text></threadedComment></ThreadedComments>`,
    ],
    'xl/persons/person.xml': [
      'application/vnd.ms-excel.person+xml',
      `<personList xmlns="${THREADED}"><person displayName="Pro To" id="__proto__"/><person displayName="Con Structor" id="constructor"/></personList>`,
    ],
    'docProps/custom.xml': [
      'application/vnd.openxmlformats-officedocument.custom-properties+xml',
      '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="__proto__"><vt:lpwstr>kept</vt:lpwstr></property></Properties>',
    ],
  },
});

let world: EndToEndWorld;
beforeAll(async () => {
  world = await EndToEndWorld.open();
});
afterAll(() => world?.close());

const valueAt = ({ workbook }: CellSession, sheet: number, row: number, column: number) =>
  workbook.sheets[sheet]?.grid.cell(row, column).value;

it('[XA7] words that objects have are names like others: of sheets, cells, tables, people and comments', async () => {
  const key = newName('hostile-names');
  const sourceUrl = world.integrator.serve(`${key}.xlsx`, { bytes: source });
  const people: CellSession[] = [];
  for (const user of words) people.push(await world.joinWorkbook({ key, user, sourceUrl, fileType: 'xlsx' }));
  const [first, second, third] = people as [CellSession, CellSession, CellSession];
  expect(first.workbook.sheets.map(({ properties }) => properties.name)).toEqual([...words]);
  expect([...itemsOf(first.workbook.sheets[0]!, 'comment').values()].map(({ author }) => author)).toEqual([
    'Con Structor',
  ]);
  const [one, two] = first.workbook.sheets.map(({ id }) => id) as [string, string];
  first.dispatch({ operations: [{ op: 'set', sheet: one, cells: [[0, 0, { v: 5 }]] }] });
  second.dispatch({ operations: [{ op: 'insert', sheet: one, axis: 'row', at: 2, count: 1 }] });
  third.dispatch({
    operations: [
      { op: 'sheet', sheet: two, patch: { name: 'hasOwnProperty' } },
      { op: 'addSheet', sheet: 'toString.9', name: 'constructor', at: 3 },
      {
        op: 'put',
        sheet: two,
        kind: 'comment',
        id: 'constructor',
        item: { cell: [0, 0], author: 'Name of toString', date: '2026-01-01T00:00:00Z', text: 'third' },
      },
    ],
  });
  await Promise.all(people.map((each) => each.saved()));
  await eventually(
    async () => people.map((each) => `${valueAt(each, 0, 0, 0)} ${each.workbook.sheets.length}`),
    (seen) => seen.every((each) => each === '5 4'),
  );
  await eventually(
    async () => people.every((each) => sameWorkbook(each.workbook, first.workbook)),
    (isSo) => isSo,
  );
  for (const each of people) await each.close();
  const { body, status } = await world.integrator.waitForCallback(key, (callback) => callback.status > 1);
  expect(status).toBe(2);
  const file = await fetchFile(body.url);
  const workbook = parseWorkbook(openXlsx(file).model);
  expect(workbook.sheets.map(({ properties }) => properties.name)).toEqual([
    ...['__proto__', 'hasOwnProperty', 'toString', 'constructor'],
  ]);
  const { grid } = workbook.sheets[0]!;
  expect([grid.cell(0, 1), grid.cell(0, 2), grid.cell(9, 0)].map(({ value }) => value)).toEqual([7, 7, 5]);
  expect(grid.cell(0, 1).formula?.text).toBe('SUM(__proto__!A1,hasOwnProperty!A1,toString!A1)');
  expect([...itemsOf(workbook.sheets[1]!, 'comment').values()].map(({ text }) => text)).toEqual(['third']);
  const [before, after] = [unzipSync(source), unzipSync(file)];
  for (const part of ['docProps/custom.xml', 'xl/styles.xml'])
    expect(strFromU8(after[part]!)).toBe(strFromU8(before[part]!));
  expect(strFromU8(after['xl/threadedComments/threadedComment1.xml']!)).toContain(
    'id="__proto__"><text>first',
  );
});
