import { useLanguage } from '../strings/strings.ts';
import { remember, remembered } from './remembered.ts';

/** Begins in the language chosen earlier, or else the browser's. */
export function startLanguage(): Promise<void> {
  return useLanguage(remembered('language') ?? navigator.language);
}

/** Goes on in another language, also after a reload. */
export async function chooseLanguage(code: string): Promise<void> {
  remember('language', code);
  await useLanguage(code);
}

/** A language's own name for itself. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}
