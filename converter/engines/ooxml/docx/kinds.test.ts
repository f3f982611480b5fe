import { strFromU8, unzipSync, zipSync } from 'fflate';
import { Transform } from 'prosemirror-transform';
import { describe, expect, test } from 'vitest';
import { encodeChange } from '../../../../model/word/change.ts';
import { wordSchema } from '../../../../model/word/schema.ts';
import { buildDocx } from '../../../../test/support/docx-fixture.ts';
import { CONVERSION_ERROR, ConversionError } from '../../../errors.ts';
import { detectOffice } from '../package/office-kind.ts';
import { openDocx } from './docx-engine.ts';
import { assembleDocx } from './testing/assemble-docx.ts';

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const document = (attributes: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><w:document ${attributes}><w:body>${body}</w:body></w:document>`;

function codeOf(bytes: Uint8Array): number | undefined {
  try {
    openDocx(bytes);
  } catch (error) {
    if (error instanceof ConversionError) return error.serviceError;
    throw error;
  }
  return undefined;
}

/** An OLE file with one directory entry of this name, as far as telling kinds looks. */
function ole(stream: string): Buffer {
  const bytes = Buffer.alloc(1536);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.write(stream, 1024, 'utf16le');
  bytes.writeUInt16LE((stream.length + 1) * 2, 1024 + 64);
  return bytes;
}

function withoutPart(bytes: Uint8Array, name: string): Uint8Array {
  const { [name]: _removed, ...others } = unzipSync(bytes);
  return zipSync(others);
}

function typeInto(bytes: Uint8Array): string {
  const transform = new Transform(openDocx(bytes).doc).insert(1, wordSchema.text('typed '));
  const change = encodeChange('client', transform.steps[0]!);
  return openDocx(assembleDocx(bytes, [change]).bytes).doc.textContent;
}

describe('kinds of files', () => {
  test.each([
    ['docx', buildDocx()],
    ['zip', zipSync({ mimetype: Buffer.from('application/vnd.oasis.opendocument.text') })],
    ['broken-zip', buildDocx().subarray(0, 400)],
    ['broken-zip', withoutPart(buildDocx(), '_rels/.rels')],
    ['ole-encrypted', ole('EncryptedPackage')],
    ['ole-encrypted', ole('ENCRYPTEDPACKAGE')],
    ['doc', ole('WordDocument')],
    ['xls', ole('Workbook')],
    ['ppt', ole('PowerPoint Document')],
    ['ole', ole('Something')],
    ['pdf', Buffer.from('%PDF-1.7')],
    ['rtf', Buffer.from('{\\rtf1}')],
    ['unknown', Buffer.from('hello')],
    ['unknown', Buffer.alloc(0)],
  ] as const)('[W6] %s is told by its content', (kind, bytes) => {
    expect(detectOffice(bytes)).toBe(kind);
  });

  test('[W6] xlsx and pptx are told by the type of their main part', () => {
    const main = (type: string) =>
      buildDocx({
        contentTypes: {
          '/word/document.xml': `application/vnd.openxmlformats-officedocument.${type}.main+xml`,
        },
      });
    expect(detectOffice(main('spreadsheetml.sheet'))).toBe('xlsx');
    expect(detectOffice(main('presentationml.presentation'))).toBe('pptx');
    expect(codeOf(main('spreadsheetml.sheet'))).toBe(CONVERSION_ERROR.unknownFormat);
  });

  test.each([
    ['an encrypted document', ole('EncryptedPackage'), CONVERSION_ERROR.passwordRequired],
    ['a document of Word 97', ole('WordDocument'), CONVERSION_ERROR.unknownFormat],
    ['a PDF', Buffer.from('%PDF-1.7'), CONVERSION_ERROR.unknownFormat],
    ['an empty file', Buffer.alloc(0), CONVERSION_ERROR.corrupted],
    ['some text', Buffer.from('hello'), CONVERSION_ERROR.corrupted],
    [
      'a package without a document',
      withoutPart(buildDocx(), 'word/document.xml'),
      CONVERSION_ERROR.corrupted,
    ],
    [
      'a document without a body',
      buildDocx({ document: `<w:document xmlns:w="${WORD}"/>` }),
      CONVERSION_ERROR.corrupted,
    ],
    ['a main part that is no document', buildDocx({ document: '<html/>' }), CONVERSION_ERROR.corrupted],
    [
      'a document with a document type',
      buildDocx({ document: '<!DOCTYPE x><w:document/>' }),
      CONVERSION_ERROR.corrupted,
    ],
    [
      'a document of a namespace that is no word-processing document',
      buildDocx({ document: '<x:document xmlns:x="urn:x"><x:body/></x:document>' }),
      CONVERSION_ERROR.unknownFormat,
    ],
    [
      'a document that binds more prefixes than any program does',
      buildDocx({
        document: document(
          `xmlns:x="${WORD}" ${Array.from({ length: 2_000 }, (_, at) => `xmlns:n${at}="urn:${at}"`).join(' ')}`,
          '',
        ),
      }),
      CONVERSION_ERROR.limits,
    ],
    [
      'a document in another encoding',
      buildDocx({ document: '<?xml version="1.0" encoding="koi8-r"?><a/>' }),
      CONVERSION_ERROR.unknownFormat,
    ],
    [
      'a document nested too deeply',
      buildDocx({ body: '<w:p>'.repeat(300) + '</w:p>'.repeat(300) }),
      CONVERSION_ERROR.limits,
    ],
  ])('[W6] %s is refused', (_what, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });

  test('[W6] a document in the strict vocabulary opens, and what is added to it is strict', () => {
    const strict = 'http://purl.oclc.org/ooxml';
    const attributes = `xmlns:w="${strict}/wordprocessingml/main" xmlns:r="${strict}/officeDocument/relationships"`;
    const bytes = buildDocx({ document: document(attributes, '<w:p><w:r><w:t>text</w:t></w:r></w:p>') });
    const transform = new Transform(openDocx(bytes).doc)
      .addMark(1, 5, wordSchema.marks.link.create({ href: 'https://example.org/' }))
      .setNodeAttribute(0, 'indentLeft', 720);
    const { bytes: saved } = assembleDocx(
      bytes,
      transform.steps.map((step) => encodeChange('c', step)),
    );
    const parts = unzipSync(saved);
    expect(strFromU8(parts['word/_rels/document.xml.rels']!)).toContain(
      `${strict}/officeDocument/relationships/hyperlink`,
    );
    expect(strFromU8(parts['word/document.xml']!)).toContain('<w:ind w:start="720"/>');
  });

  test('[W6] a document in UTF-16 is written back in UTF-16', () => {
    const text = document(`xmlns:w="${WORD}"`, '<w:p><w:r><w:t>é</w:t></w:r></w:p>').replace(
      'UTF-8',
      'UTF-16',
    );
    const bytes = buildDocx({ document: Buffer.from(`\ufeff${text}`, 'utf16le') });
    expect(typeInto(bytes)).toBe('typed é');
  });

  test('[FD63] what is taken out of the element that binds its prefix has one that the root binds', () => {
    const own = '<w:r xmlns:z="urn:z"><w:rPr><z:more/></w:rPr><w:t>own</w:t></w:r>';
    const bytes = buildDocx({ body: `<w:p>${own}<w:r><w:t>plain</w:t></w:r></w:p>` });
    const { doc } = openDocx(bytes);
    expect(doc.firstChild?.textContent).toBe('ownplain');
    const transform = new Transform(doc).split(2);
    const { bytes: saved } = assembleDocx(
      bytes,
      transform.steps.map((step) => encodeChange('c', step)),
    );
    const xml = strFromU8(unzipSync(saved)['word/document.xml']!);
    expect(xml).toContain('xmlns:q="urn:z"><w:body>');
    expect(xml.match(/<q:more\/>/g)).toHaveLength(2);
  });

  test('[W3] a link in a document that does not bind the prefix r binds it itself', () => {
    const bytes = buildDocx({
      document: document(`xmlns:w="${WORD}"`, '<w:p><w:r><w:t>text</w:t></w:r></w:p>'),
    });
    const transform = new Transform(openDocx(bytes).doc).addMark(
      1,
      5,
      wordSchema.marks.link.create({ href: 'https://example.org/' }),
    );
    const { bytes: saved } = assembleDocx(
      bytes,
      transform.steps.map((step) => encodeChange('c', step)),
    );
    const reopened = openDocx(saved).doc.firstChild?.firstChild;
    expect(reopened?.marks[0]?.attrs.href).toBe('https://example.org/');
  });
});
