import { getLocale } from 'numfmt';
import type { Conventions } from '../../calculation/conventions.ts';

/** A day in short, the letters of number formats, an amount with `#` where its digits stand, and one below zero where its minus is not first. */
type Written = readonly [day: string, letters: string, amount: string, negative?: string];

const latin = 'dmyhms';

/**
 * What regions write otherwise than English, by language or by language and country: a table, and not what a browser knows of regions,
 * since all have to come to the same. Of a day it counts whether it comes before the month, and whether it is written with points. Amounts are those of
 * the Common Locale Data Repository (of yen the narrow sign), the letters those by which spreadsheets in these languages format days.
 */
const written: Readonly<Record<string, Written>> = {
  en: ['m/d/yyyy', latin, '$#', '($#)'],
  'en-AU': ['d/mm/yyyy', latin, '$#'],
  'en-CA': ['yyyy-mm-dd', latin, '$#'],
  'en-GB': ['dd/mm/yyyy', latin, '£#'],
  'en-IE': ['dd/mm/yyyy', latin, '€#'],
  'en-IN': ['dd-mm-yyyy', latin, '₹#'],
  'en-NZ': ['d/mm/yyyy', latin, '$#'],
  cs: ['dd.mm.yyyy', 'dmrhms', '# Kč'],
  da: ['dd-mm-yyyy', 'dmåtms', '# kr.'],
  de: ['dd.mm.yyyy', 'tmjhms', '# €'],
  'de-AT': ['dd.mm.yyyy', 'tmjhms', '€ #'],
  'de-CH': ['dd.mm.yyyy', 'tmjhms', 'CHF #', 'CHF-#'],
  el: ['d/m/yyyy', 'ημεωλδ', '# €'],
  es: ['dd/mm/yyyy', 'dmahms', '# €'],
  'es-MX': ['dd/mm/yyyy', 'dmahms', '$#'],
  fi: ['d.m.yyyy', 'pkvtms', '# €'],
  fr: ['dd/mm/yyyy', 'jmahms', '# €'],
  'fr-CA': ['yyyy-mm-dd', 'jmahms', '# $'],
  'fr-CH': ['dd.mm.yyyy', 'jmahms', '# CHF'],
  hu: ['yyyy. mm. dd.', 'nhéópm', '# Ft'],
  it: ['dd/mm/yyyy', 'gmahms', '# €'],
  ja: ['yyyy/mm/dd', latin, '¥#'],
  ko: ['yyyy-mm-dd', latin, '₩#'],
  nb: ['dd.mm.yyyy', 'dmåtms', '# kr'],
  nl: ['d-m-yyyy', 'dmjums', '€ #', '€ -#'],
  no: ['dd.mm.yyyy', 'dmåtms', '# kr'],
  pl: ['dd.mm.yyyy', 'dmrgms', '# zł'],
  pt: ['dd/mm/yyyy', 'dmahms', 'R$ #'],
  'pt-PT': ['dd/mm/yyyy', 'dmahms', '# €'],
  ru: ['dd.mm.yyyy', 'дмгчмс', '# ₽'],
  sv: ['yyyy-mm-dd', 'dmåtms', '# kr'],
  tr: ['d.mm.yyyy', 'gaysdn', '₺#'],
  uk: ['dd.mm.yyyy', latin, '# ₴'],
  zh: ['yyyy/m/d', latin, '¥#'],
};

/** Months in short, where spreadsheets have other ones than the Common Locale Data Repository. */
const shortMonths: Readonly<Record<string, string>> = {
  de: 'Jan Feb Mrz Apr Mai Jun Jul Aug Sep Okt Nov Dez',
  es: 'ene feb mar abr may jun jul ago sep oct nov dic',
  sv: 'jan feb mar apr maj jun jul aug sep okt nov dec',
};

/** How a region, such as `de-AT`, writes numbers, days and amounts in formulas; one that is not known as English. */
export function conventionsOf(region: string): Conventions {
  const [language = 'en'] = region.toLowerCase().split('-');
  const country = region
    .split('-')
    .find((part) => /^[a-z]{2}$/i.test(part) && part.toLowerCase() !== language);
  const tag = country ? `${language}-${country.toUpperCase()}` : language;
  const { decimal, group, ...names } = getLocale(tag) ?? getLocale(language) ?? getLocale('en')!;
  const usual: Written = [names.preferMDY ? 'm/d/yyyy' : 'dd/mm/yyyy', latin, '$#'];
  const [shortDate, letters, amount, negative = `-${amount}`] = written[tag] ?? written[language] ?? usual;
  return {
    ...{ decimal, group, shortDate, letters, amounts: [amount, negative] },
    ...{ months: names.mmmm, shortMonths: shortMonths[language]?.split(' ') ?? names.mmm },
    ...{ days: names.dddd, shortDays: names.ddd },
  };
}
