import type { CellFormat, Color, FormatTable } from './cell-format.ts';
import type { Grid } from './grid.ts';
import type { Item, ItemOf, SheetItemKind, WorkbookItemKind } from './items.ts';
import type { Lines } from './lines.ts';

/** Margins and sizes in inches, as xlsx has them. */
export interface PageSetup {
  readonly orientation?: 'portrait' | 'landscape';
  /** Number of a paper size in xlsx: 9 is A4. */
  readonly paper?: number;
  readonly scalePercent?: number;
  readonly fitsTo?: { readonly width: number; readonly height: number } | null;
  readonly margins?: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
    readonly header: number;
    readonly footer: number;
  };
  readonly gridlines?: boolean;
  readonly headings?: boolean;
  readonly centersHorizontally?: boolean;
  readonly centersVertically?: boolean;
  readonly header?: string;
  readonly footer?: string;
}

/** What a sheet's protection leaves to people: what is absent is not allowed. `extra`: the password's hash and so on. */
export interface SheetProtection {
  readonly allows: readonly SheetAct[];
  readonly extra?: Readonly<Record<string, unknown>>;
}
export const sheetActs = [
  'selectLocked',
  'selectUnlocked',
  'formatCells',
  'formatColumns',
  'formatRows',
  'insertColumns',
  'insertRows',
  'insertLinks',
  'deleteColumns',
  'deleteRows',
  'sort',
  'filter',
  'pivots',
  'objects',
  'scenarios',
] as const;
export type SheetAct = (typeof sheetActs)[number];

/** What a sheet is besides its content; what is absent is as in a new sheet. */
export interface SheetProperties {
  readonly name: string;
  readonly state?: 'visible' | 'hidden' | 'veryHidden';
  /** `chart` and `other` are kept and not shown as cells; a chart is drawn as its only drawing. */
  readonly type?: 'cells' | 'chart' | 'other';
  readonly color?: Color;
  /** How many rows and columns stay in sight. */
  readonly frozen?: { readonly rows: number; readonly columns: number };
  readonly hidesGridlines?: boolean;
  readonly hidesHeadings?: boolean;
  readonly showsFormulas?: boolean;
  readonly hidesZeros?: boolean;
  readonly rightToLeft?: boolean;
  readonly zoomPercent?: number;
  /** Points. */
  readonly rowHeight?: number;
  /** Characters of the normal font, as xlsx counts them. */
  readonly columnWidth?: number;
  /** The button that opens a group stands before it: above the rows, left of the columns. */
  readonly summaryAbove?: boolean;
  readonly summaryLeft?: boolean;
  readonly protection?: SheetProtection;
  readonly page?: PageSetup;
}

export type Items<Kind extends string> = { readonly [Name in Kind]?: ReadonlyMap<string, Item> };

/** A sheet. Never changes. */
export interface Sheet {
  /** For good: a sheet keeps it when it is renamed or moved. */
  readonly id: string;
  readonly properties: SheetProperties;
  readonly grid: Grid;
  readonly columns: Lines;
  readonly items: Items<SheetItemKind>;
  /** The sheet of the file of which it is a copy: what only the file has of that one is the copy's, too. */
  readonly copyOf?: string;
}

export interface Theme {
  /** `RRGGBB`: light 1, dark 1, light 2, dark 2, six accents, link, visited link, as cells count them. */
  readonly colors: readonly string[];
  readonly majorFont?: string;
  readonly minorFont?: string;
}

export interface Calculation {
  readonly mode?: 'auto' | 'autoExceptTables' | 'manual';
  readonly iterates?: boolean;
  readonly iterations?: number;
  readonly maximumChange?: number;
  readonly precisionAsShown?: boolean;
}

/** What volatile functions stand on: set by the operations of the log, so that all replicas calculate alike. */
export interface VolatileState {
  /**
   * What NOW and TODAY tell: the time on the clock of who made the last change, as milliseconds since 1970 if that clock were UTC.
   * Everybody sees the same, wherever they are.
   */
  readonly timeMs: number;
  /** From 0 to 2^32 - 1: RAND and the like are made of it and of where they stand. */
  readonly seed: number;
  /**
   * How texts become numbers and numbers texts: the region, such as `de-AT`, of who made the first change. Without one everybody
   * calculates by their own.
   */
  readonly region?: string;
}

export interface WorkbookProperties {
  /** Days are counted from 1904. */
  readonly date1904?: boolean;
  readonly calculation?: Calculation;
  readonly theme?: Theme;
  /** Nobody may add, remove, rename, move, hide or show sheets. */
  readonly protected?: boolean;
  /** Password of that protection: attributes as those of a sheet's protection are called. */
  readonly structureKey?: Readonly<Record<string, unknown>>;
  /** Cell styles by name, for new cells: what they stand for. */
  readonly styles?: Readonly<Record<string, CellFormat>>;
}

/** A workbook. Never changes: an operation leads to another one, which shares with it all that is equal. */
export interface Workbook {
  /** In the order of their tabs. */
  readonly sheets: readonly Sheet[];
  readonly properties: WorkbookProperties;
  readonly formats: FormatTable;
  readonly items: Items<WorkbookItemKind>;
  readonly volatile: VolatileState;
  /** Sheets that were removed, as they were: they can come back. */
  readonly removed: ReadonlyMap<string, RemovedSheet>;
  /** Comments that were removed: only these come back in the name of somebody else. By sheet and id. */
  readonly removedComments: ReadonlyMap<string, ItemOf<'comment'>>;
}

export interface RemovedSheet {
  readonly sheet: Sheet;
  readonly index: number;
  /** Those that counted in it alone, by their ids. */
  readonly names: ReadonlyMap<string, ItemOf<'name'>>;
}

export const sheetOf = ({ sheets }: Pick<Workbook, 'sheets'>, id: string): Sheet | undefined =>
  sheets.find((sheet) => sheet.id === id);

/** Names of sheets are equal whatever their case. */
export const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const sheetNamed = ({ sheets }: Pick<Workbook, 'sheets'>, name: string): Sheet | undefined =>
  sheets.find(({ properties }) => sameName(properties.name, name));

export const noItems: ReadonlyMap<string, Item> = new Map();

/** The items of a kind by their ids. */
export const itemsOf = <Kind extends SheetItemKind>(
  { items }: Pick<Sheet, 'items'>,
  kind: Kind,
): ReadonlyMap<string, ItemOf<Kind>> =>
  ((items as Items<Kind>)[kind] ?? noItems) as unknown as ReadonlyMap<string, ItemOf<Kind>>;

export const namesOf = ({ items }: Pick<Workbook, 'items'>): ReadonlyMap<string, ItemOf<'name'>> =>
  (items.name ?? noItems) as unknown as ReadonlyMap<string, ItemOf<'name'>>;

/** The sheets that have tabs. */
export const visibleSheets = ({ sheets }: Workbook): readonly Sheet[] =>
  sheets.filter(({ properties }) => (properties.state ?? 'visible') === 'visible');
