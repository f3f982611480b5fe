import type { Declarations } from './declarations.ts';
import { fontStack } from './fonts.ts';
import { runBackground } from './run-css.ts';
import { twipsToPt } from './units.ts';

export interface ThemeFonts {
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
