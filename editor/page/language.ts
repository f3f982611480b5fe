import { useLanguage } from '../strings/strings.ts';
import { remember, remembered } from './remembered.ts';

const parameter = 'lang';
/** The tag of the language that was asked for last. */
let asked = 'en';

/** The tag of the language that is asked for: the one of the address, else the one chosen earlier, else the browser's. */
export function askedLanguage(search: string, chosen: string | null, browser: string): string {
  return tagOf(new URLSearchParams(search).get(parameter)) ?? tagOf(chosen) ?? tagOf(browser) ?? 'en';
}

/** Begins in the language that is asked for; one of the address is kept for the pages that follow. */
export async function startLanguage(): Promise<void> {
  asked = askedLanguage(location.search, remembered('language'), navigator.language);
  if (new URLSearchParams(location.search).has(parameter)) remember('language', asked);
  await useLanguage(asked);
}

/** Goes on in another language, also after a reload. */
export async function chooseLanguage(code: string): Promise<void> {
  asked = code;
  remember('language', code);
  const address = new URL(location.href);
  address.searchParams.delete(parameter);
  history.replaceState(history.state, '', address);
  await useLanguage(code);
}

/** The language that was asked for, with its country: by it editors read and write numbers and days, also where they do not speak it. */
export const languageTag = (): string => asked;

/** A language's own name for itself. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

/** A tag as standards write it; null for what is none. */
function tagOf(text: string | null): string | null {
  try {
    return text ? new Intl.Locale(text.replaceAll('_', '-')).toString() : null;
  } catch {
    return null;
  }
}
