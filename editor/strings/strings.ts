import { signal } from '@preact/signals';
import type { texts as chartEditing } from './en/chart-editing.ts';
import type { texts as chartWords } from './en/chart-words.ts';
import type { texts as filtering } from './en/filtering.ts';
import type { texts as functions } from './en/functions.ts';
import { en } from './en/index.ts';
import type { texts as admin } from './en/page-admin.ts';
import type { texts as cell } from './en/page-cell.ts';
import type { texts as example } from './en/page-example.ts';
import type { texts as wopi } from './en/page-wopi.ts';
import type { texts as pivots } from './en/pivots.ts';
import type { texts as ruleDialogs } from './en/rule-dialogs.ts';
import type { texts as selecting } from './en/selecting.ts';
import type { texts as sheetDialogs } from './en/sheet-dialogs.ts';

/** Texts of the interface by namespace and name. English is complete; what another language lacks is shown in it. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;
type English = typeof en &
  typeof admin &
  typeof cell &
  typeof chartEditing &
  typeof chartWords &
  typeof example &
  typeof filtering &
  typeof functions &
  typeof pivots &
  typeof ruleDialogs &
  typeof selecting &
  typeof sheetDialogs &
  typeof wopi;
/** Other languages, each with the code that loads it: nobody downloads a language but their own. */
type OtherLanguages = Readonly<Record<string, () => Promise<{ texts: Texts }>>>;

export type StringKey = {
  [Space in keyof English & string]: `${Space}.${keyof English[Space] & string}`;
}[keyof English & string];

const others: OtherLanguages = {
  de: () => import('./de/index.ts'),
  ar: () => import('./ar/index.ts'),
};

/** What pages have besides. */
const added: OtherLanguages[] = [];

const rightToLeft = new Set(['ar', 'he', 'fa', 'ur']);

interface Language {
  code: string;
  texts: Texts;
  plurals: Intl.PluralRules;
}

const languageOf = (code: string, texts: Texts): Language => ({
  code,
  texts,
  plurals: new Intl.PluralRules(code),
});

let english = languageOf('en', en);
const current = signal(english);

/** Languages that the interface speaks. */
export const languages: readonly string[] = ['en', ...Object.keys(others)];

/** Language of the interface now, for `Intl`. */
export const currentLanguage = (): string => current.value.code;

export const currentDirection = (): 'ltr' | 'rtl' => (rightToLeft.has(current.value.code) ? 'rtl' : 'ltr');

/** Adds the texts of one page, before its language is set. */
export function addTexts(texts: Texts, languages: OtherLanguages): void {
  english = languageOf('en', { ...english.texts, ...texts });
  added.push(languages);
  current.value = english;
}

/** Adds the texts of a part that is downloaded later, in the language that is set. */
export async function addLaterTexts(texts: Texts, languages: OtherLanguages): Promise<void> {
  const { code } = current.value;
  const own = await languages[code]?.();
  english = languageOf('en', { ...english.texts, ...texts });
  added.push(languages);
  current.value = code === 'en' ? english : languageOf(code, { ...current.value.texts, ...own?.texts });
}

/**
 * Switches to the language that a tag such as `de-AT` asks for, or to English; sets `lang` and `dir` of the page.
 */
export async function useLanguage(tag: string): Promise<void> {
  const code = tag.toLowerCase().split(/[-_]/)[0] ?? 'en';
  const loads = [others, ...added].flatMap((languages) => languages[code] ?? []);
  const parts = await Promise.all(loads.map((load) => load()));
  const texts = Object.assign({}, ...parts.map((part) => part.texts)) as Texts;
  current.value = parts.length > 0 ? languageOf(code, texts) : english;
  document.documentElement.lang = current.value.code;
  document.documentElement.dir = currentDirection();
}

/**
 * The text of the interface for a key, with `{name}` replaced by the parameters. With a parameter `count` the forms
 * `key_one`, `key_few`, `key_many` … are preferred, as the language's plural rules say (CLDR).
 */
export function t(key: StringKey, parameters: Readonly<Record<string, string | number>> = {}): string {
  const language = current.value;
  const [space = '', name = ''] = key.split('.');
  const count = parameters.count;
  const form = typeof count === 'number' ? `${name}_${language.plurals.select(count)}` : name;
  const englishForm = typeof count === 'number' ? `${name}_${english.plurals.select(count)}` : name;
  const own = language.texts[space];
  const fallback: Readonly<Record<string, string>> | undefined = english.texts[space];
  const text = own?.[form] ?? own?.[name] ?? fallback?.[englishForm] ?? fallback?.[name] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, parameter: string) => {
    const value = parameters[parameter];
    return typeof value === 'number' ? new Intl.NumberFormat(language.code).format(value) : (value ?? whole);
  });
}
