import { background } from './background.ts';
import { highlightColors, textColor } from './colors.ts';
import type { Declarations } from './declarations.ts';
import { fontStack, lineFactor } from './fonts.ts';
import { halfPointsToPt } from './units.ts';

export type MarkValues = Readonly<Record<string, unknown>>;

/**
 * How direct formatting wins: its marks are the outer elements and leave what they say in `--mark-…` properties;
 * character styles, which are inside, take those before their own. Text of automatic colour follows `--auto-ink`, and
 * `--style-ink` holds the colour of a style.
 */
type Source = 'paragraph' | 'character' | 'mark';

const heavy = { 'text-decoration-thickness': '2px' };

const underlines: Readonly<Record<string, Declarations>> = {
  double: { 'text-decoration-style': 'double' },
  thick: heavy,
  dotted: { 'text-decoration-style': 'dotted' },
  dottedHeavy: { 'text-decoration-style': 'dotted', ...heavy },
  dash: { 'text-decoration-style': 'dashed' },
  dashedHeavy: { 'text-decoration-style': 'dashed', ...heavy },
  dashLong: { 'text-decoration-style': 'dashed' },
  dashLongHeavy: { 'text-decoration-style': 'dashed', ...heavy },
  dotDash: { 'text-decoration-style': 'dashed' },
  dashDotHeavy: { 'text-decoration-style': 'dashed', ...heavy },
  dotDotDash: { 'text-decoration-style': 'dotted' },
  dashDotDotHeavy: { 'text-decoration-style': 'dotted', ...heavy },
  wave: { 'text-decoration-style': 'wavy' },
  wavyHeavy: { 'text-decoration-style': 'wavy', ...heavy },
  wavyDouble: { 'text-decoration-style': 'wavy' },
};

const verticals: Readonly<Record<string, { align: string; scale: string; line: string }>> = {
  superscript: { align: 'super', scale: '0.65em', line: '0' },
  subscript: { align: 'sub', scale: '0.65em', line: '0' },
  baseline: { align: 'baseline', scale: '1em', line: 'inherit' },
};

/** Sets a property so that direct formatting around a character style is stronger than it. */
function set(css: Declarations, source: Source, property: string, name: string, value: string): void {
  if (source === 'character') css[property] = `var(--mark-${name}, ${value})`;
  else css[property] = value;
  if (source === 'mark') css[`--mark-${name}`] = value;
}

/** CSS of one mark by its name, or of one run property of a style. */
export function markCss(name: string, attrs: MarkValues, source: Source): Declarations {
  const css: Declarations = {};
  switch (name) {
    case 'bold':
      set(css, source, 'font-weight', 'weight', attrs.on === false ? '400' : '700');
      break;
    case 'italic':
      set(css, source, 'font-style', 'slant', attrs.on === false ? 'normal' : 'italic');
      break;
    case 'strike':
      line(css, source, 'strike', attrs.on === false ? '' : 'line-through');
      break;
    case 'underline':
      line(css, source, 'underline', attrs.style === 'none' ? '' : 'underline');
      Object.assign(css, underlines[String(attrs.style)]);
      break;
    case 'size':
      if (typeof attrs.halfPoints === 'number') {
        set(css, source, 'font-size', 'size', halfPointsToPt(attrs.halfPoints));
      }
      break;
    case 'font':
      if (typeof attrs.name === 'string') {
        set(css, source, 'font-family', 'font', fontStack(attrs.name));
        if (source === 'paragraph') css['--line'] = String(lineFactor(attrs.name));
      }
      break;
    case 'color':
      colorCss(css, source, String(attrs.value));
      break;
    case 'highlight':
      Object.assign(css, runBackground(highlightColors[String(attrs.color)]));
      break;
    case 'vertical':
      verticalCss(css, source, String(attrs.align));
      break;
  }
  return css;
}

/** A background behind a run; its text takes a colour that is readable there unless it has one of its own. */
export function runBackground(hex: string | undefined): Declarations {
  if (hex === undefined) return {};
  return { ...background(hex), color: 'var(--mark-ink, var(--style-ink, var(--auto-ink)))' };
}

function colorCss(css: Declarations, source: Source, value: string): void {
  const ink = value === 'auto' ? 'var(--auto-ink)' : /^[0-9A-Fa-f]{6}$/.test(value) ? textColor(value) : null;
  if (ink === null) return;
  if (source === 'mark') Object.assign(css, { '--mark-ink': ink, color: 'var(--mark-ink)' });
  else if (source === 'paragraph') css['--style-ink'] = ink;
  else Object.assign(css, { '--style-ink': ink, color: 'var(--mark-ink, var(--style-ink))' });
}

/** No line is an empty value, so that two kinds of lines can be listed after each other. */
function line(css: Declarations, source: Source, name: 'strike' | 'underline', value: string): void {
  set(css, source, 'text-decoration-line', name, value);
  if (source === 'mark' && value === '') css['text-decoration-line'] = 'none';
}

function verticalCss(css: Declarations, source: Source, align: string): void {
  const value = verticals[align];
  if (!value) return;
  set(css, source, 'vertical-align', 'vertical', value.align);
  set(css, source, 'font-size', 'vertical-size', value.scale);
  set(css, source, 'line-height', 'vertical-line', value.line);
}

/** All run properties of a style together. */
export function runCss(
  run: Readonly<Record<string, MarkValues>>,
  source: 'paragraph' | 'character',
): Declarations {
  const css: Declarations = {};
  for (const [name, attrs] of Object.entries(run)) {
    if (source === 'paragraph' && name === 'vertical') continue;
    const { 'text-decoration-line': lines, 'font-size': size, ...rest } = markCss(name, attrs, source);
    Object.assign(css, rest);
    if (lines) css['text-decoration-line'] = [css['text-decoration-line'], lines].filter(Boolean).join(' ');
    // The size of raised text is a share of the size that the style sets.
    if (size !== undefined) css['font-size'] = scaled(css['font-size'], size);
  }
  return css;
}

function scaled(one: string | undefined, other: string): string {
  if (one === undefined) return other;
  const [share, size] = one.includes('em') ? [one, other] : [other, one];
  return share.includes('em') ? `calc(${size} * ${Number.parseFloat(/[\d.]+/.exec(share)![0])})` : other;
}
