import { api as ar } from '../strings/ar/api.ts';
import { api as de } from '../strings/de/api.ts';
import { api as en } from '../strings/en/api.ts';

type TextName = keyof typeof en;

/** A sentence for the person at the screen or the page's author, with what is filled in for `{name}`. */
export interface Text {
  readonly name: TextName;
  readonly parameters: Readonly<Record<string, string | number>>;
}

const languages: Readonly<Record<string, Readonly<Record<TextName, string>>>> = { en, de, ar };

export const text = (name: TextName, parameters: Text['parameters'] = {}): Text => ({ name, parameters });

/** The text in the language that a tag such as `de-AT` asks for, or else in English. */
export function say({ name, parameters }: Text, languageTag: string): string {
  const language = languages[languageTag.toLowerCase().split(/[-_]/)[0]!] ?? en;
  return language[name].replace(/\{(\w+)\}/g, (whole, key: string) => String(parameters[key] ?? whole));
}
