/** One page of a PDF that is made here. */
export interface PdfPage {
  /** Lines of ASCII text, from the top. */
  lines: readonly string[];
  /** Addresses of links, each beside a line. */
  links?: readonly string[];
}

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');

/** A PDF of A4 pages (ISO 32000-1, 7.5), with a font that every reader has. `openAction`: a script that it wants run. */
export function buildPdf(pages: readonly PdfPage[], { openAction = '' } = {}): Uint8Array {
  const objects: string[] = [];
  const add = (body: string): number => objects.push(body);
  const catalog = add('');
  const tree = add('');
  const font = add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  const kids = pages.map(({ lines, links = [] }) => {
    const text = lines.map((line) => `(${escaped(line)}) Tj T*`).join(' ');
    const content = `BT /F1 14 Tf 20 TL 72 770 Td ${text} ET`;
    const stream = add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    const annotations = links.map((uri, index) => {
      const top = 785 - 20 * index;
      return add(
        `<< /Type /Annot /Subtype /Link /Rect [72 ${top - 20} 300 ${top}] /A << /S /URI /URI (${escaped(uri)}) >> >>`,
      );
    });
    return add(
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595 842] /Contents ${stream} 0 R ` +
        `/Resources << /Font << /F1 ${font} 0 R >> >> /Annots [${annotations.map((id) => `${id} 0 R`).join(' ')}] >>`,
    );
  });
  const action = openAction === '' ? '' : ` /OpenAction << /S /JavaScript /JS (${escaped(openAction)}) >>`;
  objects[catalog - 1] = `<< /Type /Catalog /Pages ${tree} 0 R${action} >>`;
  objects[tree - 1] =
    `<< /Type /Pages /Kids [${kids.map((id) => `${id} 0 R`).join(' ')}] /Count ${kids.length} >>`;
  let pdf = '%PDF-1.7\n';
  const offsets: number[] = [];
  const write = (index: number): void => {
    offsets[index] = pdf.length;
    pdf += `${index + 1} 0 obj\n${objects[index]}\nendobj\n`;
  };
  // What a reader needs of all pages lies together, as in files of real programs.
  const isContent = (index: number): boolean => objects[index]!.includes('stream');
  const all = objects.map((_, index) => index);
  for (const index of all.filter((one) => !isContent(one))) write(index);
  for (const index of all.filter(isContent)) write(index);
  const start = pdf.length;
  const entries = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new TextEncoder().encode(pdf);
}
