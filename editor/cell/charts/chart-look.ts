import type { FormatSettings } from '../../../model/cell/formats/shown-value.ts';
import { contrastOf, mixed, readableOn, readColor } from '../grid/colors.ts';
import type { ShownChart } from './shown-chart.ts';

/** The page that a chart stands on. */
export interface ChartPage {
  /** `#rrggbb`. */
  readonly background: string;
  readonly text: string;
  /** Fonts as CSS lists them. */
  readonly font: string;
}

/** The colours that a chart is drawn in on a page. */
export interface ChartLook {
  /** Null: what is behind it is seen. */
  readonly background: string | null;
  readonly text: string;
  readonly grid: string;
  readonly border: string;
  readonly font: string;
  /** A colour of the chart that can be told from what is behind it. */
  readonly told: (color: string) => string;
}

/** What a drawing of a chart depends on beside the chart. */
export interface DrawingContext {
  /** Pixels at a zoom of 1. */
  readonly width: number;
  readonly height: number;
  readonly look: ChartLook;
  readonly settings: FormatSettings;
}

/** What can just be told from its background; and on a black page, which is for people who need more. */
const leastContrast = 1.6;
const leastOnBlack = 3;
const leastTextContrast = 4.5;

/**
 * Charts of files are made for a white page. On another one what is white is the page, and colours that could not be told from it are
 * moved away from it.
 */
export function chartLook(chart: ShownChart, page: ChartPage): ChartLook {
  const isPlainPage = page.background === '#ffffff';
  const least = page.background === '#000000' ? leastOnBlack : leastContrast;
  const own = chart.background;
  const isClear = own === 'transparent';
  const background = own === null || own === '#ffffff' || isClear ? page.background : own;
  const text = chart.textColor ?? mixed(page.background, page.text, 0.75);
  const readable = contrastOf(text, background) >= leastTextContrast ? text : readableOn(background);
  return {
    background: isClear ? null : background,
    text: readable,
    grid: mixed(background, readable, 0.2),
    border: mixed(background, readable, 0.25),
    font: attributeFont(page.font),
    told: (color) => {
      if (isPlainPage || readColor(color) === null || contrastOf(color, background) >= least) return color;
      return mixed(color, readableOn(background), 0.5);
    },
  };
}

/** The library writes fonts into an attribute as they are, and a file may call its fonts anything. */
const attributeFont = (font: string): string => font.replaceAll('"', "'").replace(/[<>&]/g, '');
