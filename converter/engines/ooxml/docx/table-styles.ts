import type { XmlDocument } from '../package/xml-document.ts';
import type { XmlElement } from '../package/xml-scanner.ts';

interface TableStyle {
  readonly basedOn: string | undefined;
  readonly borders: Borders;
}

/** Whether a line is drawn, by side; a side that is not said is the base's matter. */
type Borders = ReadonlyMap<string, boolean>;

/** Styles of tables that are based on each other, beyond which a file is thought to be broken. */
const MOST_BASES = 100;

/** Name of the built-in style of tables with lines around their cells, whatever id a language gives it. */
const TABLE_GRID = 'table grid';

/** What the writer and the view need to know of the table styles (17.7.6) of a document. */
export class TableStyles {
  /** Id of the style of tables with plain lines. */
  readonly gridStyle: string | undefined;
  readonly #styles = new Map<string, TableStyle>();
  readonly #default: string | undefined;

  /** @param xml the styles part, undefined when there is none */
  constructor(xml: XmlDocument | undefined) {
    for (const element of xml?.root.children ?? []) {
      const attributes = element.name === 'w:style' ? xml!.attributes(element) : {};
      const { 'w:styleId': id, 'w:type': type, 'w:default': isDefault } = attributes;
      if (id === undefined || type !== 'table') continue;
      const value = (name: string) => xml!.attribute(xml!.child(element, name), 'w:val');
      const borders = bordersOf(xml!, xml!.child(xml!.child(element, 'w:tblPr'), 'w:tblBorders'));
      this.#styles.set(id, { basedOn: value('w:basedOn'), borders });
      if (['1', 'true', 'on'].includes(isDefault ?? '')) this.#default = id;
      if (value('w:name')?.toLowerCase() === TABLE_GRID) this.gridStyle = id;
    }
  }

  has(id: string): boolean {
    return this.#styles.has(id);
  }

  /**
   * True when a table of this style has a line on any side or between cells.
   * @param style null for the default style
   * @param own borders that the table says itself
   */
  drawsLines(style: string | null, own: Borders = new Map()): boolean {
    const sides = new Map(own);
    const seen = new Set<string>();
    let id = style ?? this.#default;
    while (id !== undefined && !seen.has(id) && seen.size < MOST_BASES) {
      seen.add(id);
      const known: TableStyle | undefined = this.#styles.get(id);
      for (const [side, drawn] of known?.borders ?? []) if (!sides.has(side)) sides.set(side, drawn);
      id = known?.basedOn;
    }
    return [...sides.values()].includes(true);
  }
}

/** The sides that a `w:tblBorders` or `w:tcBorders` (17.4.38, 17.4.66) speaks of. */
export function bordersOf(xml: XmlDocument, element: XmlElement | undefined): Borders {
  const sides = new Map<string, boolean>();
  for (const side of element?.children ?? []) {
    const line = xml.attribute(side, 'w:val') ?? 'none';
    sides.set(side.name.replace('start', 'left').replace('end', 'right'), line !== 'none' && line !== 'nil');
  }
  return sides;
}
