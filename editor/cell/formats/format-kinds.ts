import { isTextFormat } from 'numfmt';
import { isReadableFormat, showsDate } from '../../../model/cell/formats/shown-value.ts';

/** What a number is shown as, in the order in which it is offered. */
export const formatKinds = [
  ...(['general', 'number', 'currency', 'accounting', 'percent', 'fraction', 'scientific'] as const),
  ...(['date', 'time', 'text', 'custom'] as const),
] as const;
export type FormatKind = (typeof formatKinds)[number];

/** Kinds of which one says how many decimals they have. */
export const hasDecimals = (kind: FormatKind): boolean =>
  ['number', 'currency', 'accounting', 'percent', 'scientific'].includes(kind);

/** What people of a region write. */
export interface RegionFormats {
  /** An amount, as `[$€]#,##0.00` or `#,##0.00 [$€]`. */
  readonly currency: string;
  /** A day in numbers. */
  readonly date: string;
}

const otherCurrencies = ['$', '€', '£', '¥'];
const negativeRed = (pattern: string): string => `${pattern};[Red]-${pattern}`;

/** The formats of a kind, the most usual one first. @param decimals how many, where the kind has any */
export function formatsOf(kind: FormatKind, decimals: number, region: RegionFormats): string[] {
  const point = decimals > 0 ? `.${'0'.repeat(decimals)}` : '';
  const grouped = `#,##0${point}`;
  const own = region.currency.replace(/#,##0(?:\.0+)?/, grouped);
  switch (kind) {
    case 'general':
      return ['General'];
    case 'number':
      return [grouped, `0${point}`, negativeRed(grouped), `${grouped}_);(${grouped})`, `#,##0${point},"k"`];
    case 'currency': {
      const others = otherCurrencies.map((sign) => `[$${sign}]${grouped}`);
      return [...new Set([own, negativeRed(own), ...others, `${grouped} [$€]`])];
    }
    case 'accounting': {
      const sign = /\[\$[^\]]*\]/.exec(region.currency)?.[0] ?? '$';
      const isBefore = region.currency.startsWith('[');
      const blank = `"-"${'?'.repeat(decimals)}`;
      const before = (symbol: string) =>
        `_(${symbol}* ${grouped}_);_(${symbol}* (${grouped});_(${symbol}* ${blank}_);_(@_)`;
      const after = (symbol: string) =>
        `_-* ${grouped} ${symbol}_-;-* ${grouped} ${symbol}_-;_-* ${blank} ${symbol}_-;_-@_-`;
      const others = otherCurrencies.map((symbol) => before(`[$${symbol}]`));
      return [...new Set([isBefore ? before(sign) : after(sign), before(''), ...others, after('[$€]')])];
    }
    case 'percent':
      return [`0${point}%`, negativeRed(`0${point}%`)];
    case 'fraction':
      return ['# ?/?', '# ??/??', '# ???/???', '# ?/2', '# ?/4', '# ?/8', '# ??/16', '# ?/10', '# ??/100'];
    case 'scientific':
      return [`0${point}E+00`, `##0${point}E+0`];
    case 'date':
      return [
        ...new Set([region.date, 'yyyy-mm-dd', 'd mmm yyyy', 'd mmmm yyyy', 'dddd, d mmmm yyyy', 'd mmm']),
        ...['mmm yyyy', 'mmmm yyyy', 'yyyy-mm-dd hh:mm', `${region.date} hh:mm`],
      ];
    case 'time':
      return ['hh:mm', 'hh:mm:ss', 'h:mm AM/PM', 'h:mm:ss AM/PM', '[h]:mm', '[h]:mm:ss', 'mm:ss.0'];
    case 'text':
      return ['@'];
    case 'custom':
      return [];
  }
}

/** Letters in quotes and brackets, and behind a backslash, ask for nothing. */
const bare = (pattern: string): string => pattern.replaceAll(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]/gi, '');

/** What a number format shows numbers as. */
export function kindOfFormat(pattern: string): FormatKind {
  if (/^general$/i.test(pattern)) return 'general';
  if (!isReadableFormat(pattern)) return 'custom';
  if (isTextFormat(pattern)) return 'text';
  const plain = bare(pattern);
  if (showsDate(pattern)) return /[yd]/i.test(plain) ? 'date' : 'time';
  if (plain.includes('%')) return 'percent';
  if (/E[+-]/i.test(plain)) return 'scientific';
  if (/\?\/|\/\d/.test(plain)) return 'fraction';
  if (plain.includes('* ')) return 'accounting';
  if (/\[\$[^\]-]/.test(pattern) || /[$€£¥]/.test(pattern)) return 'currency';
  return /[0#]/.test(plain) ? 'number' : 'custom';
}

/** How many decimals a number format shows. */
export const decimalsOf = (pattern: string): number =>
  /[0#?]\.([0#?]+)/.exec(bare(pattern).split(';')[0]!)?.[1]?.length ?? 0;

/** Whether it can be read; what cannot would show numbers as General. */
export const isFormat = (pattern: string): boolean => pattern !== '' && isReadableFormat(pattern);
