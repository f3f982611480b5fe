import type { OfficeStep } from './office-task.ts';
import { isPlain } from './plain-text.ts';

/** Types, beside plain text, whose files do not say how large a page is. */
const withoutPages = new Set(['fb2', 'slk']);
/** Types whose files may say it in a rule for pages (CSS Paged Media, `@page`). */
const withRules = new Set(['html', 'htm']);

/** Where one prints on Letter (Unicode CLDR, `paperSize`); everywhere else it is A4. */
const onLetter = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '));

/** Hundredths of a millimetre. */
const a4 = { width: 21_000, height: 29_700 };
const letter = { width: 21_590, height: 27_940 };

/** Whether a file leaves open on which paper it is. */
export function saysNoPaper(type: string, source: Uint8Array): boolean {
  if (withRules.has(type)) return !Buffer.from(source).includes('@page');
  return isPlain(type) || withoutPages.has(type);
}

/** The paper of a region such as `en-US`; A4 where none is said. */
export function paperIn(region: string | undefined): OfficeStep {
  const country = region?.split('-')[1] ?? '';
  return { kind: 'paper', ...(onLetter.has(country.toUpperCase()) ? letter : a4) };
}
