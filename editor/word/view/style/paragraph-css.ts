import { background } from './colors.ts';
import { type Declarations, twipsToPt } from './css.ts';

/** Attributes of a paragraph, or what a style says about them; null and absent are the same. */
type ParagraphValues = Readonly<Record<string, unknown>>;

const alignments: Readonly<Record<string, Declarations>> = {
  left: { 'text-align': 'start' },
  start: { 'text-align': 'start' },
  numTab: { 'text-align': 'start' },
  right: { 'text-align': 'end' },
  end: { 'text-align': 'end' },
  center: { 'text-align': 'center' },
  both: { 'text-align': 'justify' },
  mediumKashida: { 'text-align': 'justify' },
  highKashida: { 'text-align': 'justify' },
  lowKashida: { 'text-align': 'justify' },
  distribute: { 'text-align': 'justify', 'text-align-last': 'justify' },
  thaiDistribute: { 'text-align': 'justify', 'text-align-last': 'justify' },
};

/**
 * CSS of paragraph properties. `left` and `right` are the start and the end of the line, as Word takes them in
 * paragraphs written from right to left. Space between paragraphs is a margin: margins collapse to the greater one,
 * which is Word's rule too.
 */
export function paragraphCss(values: ParagraphValues): Declarations {
  const css: Declarations = {};
  const twips = (name: string, property: string) => {
    const value = values[name];
    if (typeof value === 'number') css[property] = twipsToPt(value);
  };
  Object.assign(css, alignments[String(values.align)]);
  twips('indentLeft', 'margin-inline-start');
  twips('indentRight', 'margin-inline-end');
  twips('indentFirst', 'text-indent');
  twips('spaceBefore', 'margin-block-start');
  twips('spaceAfter', 'margin-block-end');
  Object.assign(css, lineHeight(values.line, values.lineRule), background(values.shading));
  if (typeof values.rtl === 'boolean') css.direction = values.rtl ? 'rtl' : 'ltr';
  if (values.pageBreakBefore === true) css['break-before'] = 'page';
  if (values.keepNext === true) css['break-after'] = 'avoid';
  if (values.keepLines === true) css['break-inside'] = 'avoid';
  return css;
}

/** `--line` is the height of a single-spaced line of the paragraph's font. */
function lineHeight(line: unknown, rule: unknown): Declarations {
  if (typeof line !== 'number' || line === 0) return {};
  if (rule === 'exact') return { 'line-height': twipsToPt(line) };
  if (rule === 'atLeast') return { 'line-height': `max(${twipsToPt(line)}, calc(var(--line) * 1em))` };
  return { 'line-height': `calc(var(--line) * ${Math.round((line / 240) * 1000) / 1000})` };
}
