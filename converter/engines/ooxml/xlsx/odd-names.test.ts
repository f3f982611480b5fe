import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import type { CellOperation } from '../../../../model/cell/operations.ts';
import { itemsOf } from '../../../../model/cell/workbook.ts';
import {
  buildWorkbook,
  MAIN,
  OFFICE,
  type WorkbookFixture,
} from '../../../../test/support/workbook-fixture.ts';
import { comparedName } from '../package/part-names.ts';
import { relationshipsPartOf, resolveTarget } from '../package/relationships.ts';
import { edit, inFile, opened } from './testing/xlsx-edit.ts';

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const MAIN_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const THREADS = 'http://schemas.microsoft.com/office/2017/10/relationships/threadedComment';
const PERSON = 'http://schemas.microsoft.com/office/2017/10/relationships/person';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const ANY = 'application/xml';
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);

const anchored = (row: number, content: string) =>
  `<xdr:oneCellAnchor><xdr:from><xdr:col>4</xdr:col><xdr:row>${row}</xdr:row></xdr:from><xdr:ext cx="9" cy="9"/>${content}<xdr:clientData/></xdr:oneCellAnchor>`;
const linksXml = (...links: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${PACKAGE}">${links.map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${type}" Target="${target}"/>`).join('')}</Relationships>`;

/** A workbook with a part of each kind that is read or written. */
const fixture: WorkbookFixture = {
  strings: '<si><t>shared</t></si>',
  sheets: [
    {
      rows: '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2"><f>A2+1</f><v>2</v></c></row><row r="9"><c r="A9" t="str"><v>a</v></c><c r="B9" t="str"><v>b</v></c></row>',
      after:
        '<drawing r:id="rId1"/><legacyDrawing r:id="rId2"/><tableParts count="1"><tablePart r:id="rId3"/></tableParts>',
      links: [
        ['drawing', '../drawings/drawing1.xml'],
        ['vmlDrawing', '../drawings/vmlDrawing1.vml'],
        ['table', '../tables/table1.xml'],
        ['comments', '../comments1.xml'],
        [THREADS, '../threadedComments/threadedComment1.xml'],
        ['pivotTable', '../pivotTables/pivotTable1.xml'],
      ],
    },
    {},
  ],
  links: [
    ['theme', 'theme/theme1.xml'],
    [PERSON, 'persons/person.xml'],
    ['pivotCacheDefinition', 'pivotCache/pivotCacheDefinition1.xml'],
    ['calcChain', 'calcChain.xml'],
  ],
  parts: {
    'xl/comments1.xml': [
      `${TYPES}.comments+xml`,
      `<comments xmlns="${MAIN}"><authors><author>Ann</author><author>tc={1}</author></authors><commentList><comment ref="A2" authorId="0"><text><t>note</t></text></comment><comment ref="C2" authorId="1"><text><t>thread</t></text></comment></commentList></comments>`,
    ],
    'xl/threadedComments/threadedComment1.xml': [
      'application/vnd.ms-excel.threadedcomments+xml',
      '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="C2" dT="2026-01-01T00:00:00.00" personId="{P}" id="{1}"><text>thread</text></threadedComment></ThreadedComments>',
    ],
    'xl/persons/person.xml': [
      'application/vnd.ms-excel.person+xml',
      '<personList xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><person displayName="Bob" id="{P}"/></personList>',
    ],
    'xl/drawings/vmlDrawing1.vml': [
      'application/vnd.openxmlformats-officedocument.vmlDrawing',
      '<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:x="urn:schemas-microsoft-com:office:excel"><v:shape id="_x0000_s1025"><x:ClientData ObjectType="Note"><x:Anchor>1, 15, 1, 2, 3, 15, 5, 4</x:Anchor><x:Row>1</x:Row><x:Column>0</x:Column></x:ClientData></v:shape></xml>',
    ],
    'xl/drawings/drawing1.xml': [
      ANY,
      `<xdr:wsDr xmlns:xdr="${DRAWING}" xmlns:a="${MAIN_DRAWING}" xmlns:r="${OFFICE}" xmlns:c="${CHART}">${anchored(3, '<xdr:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId1"/></a:graphicData></a:graphic></xdr:graphicFrame>')}${anchored(4, '<xdr:pic><xdr:blipFill><a:blip r:embed="rId2"/></xdr:blipFill></xdr:pic>')}</xdr:wsDr>`,
    ],
    'xl/drawings/_rels/drawing1.xml.rels': [
      '',
      linksXml([`${OFFICE}/chart`, '../charts/chart1.xml'], [`${OFFICE}/image`, '../media/image1.png']),
    ],
    'xl/charts/chart1.xml': [
      ANY,
      `<c:chartSpace xmlns:c="${CHART}"><c:chart><c:plotArea><c:barChart><c:ser><c:idx val="0"/><c:order val="0"/><c:val><c:numRef><c:f>Sheet1!$A$2:$A$3</c:f></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`,
    ],
    'xl/media/image1.png': ['image/png', PNG],
    'xl/theme/theme1.xml': [
      ANY,
      `<a:theme xmlns:a="${MAIN_DRAWING}"><a:themeElements><a:clrScheme name="x"><a:dk1><a:srgbClr val="112233"/></a:dk1></a:clrScheme></a:themeElements></a:theme>`,
    ],
    'xl/tables/table1.xml': [
      `${TYPES}.table+xml`,
      `<table xmlns="${MAIN}" id="1" name="T" displayName="T" ref="A9:B10"><tableColumns count="2"><tableColumn id="1" name="a"/><tableColumn id="2" name="b"/></tableColumns></table>`,
    ],
    'xl/pivotTables/pivotTable1.xml': [
      ANY,
      `<pivotTableDefinition xmlns="${MAIN}" name="P" cacheId="1"><location ref="F2:G5" firstHeaderRow="1" firstDataRow="1" firstDataCol="1"/></pivotTableDefinition>`,
    ],
    'xl/pivotTables/_rels/pivotTable1.xml.rels': [
      '',
      linksXml([`${OFFICE}/pivotCacheDefinition`, '../pivotCache/pivotCacheDefinition1.xml']),
    ],
    'xl/pivotCache/pivotCacheDefinition1.xml': [
      ANY,
      `<pivotCacheDefinition xmlns="${MAIN}"><cacheSource type="worksheet"><worksheetSource ref="A2:B5" sheet="Sheet1"/></cacheSource></pivotCacheDefinition>`,
    ],
    'xl/calcChain.xml': [
      `${TYPES}.calcChain+xml`,
      `<calcChain xmlns="${MAIN}"><c r="B2" i="1"/></calcChain>`,
    ],
  },
};
const plain = buildWorkbook(fixture);

interface Naming {
  /** The name of a part in the zip file. */
  readonly entry?: (name: string) => string;
  /** What leads from one part to another, by the usual target. */
  readonly target?: (target: string, from: string) => string;
  /** How the list of types calls a part. */
  readonly typed?: (name: string) => string;
}

const FOLDERS =
  /(?<=^|\/)(worksheets|drawings|charts|tables|theme|pivotTables|pivotCache|persons|media)(?=\/)/;
const withSpace = (name: string) => name.replace(FOLDERS, '$1 of ours');
const escaped = (name: string) => encodeURI(withSpace(name));
const absolute = (target: string, from: string) => `/${resolveTarget(from, target)}`;

const namings: Readonly<Record<string, Naming>> = {
  'backslashes in the zip file': { entry: (name) => name.replaceAll('/', '\\') },
  'backslashes in targets': { target: (target) => target.replaceAll('/', '\\') },
  'backslashes everywhere': {
    entry: (name) => name.replaceAll('/', '\\'),
    target: (target) => target.replaceAll('/', '\\'),
    typed: (name) => `\\${name.replaceAll('/', '\\')}`,
  },
  'another case in the zip file': {
    // Of a picture the model has the name as it is.
    entry: (name) => name.toUpperCase().replace('IMAGE1.PNG', 'image1.png'),
  },
  'another case in targets': { target: (target) => target.toUpperCase() },
  'another case in types': { typed: (name) => `/${name.toUpperCase()}` },
  'absolute targets': { target: absolute },
  'relative targets that go round': {
    target: (target, from) =>
      `${'../'.repeat(from.split('/').length - 1)}./xl/../${resolveTarget(from, target)}`,
  },
  'slashes before names in the zip file': { entry: (name) => `/${name}` },
  'spaces everywhere': { entry: withSpace, target: withSpace, typed: (name) => `/${withSpace(name)}` },
  'escapes everywhere': { entry: escaped, target: escaped, typed: (name) => `/${escaped(name)}` },
  'escapes in targets and types': { entry: withSpace, target: escaped, typed: (name) => `/${escaped(name)}` },
  'escapes in the zip file': { entry: escaped, target: withSpace, typed: (name) => `/${withSpace(name)}` },
};

/** The workbook with its parts called otherwise. */
function named({
  entry = (name) => name,
  target = (given) => given,
  typed = (name) => `/${name}`,
}: Naming): Uint8Array {
  const files = Object.entries(unzipSync(plain)).map(([name, bytes]) => {
    if (name === '[Content_Types].xml') {
      const text = strFromU8(bytes).replace(/(?<=PartName=")\/([^"]*)/g, (_all, part: string) => typed(part));
      return [name, strToU8(text)] as const;
    }
    if (!name.endsWith('.rels')) return [entry(name), bytes] as const;
    const from = name.replace('_rels/', '').replace(/\.rels$/, '');
    const text = strFromU8(bytes).replace(/(?<=Target=")[^"]*/g, (given) => target(given, from));
    return [entry(relationshipsPartOf(from)), strToU8(text)] as const;
  });
  return zipSync(Object.fromEntries(files), { mtime: new Date(2024, 0, 1) });
}

const note = (text: string) => ({ text });
const operations: readonly CellOperation[] = [
  { op: 'insert', sheet: 's1', axis: 'row', at: 1, count: 1 },
  { op: 'patch', sheet: 's1', kind: 'comment', id: 'o1', patch: note('other') },
  { op: 'set', sheet: 's1', cells: [[2, 0, { v: 'new' }]] },
  { op: 'sheet', sheet: 's1', patch: { name: 'Plan A' } },
] as unknown as CellOperation[];

/** What is in each part, by names that are compared; indices name parts themselves. */
function contents(bytes: Uint8Array): Record<string, string> {
  const parts = Object.entries(unzipSync(bytes)).map(([name, content]) => [
    comparedName(name).replaceAll(' of ours', ''),
    strFromU8(content),
  ]);
  return Object.fromEntries(parts.filter(([name]) => !/\.rels$|content_types/.test(name!)));
}

describe('parts of a workbook that are called oddly', () => {
  test.each(Object.entries(namings))('[XE50] %s: all is read, written and kept', (_what, naming) => {
    const odd = named(naming);
    expect(inFile(opened(odd))).toEqual(inFile(opened(plain)));
    const drawings = [...itemsOf(opened(odd).sheets[0]!, 'drawing').values()];
    expect(drawings.map(({ kind }) => kind)).toEqual(['chart', 'picture']);
    expect(edit(odd, []).changed).toEqual([]);
    const [usual, result] = [edit(plain, operations), edit(odd, operations)];
    expect(contents(result.bytes)).toEqual(contents(usual.bytes));
    expect(inFile(result.reopened)).toEqual(inFile(usual.reopened));
    expect(result.changed.length).toBe(usual.changed.length);
  });

  test.each(Object.entries(namings))(
    '[XE50] %s: a sheet goes with what is its own, and is copied',
    (_what, naming) => {
      const odd = named(naming);
      const removed = edit(odd, [{ op: 'removeSheet', sheet: 's1' }]);
      expect(Object.keys(contents(removed.bytes)).sort()).toEqual(
        Object.keys(contents(edit(plain, [{ op: 'removeSheet', sheet: 's1' }]).bytes)).sort(),
      );
      const copy: CellOperation = { op: 'addSheet', sheet: 'c.1', name: 'Copy', at: 1, copyOf: 's1' };
      const [usual, result] = [edit(plain, [copy]), edit(odd, [copy])];
      expect(inFile(result.reopened)).toEqual(inFile(usual.reopened));
      expect(Object.keys(unzipSync(result.bytes)).length).toBe(Object.keys(unzipSync(usual.bytes)).length);
    },
  );
});

test('[CV31] a sheet without a name, or with an empty one, is called by its place and stays so in the file', () => {
  const named = buildWorkbook({ sheets: [{ name: 'Plan' }, { name: 'empty' }, { name: 'none' }] });
  const parts = unzipSync(named);
  const book = 'xl/workbook.xml';
  const odd = strFromU8(parts[book]!).replace('name="empty"', 'name=""').replace('name="none" ', '');
  const bytes = zipSync({ ...parts, [book]: strToU8(odd) });
  expect(opened(bytes).sheets.map(({ properties }) => properties.name)).toEqual(['Plan', 'Sheet2', 'Sheet3']);
  const cell: CellOperation = { op: 'set', sheet: opened(bytes).sheets[1]!.id, cells: [[0, 0, { v: 1 }]] };
  expect(edit(bytes, [cell]).changed).toEqual(['xl/worksheets/sheet2.xml']);
});

describe('[XS258] sheets that are called alike', () => {
  const alike = (...names: readonly string[]) => {
    const parts = unzipSync(buildWorkbook({ sheets: names.map((_, at) => ({ name: `n${at}` })) }));
    const book = 'xl/workbook.xml';
    const odd = names.reduce(
      (text, name, at) => text.replace(`name="n${at}"`, `name="${name}"`),
      strFromU8(parts[book]!),
    );
    return zipSync({ ...parts, [book]: strToU8(odd) });
  };
  const namesIn = (bytes: Uint8Array) => opened(bytes).sheets.map(({ properties }) => properties.name);

  test.each([
    [
      ['Sheet2', ''],
      ['Sheet2', 'Sheet22'],
    ],
    [
      ['', 'sheet1', ''],
      ['Sheet12', 'sheet1', 'Sheet3'],
    ],
    [
      ['Plan', 'PLAN', 'Plan2', 'Plan'],
      ['Plan', 'PLAN3', 'Plan2', 'Plan4'],
    ],
  ])('%j have names of their own', (given, names) => {
    expect(namesIn(alike(...given))).toEqual(names);
  });

  test('a name that the file has twice is written as it is called, so that programs open the file', () => {
    const cell: CellOperation = { op: 'set', sheet: 's1', cells: [[0, 0, { v: 1 }]] };
    const { bytes } = edit(alike('Plan', 'PLAN'), [cell]);
    const book = strFromU8(unzipSync(bytes)['xl/workbook.xml']!);
    expect(book).toContain('name="PLAN2"');
  });
});
