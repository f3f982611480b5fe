import { contrastOf, mixed, readableOn, readColor } from './colors.ts';

/** The colours of the theme that the grid is drawn in. */
export interface Palette {
  readonly page: string;
  readonly text: string;
  readonly gridline: string;
  readonly header: string;
  readonly headerText: string;
  readonly headerSelected: string;
  readonly headerEdge: string;
  readonly accent: string;
  readonly onAccent: string;
  readonly danger: string;
  readonly font: string;
}

/** What can just be told from its background. */
const leastContrast = 2.5;

/** Reads the colours of the theme that is on. */
export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--color-${name}`).trim();
  const page = color('page');
  const text = color('page-text');
  return {
    page,
    text,
    gridline: mixed(page, text, contrastOf(page, text) > 20 && page === '#000000' ? 0.5 : 0.14),
    header: color('surface-2'),
    headerText: color('muted'),
    headerSelected: color('selected'),
    headerEdge: color('border'),
    accent: color('accent'),
    onAccent: color('on-accent'),
    danger: color('danger'),
    font: style.fontFamily,
  };
}

/**
 * The colour of a text that has `color` of its own, or none, on a fill, or none. A file is made for a white page, which shows what
 * other programs show; on a dark one colours are others where they could not be read.
 */
export function textColor({ page, text }: Palette, color: string | null, fill: string | null): string {
  if (page === '#ffffff') return color ?? text;
  if (color === null) return fill === null ? text : readableOnLight(text, fill);
  const behind = fill ?? page;
  if (readColor(color) === null) return color;
  return contrastOf(color, behind) >= leastContrast ? color : mixed(color, readableOn(behind), 0.7);
}

const readableOnLight = (text: string, fill: string): string =>
  contrastOf(text, fill) >= 4.5 ? text : readableOn(fill);
