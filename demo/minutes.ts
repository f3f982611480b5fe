import { buildDocx } from '../test/support/docx-fixture.ts';

/** The document of the demonstration: minutes of a meeting, with a table that nobody is going to touch. */
export function minutes(): Uint8Array {
  const cell = (text: string) =>
    `<w:tc><w:tcPr><w:tcW w:w="4500" w:type="dxa"/></w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
  const row = (...texts: string[]) => `<w:tr>${texts.map(cell).join('')}</w:tr>`;
  return buildDocx({
    paragraphs: [
      { text: 'Minutes of the garden committee', style: 'Heading1' },
      'Present: Ann, Bob, and a dozen bees.',
      'The committee decided to plant apple trees.',
      'Next meeting:',
    ],
    body: `<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w="4500"/><w:gridCol w:w="4500"/></w:tblGrid>${row('Task', 'Who')}${row('Water the beds', 'Bob')}</w:tbl><w:p/>`,
  });
}
