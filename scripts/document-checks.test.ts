import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { DocumentRun } from '../bench/support/document-run.ts';
import { wordSchema } from '../model/word/schema.ts';
import { buildDocx } from '../test/support/docx-fixture.ts';

const styles =
  '<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="character" w:styleId="PH"><w:name w:val="Placeholder Text"/></w:style></w:styles>';
const styled = (text: string) => `<w:r><w:rPr><w:rStyle w:val="PH"/></w:rPr><w:t>${text}</w:t></w:r>`;
const body = `<w:p><w:sdt><w:sdtPr><w:showingPlcHdr/><w:text/></w:sdtPr><w:sdtContent>${styled('Enter')}</w:sdtContent></w:sdt>${styled('beside')}</w:p>`;

/** What the checks find after a text was put in the place of another, with its marks. @param isKnown whether they are told that somebody typed over a placeholder */
function faultsAfter(was: string, now: string, isKnown: boolean): string[] {
  const run = new DocumentRun('a.docx', buildDocx({ body, parts: { 'word/styles.xml': styles } }));
  const { doc } = run.source;
  let from = 0;
  doc.descendants((node, position) => {
    if (node.text === was) from = position;
  });
  const { marks } = doc.nodeAt(from)!;
  const text = wordSchema.text(now, marks);
  const written = run.write(new Transform(doc).replaceWith(from, from + was.length, text).doc);
  return [...run.faultsOf(isKnown ? written : { ...written, hasTypedOver: false }).keys()];
}

describe('the checks of documents', () => {
  it('[SU58] know that a text in the place of a placeholder loses its style, and see that no other does', () => {
    expect(faultsAfter('Enter', 'Ann', true)).toEqual([]);
    expect(faultsAfter('Enter', 'Ann', false)).toEqual(['another document when reopened']);
    expect(faultsAfter('beside', 'else', true)).toEqual([]);
  });
});
