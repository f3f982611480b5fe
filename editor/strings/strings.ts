import { signal } from '@preact/signals';
import { en } from './en/index.ts';

/** Texts of the interface by namespace and name. English is complete; what another language lacks is shown in it. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;
type English = typeof en;

export type StringKey = {
  [Space in keyof English & string]: `${Space}.${keyof English[Space] & string}`;
}[keyof English & string];

/** Each with the code that loads it: nobody downloads a language but their own. */
const others: Readonly<Record<string, () => Promise<{ texts: Texts }>>> = {
  de: () => import('./de/index.ts'),
  ar: () => import('./ar/index.ts'),
};

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

const english = languageOf('en', en);
const current = signal(english);

/** Languages that the interface speaks. */
export const languages: readonly string[] = ['en', ...Object.keys(others)];

/** Language of the interface now, for `Intl`. */
export const currentLanguage = (): string => current.value.code;

export const currentDirection = (): 'ltr' | 'rtl' => (rightToLeft.has(current.value.code) ? 'rtl' : 'ltr');

/**
 * Switches to the language that a tag such as `de-AT` asks for, or to English; sets `lang` and `dir` of the page.
 */
export async function useLanguage(tag: string): Promise<void> {
  const code = tag.toLowerCase().split(/[-_]/)[0] ?? 'en';
  const load = others[code];
  current.value = load ? languageOf(code, (await load()).texts) : english;
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
