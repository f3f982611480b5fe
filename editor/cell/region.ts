import type { EditorConfig } from '../frame/editor-config.ts';
import { currentLanguage } from '../strings/strings.ts';

/**
 * By which numbers and days are typed, shown and calculated: the integrator's `region`, else the language of the page. `de_DE` is taken
 * for `de-DE`; what is no region is passed over.
 */
export const regionOf = ({
  region,
  location,
  lang,
}: Pick<EditorConfig, 'region' | 'location' | 'lang'>): string =>
  tagOf(region) ?? tagOf(location) ?? (/[-_]/.test(lang) ? tagOf(lang) : null) ?? currentLanguage();

/** The language, script and country of a tag. */
function tagOf(text: string | undefined): string | null {
  if (!text) return null;
  try {
    const { language, script, region } = new Intl.Locale(text.trim().replaceAll('_', '-'));
    return language.length > 3 ? null : [language, script, region].filter(Boolean).join('-');
  } catch {
    return null;
  }
}
