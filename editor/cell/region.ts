import type { EditorConfig } from '../frame/editor-config.ts';
import { currentLanguage } from '../strings/strings.ts';

/** By which numbers and days are typed, shown and calculated: the integrator's `region`, else the language of the page. */
export const regionOf = ({ region, lang }: Pick<EditorConfig, 'region' | 'lang'>): string =>
  region ?? (lang.includes('-') ? lang : currentLanguage());
