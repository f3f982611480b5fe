/** Pieces of WordprocessingML that the templates are put together from. Widths are in twips, sizes in half-points. */

interface RunLook {
  bold?: boolean;
  italic?: boolean;
  /** Six hexadecimal digits. */
  colour?: string;
}

interface ParagraphLook extends RunLook {
  style?: string;
  align?: 'left' | 'center' | 'right';
}

type ListKind = 'bullet' | 'number';

interface TableLook {
  /** Widths of the columns, twips. */
  columns: readonly number[];
  /** Columns whose text stands at the end, as numbers do. */
  endAligned?: readonly number[];
}

/** Numbers of the list definitions in the numbering part. */
export const listNumbers: Readonly<Record<ListKind, number>> = { bullet: 1, number: 2 };

const headerShade = '1F3A5F';
const bandShade = 'F3F6FB';
const borderColour = 'C9D3E3';

/** A text as it stands in XML. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A run of text. */
export function run(text: string, { bold, italic, colour }: RunLook = {}): string {
  const look = [bold && '<w:b/>', italic && '<w:i/>', colour && `<w:color w:val="${colour}"/>`]
    .filter(Boolean)
    .join('');
  const properties = look && `<w:rPr>${look}</w:rPr>`;
  return `<w:r>${properties}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}

/** A paragraph of one text, or of runs that were made already. */
export function paragraph(content: string | readonly string[], look: ParagraphLook = {}): string {
  const { style, align } = look;
  const properties = [style && `<w:pStyle w:val="${style}"/>`, align && `<w:jc w:val="${align}"/>`]
    .filter(Boolean)
    .join('');
  const runs = typeof content === 'string' ? (content === '' ? '' : run(content, look)) : content.join('');
  return `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${runs}</w:p>`;
}

/** A label in bold and what it says. */
export function labelled(label: string, text: string): string {
  return paragraph([run(`${label}  `, { bold: true, colour: headerShade }), run(text)], { style: 'Details' });
}

/** Paragraphs of a list. */
export function list(kind: ListKind, items: readonly string[]): string {
  const style = kind === 'bullet' ? 'ListBullet' : 'ListNumber';
  const numbering = `<w:numPr><w:ilvl w:val="0"/><w:numId w:val="${listNumbers[kind]}"/></w:numPr>`;
  return items
    .map((text) => `<w:p><w:pPr><w:pStyle w:val="${style}"/>${numbering}</w:pPr>${run(text)}</w:p>`)
    .join('');
}

/** A table with a header row that is repeated on every page. */
export function table(rows: readonly (readonly string[])[], { columns, endAligned = [] }: TableLook): string {
  const border = (side: string) =>
    `<w:${side} w:val="single" w:sz="4" w:space="0" w:color="${borderColour}"/>`;
  const sides = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV'].map(border).join('');
  const width = columns.reduce((sum, one) => sum + one, 0);
  const margins =
    '<w:tblCellMar><w:top w:w="70" w:type="dxa"/><w:left w:w="115" w:type="dxa"/>' +
    '<w:bottom w:w="70" w:type="dxa"/><w:right w:w="115" w:type="dxa"/></w:tblCellMar>';
  const cell = (text: string, row: number, column: number) => {
    const shade = row === 0 ? headerShade : row % 2 === 0 ? bandShade : '';
    const shading = shade && `<w:shd w:val="clear" w:color="auto" w:fill="${shade}"/>`;
    const align = endAligned.includes(column) ? { align: 'right' as const } : {};
    const look = row === 0 ? { bold: true, colour: 'FFFFFF' } : {};
    return (
      `<w:tc><w:tcPr><w:tcW w:w="${columns[column]}" w:type="dxa"/>${shading}</w:tcPr>` +
      `${paragraph(text, { style: 'TableText', ...align, ...look })}</w:tc>`
    );
  };
  const lines = rows.map((texts, row) => {
    const header = row === 0 ? '<w:trPr><w:tblHeader/></w:trPr>' : '';
    return `<w:tr>${header}${texts.map((text, column) => cell(text, row, column)).join('')}</w:tr>`;
  });
  return (
    `<w:tbl><w:tblPr><w:tblW w:w="${width}" w:type="dxa"/><w:tblBorders>${sides}</w:tblBorders>` +
    `<w:tblLayout w:type="fixed"/>${margins}<w:tblLook w:val="0420"/></w:tblPr>` +
    `<w:tblGrid>${columns.map((one) => `<w:gridCol w:w="${one}"/>`).join('')}</w:tblGrid>${lines.join('')}</w:tbl>`
  );
}
