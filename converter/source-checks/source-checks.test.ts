import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { buildDocx } from '../../test/support/docx-fixture.ts';
import { ConversionError } from '../errors.ts';
import { checkSource } from './check-source.ts';
import { ContentCount } from './content-count.ts';
import { type SourceLimits, sourceLimits } from './source-limits.ts';
import { XmlGuard } from './xml-guard.ts';

const usual = sourceLimits(loadConfig({}));

/** The kind of the error that a source is refused with; `taken` when it is not. */
async function verdict(bytes: Uint8Array, limits: Partial<SourceLimits> = {}): Promise<string> {
  try {
    await checkSource(bytes, { ...usual, ...limits });
    return 'taken';
  } catch (error) {
    if (error instanceof ConversionError) return error.code;
    throw error;
  }
}

const zip = (parts: Record<string, string | Uint8Array>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );

const xml = (body: string, doctype = '') => `<?xml version="1.0"?>${doctype}<a>${body}</a>`;

describe('packages', () => {
  it('[SC5] that are what they seem are taken', async () => {
    expect(await verdict(buildDocx({ paragraphs: ['Text'] }))).toBe('taken');
    const inner = zip({ 'a.xml': xml('text') });
    expect(await verdict(zip({ 'content.xml': xml('text'), 'embedded.xlsx': inner }))).toBe('taken');
  });

  it('[SC6] that unpack to too much, or lie about it, are refused with -93', async () => {
    const large = new Uint8Array(3_000_000);
    expect(await verdict(zip({ large }), { unpackedBytes: 2_000_000 })).toBe('limits');
    expect(await verdict(zip({ a: large, b: large }), { unpackedBytes: 4_000_000 })).toBe('limits');
    expect(await verdict(zip({ inner: zip({ a: large }) }), { unpackedBytes: 2_000_000 })).toBe('limits');
    const liar = Buffer.from(zip({ large }));
    liar.writeUInt32LE(1_000_000, liar.indexOf('PK\x01\x02', 0, 'latin1') + 24);
    expect(await verdict(liar)).toBe('limits');
    let nested = zip({ a: 'text' });
    for (let depth = 0; depth < 5; depth++) nested = zip({ 'inner.zip': nested });
    expect(await verdict(nested)).toBe('limits');
  });

  it('[SC7] with names that lead out of them, or damaged, are refused with -86', async () => {
    for (const name of ['../up.xml', 'a/../../up', 'a\\..\\up', 'C:\\windows', 'nul\0byte']) {
      expect(await verdict(zip({ [name]: 'text' }))).toBe('corrupted');
    }
    const link = Buffer.from(zip({ link: '/etc/passwd' }));
    const record = link.indexOf('PK\x01\x02', 0, 'latin1');
    link[record + 5] = 3;
    link.writeUInt16LE(0o120777, record + 40);
    expect(await verdict(link)).toBe('corrupted');
    const twice = Buffer.from(
      zip({ 'a.xml': 'one', 'b.xml': 'two' }).map((byte) => (byte === 0x62 ? 0x61 : byte)),
    );
    expect(await verdict(twice)).toBe('corrupted');
    expect(await verdict(buildDocx({ paragraphs: ['Text'] }).slice(0, 200))).toBe('corrupted');
  });
});

it('[CV29] a web page whose elements do not end is no XML that is nested too deeply', async () => {
  const cells = '<tr><td>one<br>two'.repeat(500);
  for (const start of [
    '',
    '<!-- made by a program --> <!-- twice -->\n',
    '<style>td { color: red }</style>',
    '\uFEFF',
  ])
    expect(await verdict(strToU8(`${start}<table>${cells}</table>`))).toBe('taken');
  expect(await verdict(strToU8(`<tables>${cells}</tables>`))).toBe('limits');
  expect(await verdict(strToU8(`<p:sld>${cells}</p:sld>`))).toBe('limits');
  expect(await verdict(zip({ 'xl/tables/table1.xml': `<table>${cells}</table>` }))).toBe('limits');
  expect(await verdict(strToU8('<!---->'.repeat(2_000)))).toBe('taken');
});

const laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
const doctypes: readonly (readonly [string, string])[] = [
  [laughs, 'limits'],
  ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>', 'limits'],
  ['<!DOCTYPE a [<!ENTITY % p SYSTEM "http://example.com/a.dtd"> %p;]>', 'limits'],
  [`<!DOCTYPE a [<!ENTITY x "${'x'.repeat(300)}">]>`, 'limits'],
  [`<!DOCTYPE a [${'<!ENTITY x "y">'.repeat(80)}]>`, 'limits'],
  ['<!DOCTYPE svg [<!ENTITY ns_svg "http://www.w3.org/2000/svg">]>', 'taken'],
  ['<!DOCTYPE a PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">', 'taken'],
];

describe('XML', () => {
  it.each(doctypes)(
    '[SC8] entities that multiply or name other files are refused with -93: %s',
    async (doctype, kind) => {
      expect(await verdict(strToU8(xml('text', doctype)))).toBe(kind);
      expect(await verdict(zip({ 'content.xml': xml('text', doctype) }))).toBe(kind);
    },
  );

  it('[SC8] in UTF-16 too', async () => {
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml('text', laughs), 'utf16le')]);
    expect(await verdict(wide)).toBe('limits');
  });

  it('[SC9] elements that are nested too deeply are refused with -93', async () => {
    const nested = (depth: number) => xml('<b>'.repeat(depth) + '</b>'.repeat(depth));
    expect(await verdict(strToU8(nested(250)))).toBe('taken');
    expect(await verdict(zip({ 'a.xml': nested(300) }))).toBe('limits');
    const empty = xml('<b c="/>"/><!-- <d> --><![CDATA[<e>]]><?f <g>?>'.repeat(400));
    expect(await verdict(strToU8(empty))).toBe('taken');
  });

  it('[SC9] is followed alike however it comes in pieces', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '<a>',
        '</a>',
        '<a b=">"/>',
        "<a b='/'>",
        '<!-- <a> -> -->',
        '<![CDATA[]]]]>',
        '<?x a>?>',
        'text',
        '<a/>',
        '<tc/>',
        '<table-row number-rows-repeated="3">',
        '</table-row>',
      ),
      { maxLength: 300 },
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const bytes = strToU8(parts.join('') + '<a>'.repeat(100));
        const refused = (step: number) => {
          const guard = new XmlGuard(bytes, new ContentCount({ ...usual, elements: 150 }));
          try {
            for (let at = 0; at < bytes.length; at += step) guard.read(bytes.subarray(at, at + step));
            return false;
          } catch {
            return true;
          }
        };
        expect(refused(size)).toBe(refused(bytes.length));
      }),
      { numRuns: 50 },
    );
  });

  it('[SC10] sheets with more cells than are allowed are refused with -93, made ones counted', async () => {
    const row = (columns: number, value = 'office:value-type="float"') =>
      `<office:body><office:spreadsheet><table:table-row table:number-rows-repeated="1048576"><table:table-cell ${value} table:number-columns-repeated="${columns}"/></table:table-row></office:spreadsheet></office:body>`;
    expect(await verdict(strToU8(xml(row(1_024))))).toBe('limits');
    expect(await verdict(strToU8(xml(row(1_024, ''))))).toBe('taken');
    expect(
      await verdict(zip({ 'xl/worksheets/sheet1.xml': xml('<c r="A1"/>'.repeat(50)) }), { cells: 49 }),
    ).toBe('limits');
  });
});

function png(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function bmp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.write('BM', 'latin1');
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  return bytes;
}

function jpeg(width: number, height: number): Buffer {
  const bytes = Buffer.from('ffd8ffe000040000ffc0001108000000000301220002110103110100', 'hex');
  bytes.writeUInt16BE(height, 13);
  bytes.writeUInt16BE(width, 15);
  return bytes;
}

function gif(width: number, height: number): Buffer {
  const bytes = Buffer.from('GIF89a\0\0\0\0\0\0\0', 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
}

function tiff(width: number, height: number): Buffer {
  const bytes = Buffer.from(
    '49492a0008000000020000010400010000000000000001010400010000000000000000000000',
    'hex',
  );
  bytes.writeUInt32LE(width, 18);
  bytes.writeUInt32LE(height, 30);
  return bytes;
}

describe('pictures', () => {
  it.each([
    ['png', png],
    ['bmp', bmp],
    ['jpg', jpeg],
    ['gif', gif],
    ['tiff', tiff],
  ] as const)(
    '[SC11] a %s that is larger than is allowed is refused with -93, alone and in a package',
    async (name, make) => {
      expect(await verdict(make(60_000, 60_000))).toBe('limits');
      expect(await verdict(make(600, 600))).toBe('taken');
      expect(await verdict(make(600, 600), { pixels: 300_000 })).toBe('limits');
      expect(await verdict(zip({ [`media/image1.${name}`]: make(60_000, 60_000) }))).toBe('limits');
    },
  );

  it('[SC11] of a jpg the frames count that a decoder reads, and not what looks like one behind its end', async () => {
    const end = Buffer.from('ffd9', 'hex');
    const large = jpeg(60_000, 60_000).subarray(2);
    const small = jpeg(600, 600);
    expect(await verdict(Buffer.concat([small, end, large]))).toBe('taken');
    expect(await verdict(Buffer.concat([small, large, end]))).toBe('limits');
    expect(await verdict(Buffer.concat([small.subarray(0, 2), end, large]))).toBe('limits');
    // TEM has no length: a decoder goes on right behind it.
    expect(await verdict(Buffer.concat([small.subarray(0, 2), Buffer.from('ff01', 'hex'), large]))).toBe(
      'limits',
    );
  });
});
