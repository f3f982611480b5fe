import { Grid } from '../../../../model/cell/grid.ts';
import type { Drawing, Item } from '../../../../model/cell/items.ts';
import { Lines } from '../../../../model/cell/lines.ts';
import type { Sheet } from '../../../../model/cell/workbook.ts';
import { type OfficePackage, unlessDamaged } from '../package/office-package.ts';
import type { MediaCatalog } from '../package/pictures.ts';
import { drawingPartOf, readDrawings } from './items/drawing-items.ts';
import type { SheetEntry } from './workbook-part.ts';

/** EMU: a landscape page without its margins, for charts that are said to be of no size. */
const PAGE_SIZE = [9_308_969, 6_078_325] as const;

/** A sheet that has no cells here. */
export function emptySheet({ id, name, state }: SheetEntry, type: 'chart' | 'other'): Sheet {
  return {
    id,
    properties: { name, type, ...(state !== 'visible' && { state }) },
    grid: Grid.empty,
    columns: Lines.empty,
    items: {},
  };
}

/** Reads the charts of sheets of their own, to be shown: they are written as parts that are held, not as drawings. */
export class ChartSheets {
  readonly #opened: OfficePackage;
  readonly #media: MediaCatalog;
  /** A drawing is read once, however many sheets lead to it. */
  readonly #read = new Set<string>();

  constructor(opened: OfficePackage, media: MediaCatalog) {
    this.#opened = opened;
    this.#media = media;
  }

  /** The sheet with its chart alone, where that can be read. @param partName of the sheet */
  withChart(sheet: Sheet, partName: string): Sheet {
    const chart = this.#chartOf(partName);
    if (!chart) return sheet;
    return {
      ...sheet,
      properties: { ...sheet.properties, hidesGridlines: true, hidesHeadings: true },
      items: { drawing: new Map<string, Item>([['d1', chart]]) },
    };
  }

  #chartOf(sheetPart: string): Drawing | undefined {
    const opened = this.#opened;
    const xml = opened.readableXml(sheetPart);
    const part =
      xml && unlessDamaged(() => drawingPartOf(opened, sheetPart, xml, opened.relationshipsOf(sheetPart)));
    if (!part || this.#read.has(part.partName)) return undefined;
    this.#read.add(part.partName);
    const drawings = readDrawings(opened, part.partName, part.relationships, this.#media);
    const chart = [...(drawings?.items.values() ?? [])].find((drawing) => drawing.chart && !drawing.hidden);
    if (!chart) return undefined;
    const [width, height] = chart.anchor.size ?? PAGE_SIZE;
    const size = width > 0 && height > 0 ? ([width, height] as const) : PAGE_SIZE;
    return { ...chart, anchor: { from: [0, 0, 0, 0], size: [...size], follows: 'none' } };
  }
}
