import type { TextLook, TextRun } from './drawn-sheet.ts';

/** Width of a text in pixels, by its font as CSS has it. */
export type Measure = (text: string, font: string) => number;

/** A stretch of a line that is drawn in one go. */
export interface TextPiece {
  readonly text: string;
  readonly look: TextLook;
  readonly font: string;
  /** From the beginning of the line. */
  readonly x: number;
  readonly width: number;
}

export interface TextLine {
  readonly pieces: readonly TextPiece[];
  readonly width: number;
  readonly height: number;
}

/** Text as lines, in pixels at the zoom that it was laid out for. */
export interface LaidOutText {
  readonly lines: readonly TextLine[];
  readonly width: number;
  readonly height: number;
}

/** Raised and lowered text is of this part of the size. */
const scriptScale = 0.66;

/** The font of letters, as the canvas and CSS take it. */
export function fontOf({ family, sizePx, bold, italic, script }: TextLook, zoom: number): string {
  const size = sizePx * zoom * (script === 'normal' ? 1 : scriptScale);
  return `${italic ? 'italic ' : ''}${bold ? 'bold ' : ''}${Math.round(size * 100) / 100}px ${family}`;
}

const lineHeightOf = ({ sizePx, lineFactor }: TextLook, zoom: number): number => sizePx * lineFactor * zoom;

/** Where a line may end: behind spaces and hyphens, and between letters of scripts that have no spaces. */
const breaks =
  /[^\s\u3000-\u9fff\uac00-\ud7af\uff00-\uffef-]*(?:-|\s+|[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]|$)/gu;

const partsOf = (text: string): string[] => (text.match(breaks) ?? []).filter((part) => part !== '');

/**
 * Puts text into lines: at its line breaks, and where a width is given also where that is full. A word that is wider than
 * the line is broken anywhere.
 */
export function layoutText(
  runs: readonly TextRun[],
  zoom: number,
  width: number | null,
  measure: Measure,
): LaidOutText {
  const lines: TextLine[] = [];
  let pieces: TextPiece[] = [];
  let x = 0;
  let height = 0;
  const endLine = (look: TextLook) => {
    const last = pieces.at(-1);
    // Spaces at the end of a line take no room.
    const trimmed = last && width !== null ? last.text.trimEnd() : null;
    const lineWidth =
      last && trimmed !== null && trimmed !== last.text ? last.x + measure(trimmed, last.font) : x;
    lines.push({ pieces, width: lineWidth, height: height || lineHeightOf(look, zoom) });
    pieces = [];
    x = 0;
    height = 0;
  };
  const put = (text: string, look: TextLook, font: string, textWidth: number) => {
    const last = pieces.at(-1);
    if (last && last.look === look) {
      const joined = last.text + text;
      pieces[pieces.length - 1] = { ...last, text: joined, width: measure(joined, font) };
      x = last.x + pieces.at(-1)!.width;
    } else {
      pieces.push({ text, look, font, x, width: textWidth });
      x += textWidth;
    }
    height = Math.max(height, lineHeightOf(look, zoom));
  };
  let lastLook = runs[0]!.look;
  for (const { text, look } of runs) {
    const font = fontOf(look, zoom);
    lastLook = look;
    for (const [number, paragraph] of text.split(/\r\n|\r|\n/).entries()) {
      if (number > 0) endLine(look);
      if (width === null) {
        if (paragraph !== '') put(paragraph, look, font, measure(paragraph, font));
        continue;
      }
      for (const part of partsOf(paragraph)) {
        const partWidth = measure(part, font);
        const needed = measure(part.trimEnd(), font);
        // Spaces begin no line.
        if (needed > 0 && x + needed > width && x > 0) endLine(look);
        if (needed <= width) put(part, look, font, partWidth);
        else
          for (const fitting of broken(part, width, font, measure)) {
            if (x > 0) endLine(look);
            put(fitting, look, font, measure(fitting, font));
          }
      }
    }
  }
  endLine(lastLook);
  return {
    lines,
    width: Math.max(...lines.map((line) => line.width)),
    height: lines.reduce((sum, line) => sum + line.height, 0),
  };
}

/** A word in parts that fit, each of a letter at least. */
function broken(word: string, width: number, font: string, measure: Measure): string[] {
  const parts: string[] = [];
  let part = '';
  for (const letter of word) {
    // Spaces at the end of a line take no room.
    if (part !== '' && letter.trim() !== '' && measure(part + letter, font) > width) {
      parts.push(part);
      part = '';
    }
    part += letter;
  }
  return part === '' ? parts : [...parts, part];
}

/** Hebrew, Arabic and what is written like them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const leftToRight = /[A-Za-z\u00c0-\u058f\u0900-\u1fff\u2c00-\ud7ff]/;

/** The direction of a text, by its first letter that has one. */
export function directionOf(text: string): 'ltr' | 'rtl' {
  if (!rightToLeft.test(text)) return 'ltr';
  const first = text.search(rightToLeft);
  const other = text.search(leftToRight);
  return other < 0 || first < other ? 'rtl' : 'ltr';
}

/** Widths of text as they were measured before. Bounded: it starts anew when it is full. */
export function cachedMeasure(measure: Measure, capacity = 20_000): Measure {
  const fonts = new Map<string, Map<string, number>>();
  let size = 0;
  return (text, font) => {
    let widths = fonts.get(font);
    if (!widths) {
      widths = new Map();
      fonts.set(font, widths);
    }
    const known = widths.get(text);
    if (known !== undefined) return known;
    if (size >= capacity) {
      fonts.clear();
      widths = new Map();
      fonts.set(font, widths);
      size = 0;
    }
    const width = measure(text, font);
    widths.set(text, width);
    size++;
    return width;
  };
}

/** Widths of single letters, by their font and code point. */
export function letterWidths(measure: Measure): (font: string) => (code: number) => number {
  const fonts = new Map<string, number[]>();
  return (font) => {
    const widths = fonts.get(font) ?? [];
    fonts.set(font, widths);
    return (code) => {
      const known = widths[code];
      if (known !== undefined) return known;
      const width = measure(String.fromCodePoint(code), font);
      widths[code] = width;
      return width;
    };
  };
}

const breaksBehind = /[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef-]/;
const [lineEnd, space, hyphen, ideographs] = [0x0a, 0x20, 0x2d, 0x3000];
const mayEndBehind = (code: number): boolean =>
  code === hyphen || (code >= ideographs && breaksBehind.test(String.fromCodePoint(code)));

/** How many lines text needs, by the widths of its letters: nearly as `layoutText` has it, and much quicker. */
export function lineCount(text: string, width: number, widthOf: (code: number) => number): number {
  let lines = 1;
  /** How far the line goes without its last word, and how wide that is. */
  let line = 0;
  let word = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) at++;
    if (code === lineEnd) {
      lines++;
      line = 0;
      word = 0;
      continue;
    }
    const own = widthOf(code);
    word += own;
    if (code !== space && line + word > width) {
      if (line > 0) lines++;
      line = 0;
      if (word > width && word > own) {
        lines++;
        word = own;
      }
    }
    if (code === space || mayEndBehind(code)) {
      line += word;
      word = 0;
    }
  }
  return lines;
}
