import { buildDocx } from './docx-fixture.ts';

/** A docx of 10 KB with nearly as many table cells as a source may have: our engine works on it for seconds. */
export function slowDocument(number: number): Uint8Array {
  const row = `<w:tr>${'<w:tc><w:p/></w:tc>'.repeat(50)}</w:tr>`;
  return buildDocx({ paragraphs: [`Number ${number}`], body: `<w:tbl>${row.repeat(1_980)}</w:tbl>` });
}
