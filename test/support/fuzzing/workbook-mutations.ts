import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { scanXml, type XmlElement } from '../../../converter/engines/ooxml/package/xml-scanner.ts';
import { sheetRows } from '../../../model/cell-address.ts';
import { mutate, type Pick, pickFrom } from './mutations.ts';

type Parts = Record<string, Uint8Array>;
/** Gives the text of a part anew. */
type Change = (text: string, pick: Pick) => string;

const SHEET = /^xl\/worksheets\/[^/]*\.xml$/i;
const WORKBOOK = /^xl\/workbook\.xml$/i;
const STYLES = /^xl\/styles\.xml$/i;
const XML = /\.(?:xml|rels|vml)$/i;
const RELATIONSHIPS = /\.rels$/i;
const EVERYTHING = `A1:XFD${sheetRows}`;

const choose = <Item>(items: readonly Item[], pick: Pick): Item => items[pick(items.length)]!;

/** What numbers, references and names of a workbook are made to be. */
const values = [
  ...['', ' ', '-1', '0', '1', '65536', '2147483647', '2147483648', '4294967295', '4294967296'],
  ...[
    '99999999999999999999',
    '1e308',
    '1e-400',
    '-0',
    'NaN',
    'Infinity',
    '0x10',
    '1_0',
    '１',
    'true',
    '#REF!',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'A1',
    'A0',
    'A-1',
    'XFE1',
    `A${sheetRows + 1}`,
  ],
  ...[
    'ZZZZZZZZ1',
    'A99999999999',
    '$A$1',
    'a1',
    'R1C1',
    '1:1',
    'A:A',
    'B2:A1',
    EVERYTHING,
    `${EVERYTHING} `.repeat(200),
  ],
  ...[
    '#REF!#REF!',
    'Sheet9!A1',
    "'",
    '&quot;',
    '[1]x!A1',
    '&#0;',
    '&#xD800;',
    '&#xFFFF;',
    '&none;',
    '&amp;lt;',
  ],
  ...[
    '../../../../etc/passwd',
    'file:///etc/passwd',
    '/',
    '%00',
    '%2e%2e/x',
    'xl/workbook.xml',
    '../workbook.xml',
  ],
  ...['x'.repeat(40_000), '\u202e\u0000\ufffe\ufffd', '😀'.repeat(40)],
];

/** Formulas that are long, deep, wide, circular or none. */
const formulas: readonly ((pick: Pick) => string)[] = [
  (pick) => `${'('.repeat(10 ** (1 + pick(5)))}1`,
  (pick) => {
    const depth = 10 ** (1 + pick(4));
    return `${'IF(1,'.repeat(depth)}1${')'.repeat(depth)}`;
  },
  (pick) => `1${'+A1'.repeat(10 ** (1 + pick(5)))}`,
  (pick) => `1${'^-A1%'.repeat(10 ** (1 + pick(4)))}`,
  (pick) => `"${'x'.repeat(10 ** (1 + pick(6)))}"&A1`,
  (pick) => `{${'1,'.repeat(10 ** (1 + pick(5)))}1}`,
  () => `SUM(${EVERYTHING})+SUMPRODUCT(${EVERYTHING}*${EVERYTHING})`,
  () => 'INDIRECT(ADDRESS(ROW(),COLUMN()))+A1+B1+C1',
  () => 'REPT("x",2147483647)',
  () => 'SEQUENCE(1048576,16384)',
  () => 'MAKEARRAY(1E+9,1E+9,LAMBDA(a,b,a))',
  () => 'quire_loop_a+quire_loop_b',
  () => 'REDUCE(0,SEQUENCE(1E+7),LAMBDA(a,b,a&amp;b))',
  () => `'${"''".repeat(2_000)}'!A1+[9]Other!B2+#REF!A1`,
  () => `${EVERYTHING}:B2 C3,D4`,
  () => '=',
  () => '',
  () => '+',
  () => '@@@',
  () => '{',
  () => "'",
  () => '"',
  () => '#',
  () => '_xlfn._xlws.',
  () => 'A1#:B2#',
];

/** Replaces one of what matches, if something does. */
function replaceOne(text: string, found: RegExp, pick: Pick, by: (match: string) => string): string {
  const all = [...text.matchAll(found)];
  if (all.length === 0) return text;
  const match = choose(all, pick);
  return text.slice(0, match.index) + by(match[0]) + text.slice(match.index + match[0].length);
}

/** Puts XML before the end of the root element, or, where a name is given, behind that element. */
function inserted(text: string, xml: string, behind?: string): string {
  const end = behind === undefined ? -1 : text.lastIndexOf(`</${behind}>`);
  const at = end >= 0 ? end + behind!.length + 3 : text.lastIndexOf('</');
  return at < 0 ? text : text.slice(0, at) + xml + text.slice(at);
}

function elementsOf(root: XmlElement): XmlElement[] {
  const found: XmlElement[] = [];
  const waiting = [...root.children];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    found.push(element);
    for (const child of element.children) waiting.push(child);
  }
  return found;
}

/** Does something with two elements of a part, of which neither is in the other. */
function ofElements(text: string, pick: Pick, act: (one: XmlElement, other: XmlElement) => string): string {
  let all: XmlElement[];
  try {
    all = elementsOf(scanXml(text));
  } catch {
    return text; // It is damaged already.
  }
  if (all.length < 2) return text;
  const [one, other] = [choose(all, pick), choose(all, pick)].sort((a, b) => a.start - b.start) as [
    XmlElement,
    XmlElement,
  ];
  return act(one, other);
}

/** Ways to damage any part of a workbook that is XML. */
const ofAnyPart: Readonly<Record<string, Change>> = {
  value: (text, pick) => replaceOne(text, /(?<==)"[^"<]*"/g, pick, () => `"${choose(values, pick)}"`),
  valuesOfAName(text, pick) {
    const name = choose(
      [...text.matchAll(/\s([\w:]+)="/g)].map(([, found]) => found!),
      pick,
    );
    const value = choose(values, pick);
    return name === undefined || name.startsWith('xmlns')
      ? text
      : text.replaceAll(
          new RegExp(`(\\s${name}=)"[^"<]*"`, 'g'),
          (_all, start: string) => `${start}"${value}"`,
        );
  },
  content: (text, pick) => replaceOne(text, />[^<]+(?=<)/g, pick, () => `>${choose(values, pick)}`),
  removeElement: (text, pick) =>
    ofElements(text, pick, (one) => text.slice(0, one.start) + text.slice(one.end)),
  repeatElement: (text, pick) =>
    ofElements(text, pick, (one) => {
      const count = Math.min(2_000, Math.ceil(2_000_000 / (one.end - one.start)));
      return (
        text.slice(0, one.end) + text.slice(one.start, one.end).repeat(1 + pick(count)) + text.slice(one.end)
      );
    }),
  moveElement: (text, pick) =>
    ofElements(text, pick, (one, other) =>
      one.end > other.start
        ? text
        : text.slice(0, one.start) +
          text.slice(one.end, other.end) +
          text.slice(one.start, one.end) +
          text.slice(other.end),
    ),
  nestElement: (text, pick) =>
    ofElements(text, pick, (one) => {
      const depth = 1 + pick(300);
      return `${text.slice(0, one.start)}${`<${one.name}>`.repeat(depth)}${text.slice(one.start, one.end)}${`</${one.name}>`.repeat(depth)}${text.slice(one.end)}`;
    }),
  entities: (text) =>
    text
      .replace(
        /^(\ufeff?<\?xml[^>]*\?>)?/,
        `$1<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}"><!ENTITY c "${'&b;'.repeat(100)}">]>`,
      )
      .replace('</', '&c;</'),
  prefix: (text) => text.replaceAll(/<(\/?)(?=[a-z]\w*[\s/>])/g, '<$1q:').replace(/\sxmlns="/, ' xmlns:q="'),
  vocabulary: (text, pick) =>
    text.replaceAll(/"http:\/\/schemas\.openxmlformats\.org\/[^"]*"/g, (uri) =>
      pick(2) === 0 ? uri : `"${choose(['', 'urn:x', uri.slice(1, -2)], pick)}"`,
    ),
  noise: (text, pick) =>
    inserted(
      text,
      choose(['<!-- -- -->', '<![CDATA[<c r="A1"/>]]>', '<?x ?>', 'text', '<x:y/>', '\u0000', ']]>'], pick),
    ),
};

/** So often, or until it is tens of megabytes. */
const repeated = (one: string, times: number): string =>
  one.repeat(Math.min(times, Math.ceil(30_000_000 / one.length)));

const sheetList = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index)).join('');

/** Ways to damage sheets, by what sheets hold. */
const ofSheets: Readonly<Record<string, Change>> = {
  sharedText: (text, pick) =>
    replaceOne(text, /(?<=t="s"[^>]*><v>)\d+(?=<)/g, pick, () => choose(values, pick)),
  cellReference: (text, pick) =>
    replaceOne(text, /(?<=<c [^>]*?\br=)"[^"]*"/g, pick, () => `"${choose(values, pick)}"`),
  cellType: (text, pick) =>
    replaceOne(
      text,
      /<c (?=[^>]*r=)/g,
      pick,
      () => `<c t="${choose(['s', 'b', 'e', 'd', 'n', 'str', 'inlineStr', 'x', ''], pick)}" `,
    ),
  cellFormat: (text, pick) =>
    replaceOne(
      text,
      /<c (?=[^>]*r=)/g,
      pick,
      () => `<c s="${choose(values, pick)}" cm="${choose(values, pick)}" `,
    ),
  rowNumber: (text, pick) =>
    replaceOne(text, /(?<=<row [^>]*?\br=)"[^"]*"/g, pick, () => `"${choose(values, pick)}"`),
  noPlaces: (text) => text.replaceAll(/(<(?:row|c)\b[^>]*?)\sr="[^"]*"/g, '$1'),
  rowsReversed: (text) =>
    text.replace(
      /<sheetData>([\s\S]*)<\/sheetData>/,
      (_all, rows: string) =>
        `<sheetData>${rows
          .split(/(?=<row)/)
          .reverse()
          .join('')}</sheetData>`,
    ),
  cellsReversed: (text) =>
    text.replaceAll(
      /(<row[^>]*[^/]>)([\s\S]*?)<\/row>/g,
      (_all, tag: string, cells: string) =>
        `${tag}${cells
          .split(/(?=<c )/)
          .reverse()
          .join('')}</row>`,
    ),
  formula: (text, pick) =>
    replaceOne(
      text,
      /<f[^>]*>[^<]*(?=<\/f>)/g,
      pick,
      (found) => found.slice(0, found.indexOf('>') + 1) + choose(formulas, pick)(pick),
    ),
  newFormula: (text, pick) =>
    replaceOne(
      text,
      /<row[^>]*[^/]>/g,
      pick,
      (tag) => `${tag}<c><f>${choose(formulas, pick)(pick)}</f><v>1</v></c>`,
    ),
  formulaOfMany: (text, pick) =>
    replaceOne(
      text,
      /<f(?=[\s>])/g,
      pick,
      () =>
        `<f t="${choose(['shared', 'array', 'dataTable', 'x'], pick)}" si="${choose(values, pick)}" ref="${choose([EVERYTHING, ...values], pick)}" r1="${choose(values, pick)}"`,
    ),
  manyCells: (text, pick) => {
    const cells = 10 ** (3 + pick(4));
    const row = `<row>${'<c><v>1</v></c>'.repeat(Math.min(1_000, cells))}</row>`;
    return text.replace('</sheetData>', `${row.repeat(Math.ceil(cells / 1_000))}</sheetData>`);
  },
  manyRows: (text, pick) =>
    text.replace('</sheetData>', `${'<row/>'.repeat(10 ** (2 + pick(5)))}</sheetData>`),
  columns: (text, pick) =>
    text.replace(
      /<sheetData/,
      `<cols>${sheetList(1 + pick(2_000), (at) => `<col min="${choose(['1', '0', '-5', String(at), ...values], pick)}" max="${choose(['16384', '1', '4294967295', ...values], pick)}" width="${choose(values, pick)}" hidden="1" outlineLevel="${pick(300)}"/>`)}</cols><sheetData`,
    ),
  merges(text, pick) {
    const count = 10 ** pick(6);
    const one = choose<(at: number) => string>(
      [
        () => EVERYTHING,
        (at) => `A${at + 1}:B${at + 2}`,
        () => 'A1',
        (at) => `A1:C${at + 1}`,
        () => choose(values, pick),
      ],
      pick,
    );
    return inserted(
      text,
      `<mergeCells count="${choose(values, pick)}">${sheetList(count, (at) => `<mergeCell ref="${one(at)}"/>`)}</mergeCells>`,
      'sheetData',
    );
  },
  conditions(text, pick) {
    const count = 10 ** pick(6);
    const type = choose(['expression', 'cellIs', 'colorScale', 'dataBar', 'iconSet', 'top10', 'x'], pick);
    const area = choose([EVERYTHING, 'A1', `${'A1 '.repeat(5_000)}`, ...values], pick);
    const one = `<conditionalFormatting sqref="${area}"><cfRule type="${type}" priority="${choose(values, pick)}" dxfId="${choose(values, pick)}"><formula>${choose(formulas, pick)(pick).slice(0, 5_000)}</formula></cfRule></conditionalFormatting>`;
    return inserted(text, repeated(one, count), 'sheetData');
  },
  validations(text, pick) {
    const one = `<dataValidation type="${choose(['list', 'whole', 'custom', 'x'], pick)}" sqref="${choose([EVERYTHING, ...values], pick)}"><formula1>${choose(formulas, pick)(pick).slice(0, 5_000)}</formula1></dataValidation>`;
    return inserted(
      text,
      `<dataValidations count="1">${repeated(one, 10 ** pick(6))}</dataValidations>`,
      'sheetData',
    );
  },
  links: (text, pick) =>
    inserted(
      text,
      `<hyperlinks>${sheetList(10 ** pick(5), () => `<hyperlink ref="${choose([EVERYTHING, ...values], pick)}" r:id="${choose(['rId1', ...values], pick)}" location="${choose(values, pick)}"/>`)}</hyperlinks>`,
    ),
  filter: (text, pick) =>
    inserted(
      text,
      `<autoFilter ref="${choose([EVERYTHING, 'A1:B2', ...values], pick)}">${sheetList(1 + pick(500), () => `<filterColumn colId="${choose(values, pick)}"><filters><filter val="${choose(values, pick)}"/></filters></filterColumn>`)}</autoFilter>`,
      'sheetData',
    ),
  views: (text, pick) =>
    text.replace(
      /<sheetData/,
      `<sheetViews><sheetView workbookViewId="${choose(values, pick)}" zoomScale="${choose(values, pick)}"><pane xSplit="${choose(values, pick)}" ySplit="${choose(values, pick)}" state="frozen" topLeftCell="${choose(values, pick)}"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="${choose(values, pick)}" outlineLevelRow="${choose(values, pick)}"/><sheetData`,
    ),
};

const ofWorkbook: Readonly<Record<string, Change>> = {
  loopingNames: (text) =>
    inserted(
      text,
      '<definedNames><definedName name="quire_loop_a">quire_loop_b</definedName><definedName name="quire_loop_b">quire_loop_a+SUM(quire_loop_b)</definedName></definedNames>',
      'sheets',
    ),
  names: (text, pick) =>
    inserted(
      text,
      `<definedNames>${sheetList(10 ** pick(6), (at) => `<definedName name="${choose([`n${at}`, 'same', '_xlnm.Print_Area', '_xlnm._FilterDatabase', 'A1', ...values], pick).slice(0, 300)}" localSheetId="${choose(['0', ...values], pick).slice(0, 300)}">${choose(formulas, pick)(() => 0)}</definedName>`)}</definedNames>`,
      'sheets',
    ),
  sheets: (text, pick) =>
    text.replace(
      '</sheets>',
      `${sheetList(10 ** pick(5), (at) => `<sheet name="${choose([`S${at}`, 'Same', ...values], pick).slice(0, 300)}" sheetId="${choose([String(at + 50), ...values], pick).slice(0, 300)}" r:id="${choose(['rId1', ...values], pick).slice(0, 300)}"/>`)}</sheets>`,
    ),
  calculation: (text, pick) =>
    inserted(
      text,
      `<calcPr iterate="1" iterateCount="${choose(values, pick)}" iterateDelta="${choose(values, pick)}"/>`,
      'sheets',
    ),
  hiddenSheets: (text) => text.replaceAll('<sheet ', '<sheet state="veryHidden" '),
};

const ofStyles: Readonly<Record<string, Change>> = {
  cycle: (text, pick) =>
    text.replaceAll(/xfId="\d+"/g, () => `xfId="${choose(['1', '0', ...values], pick)}"`),
  manyFormats(text, pick) {
    const one = `<xf numFmtId="${choose(values, pick)}" fontId="${choose(values, pick)}" fillId="${choose(values, pick)}" borderId="${choose(values, pick)}"/>`;
    return text.replace('</cellXfs>', () => `${repeated(one, 10 ** pick(6))}</cellXfs>`);
  },
  numberFormat: (text, pick) =>
    text.replace(
      /<fonts/,
      `<numFmts count="9">${sheetList(1 + pick(500), () => `<numFmt numFmtId="${choose(['14', '0', ...values], pick)}" formatCode="${choose(['0'.repeat(50_000), '[&lt;1]0;[&gt;', '"', '\\', '[$-', ';;;;;;;', '# ?/?'.repeat(999), ...values], pick)}"/>`)}</numFmts><fonts`,
    ),
};

const ofRelationships: Readonly<Record<string, Change>> = {
  target: (text, pick) =>
    replaceOne(
      text,
      /(?<=Target=)"[^"]*"/g,
      pick,
      () =>
        `"${choose(['http://127.0.0.1:1/x', '\\\\host\\share\\x', '../worksheets/sheet1.xml', ...values], pick)}"`,
    ),
  loop: (text, pick) => {
    const [target] = choose([...text.matchAll(/(?<=Target=)"[^"]*"/g)], pick) ?? [];
    return target === undefined ? text : text.replaceAll(/(?<=Target=)"[^"]*"/g, () => target);
  },
  outside: (text, pick) =>
    replaceOne(text, /<Relationship /g, pick, () => '<Relationship TargetMode="External" '),
  types: (text, pick) => {
    const all = [...text.matchAll(/(?<=Type=)"[^"]*"/g)].map(([found]) => found);
    return text.replaceAll(/(?<=Type=)"[^"]*"/g, () => choose(all, pick));
  },
  many: (text, pick) =>
    inserted(
      text,
      sheetList(10 ** pick(6), (at) => `<Relationship Id="many${at}" Type="x" Target="t${at}"/>`),
    ),
};

/** Which parts which ways are for. */
const byPart: readonly (readonly [RegExp, Readonly<Record<string, Change>>])[] = [
  [SHEET, ofSheets],
  [SHEET, ofSheets],
  [XML, ofAnyPart],
  [XML, ofAnyPart],
  [WORKBOOK, ofWorkbook],
  [STYLES, ofStyles],
  [RELATIONSHIPS, ofRelationships],
];

/** Ways to damage the package as such. */
const ofPackage: Readonly<Record<string, (parts: Parts, pick: Pick) => Parts>> = {
  sameNames: (parts, pick) => {
    const name = choose(Object.keys(parts), pick);
    return { ...parts, [name.toUpperCase()]: parts[name]! };
  },
  bomb: (parts, pick) => {
    const name = choose(Object.keys(parts), pick);
    const filler = choose([' ', '\u0000', '<a/>', '<c/>', 'A'], pick);
    return { ...parts, [name]: joined(parts[name]!, Buffer.alloc(10 ** (4 + pick(4)), filler)) };
  },
  manyParts: (parts, pick) => ({
    ...parts,
    ...Object.fromEntries(
      Array.from({ length: 10 ** (1 + pick(4)) }, (_, at) => [`xl/media/m${at}.png`, new Uint8Array(0)]),
    ),
  }),
  namesOutside: (parts, pick) => ({
    ...parts,
    [choose(
      ['../../x.xml', '/abs.xml', 'a\\b.xml', '__proto__.xml', 'xl/', 'CON', 'x'.repeat(60_000)],
      pick,
    )]: strToU8('<a/>'),
  }),
  utf16: (parts, pick) => {
    const name = choose(
      Object.keys(parts).filter((one) => XML.test(one)),
      pick,
    );
    return name === undefined
      ? parts
      : { ...parts, [name]: Buffer.from(choose(['\ufeff', ''], pick) + strFromU8(parts[name]!), 'utf16le') };
  },
  encoding: (parts, pick) => {
    const name = choose(
      Object.keys(parts).filter((one) => XML.test(one)),
      pick,
    );
    if (name === undefined) return parts;
    const declared = choose(['latin1', 'utf-7', 'UTF-16', 'utf-32', 'x-none', ''], pick);
    const text = strFromU8(parts[name]!).replace(/encoding="[^"]*"/i, `encoding="${declared}"`);
    return {
      ...parts,
      [name]: pick(2) === 0 ? strToU8(text) : joined(strToU8(text.replace('</', '\u00e9</'), true)),
    };
  },
};

const joined = (...pieces: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

interface MutationMeans {
  readonly seed: number;
  readonly other: Uint8Array;
  readonly origin: string;
  /** Parts are not made larger than this. */
  readonly mostBytes?: number;
}

/** Makes a workbook hostile in ways that its seed decides: as any file, as a package, or in what its parts say. */
export function mutateWorkbook(
  bytes: Uint8Array,
  { mostBytes = Number.POSITIVE_INFINITY, ...means }: MutationMeans,
): { bytes: Uint8Array; how: string } {
  const pick = pickFrom(means.seed);
  if (pick(6) === 0) return mutate(bytes, means);
  let parts: Parts;
  try {
    parts = unzipSync(bytes, { filter: ({ originalSize }) => originalSize < 16_777_216 });
  } catch {
    return mutate(bytes, means);
  }
  const hows: string[] = [];
  for (let left = 1 + pick(3); left > 0; left--) {
    if (pick(8) === 0) {
      const how = choose(Object.keys(ofPackage), pick);
      const changed = ofPackage[how]!(parts, pick);
      if (Object.values(changed).some(({ length }) => length > mostBytes)) continue;
      parts = changed;
      hows.push(how);
      continue;
    }
    const [pattern, changes] = choose(byPart, pick);
    const name = choose(
      Object.keys(parts).filter((one) => pattern.test(one)),
      pick,
    );
    if (name === undefined) continue;
    const how = choose(Object.keys(changes), pick);
    const text = changes[how]!(strFromU8(parts[name]!), pick);
    if (text.length > mostBytes) continue;
    parts = { ...parts, [name]: strToU8(text) };
    hows.push(`${name}-${how}`);
  }
  return { bytes: zipSync(parts, { level: 1 }), how: hows.join('+') };
}
