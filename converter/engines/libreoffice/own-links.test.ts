import { strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { withOwnLinks } from './own-links.ts';

const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const textOf = (bytes: Uint8Array, encoding: BufferEncoding = 'latin1') =>
  Buffer.from(bytes).toString(encoding);

describe('links to files beside the source', () => {
  it('[CV35] are relative in text, and names of workbooks whole addresses without a directory', () => {
    const link = (address: string) =>
      textOf(withOwnLinks(Buffer.from(`<a href="${address}">`), '/tmp/room/jobs/7'));
    expect(link('file:///tmp/room/jobs/7/b%20c.docx')).toBe('<a href="b%20c.docx">');
    expect(link('file:///tmp/room/jobs/b.docx')).toBe('<a href="../b.docx">');
    expect(link('file:///tmp/room/b.docx')).toBe('<a href="../../b.docx">');
    expect(link('file:///tmp/roomy/b.docx')).toBe('<a href="file:///tmp/roomy/b.docx">');
    const formula = Buffer.from("['file:///tmp/room/jobs/7/b.xls'#$A.A1]");
    expect(textOf(withOwnLinks(formula, '/tmp/room/jobs/7'))).toBe("['file:///b.xls'#$A.A1]");
  });

  it('[CV35] are relative in all parts of a package; a file without such links keeps its bytes', () => {
    const packed = zipSync({
      'a.rels': strToU8('<R Target="file:///tmp/room/jobs/7/b.xls"/>'),
      'b.xml': strToU8('<v>&apos;file:///tmp/room/jobs/7/b.ods&apos;#$A</v>'),
      'c.bin': strToU8('file:///tmp/room/jobs/7/'),
    });
    const parts = unzipSync(withOwnLinks(packed, '/tmp/room/jobs/7'));
    expect(textOf(parts['a.rels']!)).toBe('<R Target="b.xls"/>');
    expect(textOf(parts['b.xml']!)).toBe('<v>&apos;file:///b.ods&apos;#$A</v>');
    expect(withOwnLinks(packed, '/tmp/other/jobs/7')).toBe(packed);
    const broken = packed.subarray(0, packed.length - 9);
    expect(withOwnLinks(broken, '/tmp/room/jobs/7')).toBe(broken);
  });

  it.each([
    ['an even length', '/tmp/room/jobs/7'],
    ['an odd one', '/tmp/room/jobs/17'],
  ])(
    '[CV35] lead to the same place by a way of the same length in binary files, with %s',
    (_name, directory) => {
      for (const encoding of ['latin1', 'utf16le'] as const) {
        for (const [beside, expected] of [
          [`${directory}/b.doc`, '/x/y/z/b.doc'],
          ['/tmp/room/jobs/b.doc', '/x/y/b.doc'],
          ['/tmp/room/b.doc', '/x/b.doc'],
        ] as const) {
          const url = Buffer.from(`file://${beside}`, encoding);
          const coded = Buffer.from(`\u0001\u0002${beside.slice(1).replaceAll('/', '\u0003')}`, encoding);
          const byUrl = withOwnLinks(Buffer.concat([COMPOUND, url]), directory).subarray(COMPOUND.length);
          const byCode = withOwnLinks(Buffer.concat([COMPOUND, coded]), directory).subarray(COMPOUND.length);
          expect([byUrl.length, byCode.length]).toEqual([url.length, coded.length]);
          expect(new URL(textOf(byUrl, encoding), 'file:///x/y/z/').pathname).toBe(expected);
          const way = textOf(byCode, encoding).slice(1).replaceAll('\u0003', '/').replaceAll('\u0004', '../');
          expect(new URL(way, 'file:///x/y/z/').pathname).toBe(expected);
        }
      }
    },
  );
});
