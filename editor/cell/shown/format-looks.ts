import type { BorderLine, CellFormat, Fill, Font } from '../../../model/cell/cell-format.ts';
import { fontStack, lineFactor } from '../../kit/fonts.ts';
import type * as drawn from '../grid/drawn-sheet.ts';
import { cssColor } from './sheet-colors.ts';

const defaultFont = 'Calibri';
const defaultPoints = 11;
const pxPerPoint = 96 / 72;

const lineStyles: readonly string[] = [
  'thin',
  'hair',
  'dotted',
  'dashed',
  'dashDot',
  'dashDotDot',
  'medium',
  'mediumDashed',
  'mediumDashDot',
  'mediumDashDotDot',
  'slantDashDot',
  'thick',
  'double',
] satisfies drawn.LineStyle[];

/** How the formats of a workbook look, each made once. */
export class FormatLooks {
  readonly #theme: readonly string[] | undefined;
  readonly #normal: Font;
  readonly #looks = new WeakMap<CellFormat, drawn.CellLook>();

  /** @param normal the font that says what is absent in others */
  constructor(theme: readonly string[] | undefined, normal: Font | undefined) {
    this.#theme = theme;
    this.#normal = normal ?? {};
  }

  of(format: CellFormat): drawn.CellLook {
    let look = this.#looks.get(format);
    if (!look) {
      look = this.#look(format);
      this.#looks.set(format, look);
    }
    return look;
  }

  /** How letters look that have a font of their own in a cell of a look. */
  textLook(font: Font | undefined, like?: drawn.TextLook): drawn.TextLook {
    if (!font && like) return like;
    const { bold, italic, strike, underline, vertical, ...full } = { ...this.#normal, ...font };
    const { name = defaultFont, size = defaultPoints } = full;
    const color = this.color(full.color);
    return {
      family: fontStack(name),
      sizePx: size * pxPerPoint,
      bold: bold ?? false,
      italic: italic ?? false,
      underline: underlineOf(underline),
      strike: strike ?? false,
      script: vertical === 'superscript' ? 'super' : vertical === 'subscript' ? 'sub' : 'normal',
      // Black is the colour of text by itself: on a dark page it is light.
      color: color === '#000000' ? null : color,
      lineFactor: lineFactor(name),
    };
  }

  color(color: Parameters<typeof cssColor>[0]): string | null {
    return cssColor(color, this.#theme);
  }

  #look({ font, fill, border, align = {} }: CellFormat): drawn.CellLook {
    const { rotation = 0 } = align;
    return {
      text: this.textLook(font ?? {}),
      fill: fill ? this.fill(fill) : null,
      borders: border ? this.#borders(border) : null,
      horizontal: align.horizontal ?? 'general',
      vertical: align.vertical ?? 'bottom',
      wrap: align.wrap ?? false,
      shrink: align.shrink ?? false,
      indent: align.indent ?? 0,
      rotation: rotation === 255 ? 'stacked' : rotation > 90 ? 90 - rotation : rotation,
    };
  }

  fill({ pattern, color, background, gradient }: Fill): drawn.Fill | null {
    if (gradient) {
      const stops = gradient.stops.map(({ at, color: stop }) => [at, this.color(stop) ?? '#ffffff'] as const);
      return stops.length > 0 ? { kind: 'gradient', angle: gradient.degree ?? 0, stops } : null;
    }
    if (!pattern || pattern === 'none') return null;
    if (pattern === 'solid') {
      const css = this.color(color);
      return css === null ? null : { kind: 'solid', color: css };
    }
    return {
      kind: 'pattern',
      pattern,
      color: this.color(color) ?? '#000000',
      background: this.color(background),
    };
  }

  #borders(border: NonNullable<CellFormat['border']>): drawn.Borders | null {
    const { left, right, top, bottom, diagonal, diagonalUp, diagonalDown } = border;
    const line = (one: BorderLine | undefined): drawn.BorderLine | null => {
      if (!one || !lineStyles.includes(one.style)) return null;
      const color = this.color(one.color);
      return { style: one.style as drawn.LineStyle, color: color === '#000000' ? null : color };
    };
    const borders = {
      left: line(left),
      right: line(right),
      top: line(top),
      bottom: line(bottom),
      diagonalUp: diagonalUp ? line(diagonal) : null,
      diagonalDown: diagonalDown ? line(diagonal) : null,
    };
    return Object.values(borders).some((one) => one !== null) ? borders : null;
  }
}

function underlineOf(underline: Font['underline']): drawn.TextLook['underline'] {
  if (!underline) return 'none';
  return underline.startsWith('double') ? 'double' : 'single';
}
