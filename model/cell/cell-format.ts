/** A colour: one of these ways. `tint` from -1 (black) to 1 (white) is applied to it. */
export interface Color {
  /** `RRGGBB`. */
  readonly rgb?: string;
  /** Index in the theme's colours. */
  readonly theme?: number;
  /** Index in the palette of old. */
  readonly indexed?: number;
  readonly auto?: boolean;
  readonly tint?: number;
}

export interface Font {
  readonly name?: string;
  /** Points. */
  readonly size?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: 'single' | 'double' | 'singleAccounting' | 'doubleAccounting';
  readonly strike?: boolean;
  readonly color?: Color;
  readonly vertical?: 'superscript' | 'subscript';
  readonly scheme?: 'major' | 'minor';
}

export interface GradientStop {
  /** From 0 to 1. */
  readonly at: number;
  readonly color: Color;
}

export interface Fill {
  /** `solid`, or another pattern of xlsx (`gray125`, …); absent for a gradient. */
  readonly pattern?: string;
  /** Of a solid fill, or the pattern's lines. */
  readonly color?: Color;
  /** Behind the lines of a pattern. */
  readonly background?: Color;
  readonly gradient?: { readonly degree?: number; readonly stops: readonly GradientStop[] };
}

export interface BorderLine {
  /** As xlsx names them: `thin`, `medium`, `dashed`, `double`, … */
  readonly style: string;
  readonly color?: Color;
}

export interface Borders {
  readonly left?: BorderLine;
  readonly right?: BorderLine;
  readonly top?: BorderLine;
  readonly bottom?: BorderLine;
  readonly diagonal?: BorderLine;
  readonly diagonalUp?: boolean;
  readonly diagonalDown?: boolean;
}

export interface Alignment {
  readonly horizontal?: 'left' | 'center' | 'right' | 'fill' | 'justify' | 'centerContinuous' | 'distributed';
  readonly vertical?: 'top' | 'center' | 'bottom' | 'justify' | 'distributed';
  readonly wrap?: boolean;
  readonly shrink?: boolean;
  readonly indent?: number;
  /** Degrees, 0 to 90 upwards, 91 to 180 downwards (less 90); 255: letters beneath each other. */
  readonly rotation?: number;
  /** 1: left to right, 2: right to left. */
  readonly readingOrder?: 1 | 2;
}

export interface CellProtection {
  /** True unless said otherwise. */
  readonly locked?: boolean;
  readonly hidden?: boolean;
}

/** How a cell looks. What is absent is as in the workbook's normal style. Complete: nothing is inherited from elsewhere. */
export interface CellFormat {
  /** Number format as text (`0.00`, `dd/mm/yyyy`); absent: General. */
  readonly number?: string;
  readonly font?: Font;
  readonly fill?: Fill;
  readonly border?: Borders;
  readonly align?: Alignment;
  readonly protection?: CellProtection;
  /** Name of the cell style it is of, such as `Good`. */
  readonly style?: string;
  /** Which format of the file it was made from: from that the engine takes what the model does not hold. */
  readonly base?: number;
}

type Part = 'font' | 'fill' | 'border' | 'align' | 'protection';

/** Changes of parts of a format: null takes a property, or a whole part, away. `fill` is replaced as a whole. */
export type FormatPatch = {
  readonly [Name in Exclude<Part, 'fill'>]?:
    | {
        readonly [Property in keyof NonNullable<CellFormat[Name]>]?:
          | NonNullable<CellFormat[Name]>[Property]
          | null;
      }
    | null;
} & {
  readonly number?: string | null;
  readonly fill?: Fill | null;
  readonly style?: string | null;
};

const merged = ['font', 'border', 'align', 'protection'] as const;

/** @param index which format of the workbook it is, for `base` */
export function patchFormat(format: CellFormat, patch: FormatPatch, index: number): CellFormat {
  const result: Record<string, unknown> = { ...format, base: format.base ?? index };
  for (const name of ['number', 'fill', 'style'] as const) {
    if (patch[name] === null) delete result[name];
    else if (patch[name] !== undefined) result[name] = patch[name];
  }
  for (const name of merged) {
    const part = patch[name];
    if (part === undefined) continue;
    const next: Record<string, unknown> = part === null ? {} : { ...(format[name] ?? {}) };
    for (const [property, value] of Object.entries(part ?? {})) {
      if (value === null) delete next[property];
      else next[property] = value;
    }
    if (Object.keys(next).length === 0) delete result[name];
    else result[name] = next;
  }
  return result as CellFormat;
}

/** A text that is equal for equal formats, in whatever order they were written. */
export function formatKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatKey).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, part]) => `${name}:${formatKey(part)}`)
    .join()}}`;
}

/** What versions of a table share: formats are only ever added. */
interface Shared {
  readonly list: CellFormat[];
  readonly places: Map<string, number>;
}

/** The different formats of a workbook. Never changes: adding one leads to another table. */
export class FormatTable {
  readonly #shared: Shared;
  /** How many there are. */
  readonly count: number;

  private constructor(shared: Shared, count: number) {
    this.#shared = shared;
    this.count = count;
  }

  /** Keeps every format's place, also of two that are equal. An empty list has the normal format. */
  static of(formats: readonly CellFormat[]): FormatTable {
    const list: CellFormat[] = formats.length > 0 ? [...formats] : [{}];
    const places = new Map<string, number>();
    for (const [at, format] of list.entries()) {
      const key = formatKey(format);
      if (!places.has(key)) places.set(key, at);
    }
    return new FormatTable({ list, places }, list.length);
  }

  /** @throws RangeError where there is none */
  at(index: number): CellFormat {
    const format = index < this.count ? this.#shared.list[index] : undefined;
    if (!format) throw new RangeError(`there is no format ${index}`);
    return format;
  }

  /** The place of a format, and the table that has it. */
  with(format: CellFormat): { readonly table: FormatTable; readonly index: number } {
    const key = formatKey(format);
    const known = this.#shared.places.get(key);
    if (known !== undefined && known < this.count) return { table: this, index: known };
    // What another version added meanwhile is not of this one.
    const { list, places } =
      this.#shared.list.length === this.count ? this.#shared : FormatTable.of(this.toJSON()).#shared;
    list.push(format);
    places.set(key, this.count);
    return { table: new FormatTable({ list, places }, this.count + 1), index: this.count };
  }

  toJSON(): CellFormat[] {
    return this.#shared.list.slice(0, this.count);
  }
}
