import { fontStack, lineFactor } from '../../../kit/fonts.ts';
import { background, highlightColors, textColor } from './colors.ts';
import { type Declarations, halfPointsToPt, twipsToPt } from './css.ts';

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
function runBackground(hex: string | undefined): Declarations {
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

interface ThemeFonts {
  readonly majorFont: string | null;
  readonly minorFont: string | null;
}

/** How run properties look that the model keeps only as XML (the `rx` table). */
export interface ExtraRun {
  readonly css: Declarations;
  /** Hidden text (17.3.2.41): it is shown, dimmed. */
  readonly hidden: boolean;
}

/** Words of the look of text effects (17.3.2): element, its attributes. */
const element = /<w:(\w+)((?:\s+[\w:]+="[^"]*")*)\s*\/?>/g;
const attribute = /([\w:]+)="([^"]*)"/g;

/** Reads the look from the XML of run properties; anything it does not know has none. */
export function extraRun(xml: string, theme: ThemeFonts): ExtraRun {
  const css: Declarations = {};
  let hidden = false;
  for (const [, name, text = ''] of xml.matchAll(element)) {
    const attrs = Object.fromEntries([...text.matchAll(attribute)].map(([, key, value]) => [key!, value!]));
    const value = attrs['w:val'];
    const on = !['0', 'false', 'off'].includes(value ?? '');
    const number = Number(value ?? Number.NaN);
    switch (name) {
      case 'caps':
        css['text-transform'] = on ? 'uppercase' : 'none';
        break;
      case 'smallCaps':
        css['font-variant-caps'] = on ? 'small-caps' : 'normal';
        break;
      case 'dstrike':
        if (on)
          Object.assign(css, { 'text-decoration-line': 'line-through', 'text-decoration-style': 'double' });
        break;
      case 'vanish':
      case 'webHidden':
        hidden = name === 'vanish' ? on : hidden;
        break;
      case 'spacing':
        if (Number.isFinite(number)) css['letter-spacing'] = twipsToPt(number);
        break;
      case 'position':
        // Half points.
        if (Number.isFinite(number)) css['vertical-align'] = twipsToPt(number * 10);
        break;
      case 'shd':
        Object.assign(css, runBackground(fillOf(attrs)));
        break;
      case 'rFonts':
        Object.assign(css, themeFont(attrs, theme));
        break;
      case 'bdr':
        if (value !== 'nil' && value !== 'none') css.border = `1px solid ${borderColor(attrs['w:color'])}`;
        break;
      case 'outline':
        if (on)
          Object.assign(css, {
            '-webkit-text-stroke': '0.5px currentColor',
            '-webkit-text-fill-color': 'transparent',
          });
        break;
      case 'shadow':
        if (on) css['text-shadow'] = '1px 1px 1px gray';
        break;
      case 'rtl':
        if (on) Object.assign(css, { direction: 'rtl', 'unicode-bidi': 'embed' });
        break;
    }
  }
  return { css, hidden };
}

function fillOf(attrs: Readonly<Record<string, string>>): string | undefined {
  const hex = /^[0-9A-Fa-f]{6}$/;
  const { 'w:fill': fill, 'w:color': color, 'w:val': pattern } = attrs;
  const shown = pattern === 'solid' ? color : fill;
  return shown !== undefined && hex.test(shown) ? shown : undefined;
}

function themeFont(
  attrs: Readonly<Record<string, string>>,
  { majorFont, minorFont }: ThemeFonts,
): Declarations {
  const theme = attrs['w:asciiTheme'] ?? attrs['w:hAnsiTheme'];
  const name = theme === undefined ? attrs['w:ascii'] : theme.startsWith('major') ? majorFont : minorFont;
  return name ? { 'font-family': `var(--mark-font, ${fontStack(name)})` } : {};
}

function borderColor(hex: string | undefined): string {
  return hex !== undefined && /^[0-9A-Fa-f]{6}$/.test(hex) ? `#${hex}` : 'currentColor';
}
