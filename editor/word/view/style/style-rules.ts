import type { WordDocumentJson, WordStyle } from '../../../../model/word/document.ts';
import { fontStack, lineFactor } from '../../../kit/fonts.ts';
import { Styles } from '../../styles/styles.ts';
import { className, cssRule, type Declarations } from './css.ts';
import { paragraphCss } from './paragraph-css.ts';
import { extraRun, runCss } from './run-css.ts';

/** What Word takes where neither document nor style says anything (17.7.5). */
const fallbackFont = 'Times New Roman';
const fallbackHalfPoints = 20;

const ownOnly = { paragraph: {}, run: {} };

type Source = Pick<WordDocumentJson, 'styles' | 'defaults' | 'settings'>;

/**
 * The document's styles as CSS: one class for each, the chain of what it is based on put in. Layers keep the
 * order of 17.7.2: defaults, table styles, paragraph styles; lists and direct formatting come after.
 * @param scope selector of the element that the rules are for
 */
export function styleRules({ styles: listed, defaults, settings }: Source, scope: string): string {
  const styles = new Styles({ styles: listed, defaults: ownOnly });
  const ofType = (type: WordStyle['type']) => listed.filter((style) => style.type === type);
  let table = '';
  for (const { id, paragraph, run } of ofType('table').map((style) => chain(styles, style))) {
    const selector = `${scope} .${className('t', id)}`;
    table +=
      cssRule(selector, { ...runCss(run, 'paragraph') }) + cssRule(`${selector} p`, paragraphCss(paragraph));
  }
  let paragraph = '';
  for (const { id } of ofType('paragraph')) {
    const resolved = styles.paragraph(id);
    const css = {
      ...paragraphCss(resolved.paragraph),
      ...runCss(resolved.run, 'paragraph'),
      ...extraRun(extraOf(styles, id), settings).css,
    };
    const selector = `${scope} .${className('s', id)}`;
    paragraph += cssRule(selector, css) + neighbourRules(styles, id, selector);
    // A line under the whole paragraph cannot be taken back, or be another one, but in boxes of their own.
    if (css['text-decoration-line'])
      paragraph += cssRule(`${selector} .m-underline`, { display: 'inline-block' });
  }
  let character = '';
  for (const { id } of ofType('character')) {
    const css = {
      ...extraRun(extraOf(styles, id), settings).css,
      ...runCss(styles.character(id), 'character'),
    };
    character += cssRule(`${scope} .${className('c', id)}`, css);
  }
  return (
    '@layer word-defaults, word-table, word-paragraph, word-list;\n' +
    layer('word-defaults', defaultRules(defaults, settings, scope)) +
    layer('word-table', table) +
    layer('word-paragraph', paragraph + character)
  );
}

/** Rules in a cascade layer; nothing where there are none. */
export function layer(name: string, rules: string): string {
  return rules === '' ? '' : `@layer ${name} {\n${rules}}\n`;
}

function defaultRules(
  { paragraph, run }: Source['defaults'],
  settings: Source['settings'],
  scope: string,
): string {
  const font = settings.minorFont ?? fallbackFont;
  const root: Declarations = {
    'font-family': fontStack(font),
    '--line': String(lineFactor(font)),
    ...runCss({ size: { halfPoints: fallbackHalfPoints }, ...run }, 'paragraph'),
  };
  const text: Declarations = {
    'margin-block': '0',
    'line-height': 'var(--line)',
    color: 'var(--style-ink, var(--auto-ink))',
    ...paragraphCss(paragraph),
  };
  return cssRule(scope, root) + cssRule(`${scope} p`, text);
}

/** A style's properties beyond the marks, those of what it is based on first: the later ones win. */
function extraOf(styles: Styles, id: string): string {
  return basedOn(styles, id).reduce((xml, { extra }) => extra + xml, '');
}

/** A style and what it is based on, one after the other. */
export function basedOn(styles: Styles, id: string): WordStyle[] {
  const chain: WordStyle[] = [];
  for (let style = styles.style(id); style && !chain.includes(style); style = styles.style(style.basedOn)) {
    chain.push(style);
  }
  return chain;
}

/** Without space between neighbours of the same style, where the style says so. */
function neighbourRules(styles: Styles, id: string, selector: string): string {
  const says = basedOn(styles, id).find(({ contextualSpacing }) => contextualSpacing !== null);
  if (!says?.contextualSpacing) return '';
  const next = `.${className('s', id)}`;
  return (
    cssRule(`${selector} + ${next}`, { 'margin-block-start': '0' }) +
    cssRule(`${selector}:has(+ ${next})`, { 'margin-block-end': '0' })
  );
}

/** A table style with the properties of what it is based on; `Styles` resolves only the other two types. */
function chain(styles: Styles, { id }: WordStyle): Pick<WordStyle, 'id' | 'paragraph' | 'run'> {
  const bases = basedOn(styles, id).reverse();
  return {
    id,
    paragraph: Object.assign({}, ...bases.map(({ paragraph }) => paragraph)),
    run: Object.assign({}, ...bases.map(({ run }) => run)),
  };
}
