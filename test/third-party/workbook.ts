import { strFromU8, unzipSync } from 'fflate';
import { XmlDocument } from '../../converter/engines/ooxml/package/xml-document.ts';
import type { XmlElement } from '../../converter/engines/ooxml/package/xml-scanner.ts';

/** A cell of an xlsx; `value` is what a formula came to. */
export interface WorkbookCell {
  value: string;
  formula: string;
  /** Number of its format in the list of the workbook. */
  style: number;
}

const empty: WorkbookCell = { value: '', formula: '', style: 0 };

/** The first sheet of an assembled xlsx, read without any editor. */
export class Workbook {
  readonly bytes: Uint8Array;
  /** Names of all parts. */
  readonly parts: readonly string[];
  readonly #files: Record<string, Uint8Array>;
  readonly #cells = new Map<string, WorkbookCell>();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#files = unzipSync(bytes);
    this.parts = Object.keys(this.#files);
    const sheet = this.#xml('xl/worksheets/sheet1.xml');
    const strings = this.parts.includes('xl/sharedStrings.xml') ? this.#strings() : [];
    for (const cell of elements(sheet.root, 'c')) {
      const text = (name: string) =>
        elements(cell, name)
          .map((one) => sheet.content(one))
          .join('');
      const value = text('v');
      this.#cells.set(sheet.attribute(cell, 'r')!, {
        value: sheet.attribute(cell, 't') === 's' ? strings[Number(value)]! : value || text('t'),
        formula: text('f'),
        style: Number(sheet.attribute(cell, 's') ?? 0),
      });
    }
  }

  cell(reference: string): WorkbookCell {
    return this.#cells.get(reference) ?? empty;
  }

  /** What stands in cells, by reference. */
  values(...references: readonly string[]): Record<string, string> {
    return Object.fromEntries(references.map((one) => [one, this.cell(one).value]));
  }

  /** The text of a part. */
  text(name: string): string {
    const bytes = this.#files[name];
    if (!bytes) throw new Error(`there is no part ${name}, only ${this.parts.join(', ')}`);
    return strFromU8(bytes);
  }

  isBold(reference: string): boolean {
    const styles = this.#xml('xl/styles.xml');
    const format = elements(elements(styles.root, 'cellXfs')[0], 'xf')[this.cell(reference).style];
    const font = elements(elements(styles.root, 'fonts')[0], 'font')[
      Number(format && styles.attribute(format, 'fontId'))
    ];
    const [bold] = elements(font, 'b');
    return bold !== undefined && !['0', 'false'].includes(styles.attribute(bold, 'val') ?? '1');
  }

  #strings(): string[] {
    const xml = this.#xml('xl/sharedStrings.xml');
    return elements(xml.root, 'si').map((item) =>
      elements(item, 't')
        .map((text) => xml.content(text))
        .join(''),
    );
  }

  #xml(name: string): XmlDocument {
    return XmlDocument.parse(this.#files[name]!);
  }
}

/** All elements of this name below another, in document order. */
function elements(element: XmlElement | undefined, name: string): XmlElement[] {
  return (element?.children ?? []).flatMap((child) =>
    child.name === name ? [child, ...elements(child, name)] : elements(child, name),
  );
}
