import { expect, it } from 'vitest';
import { askedLanguage } from './language.ts';

it.each([
  ['?document=1&lang=de', 'ar', 'en-GB', 'de'],
  ['?lang=de_AT', null, 'en-GB', 'de-AT'],
  ['?lang=', 'ar', 'en-GB', 'ar'],
  ['?lang=<script>', null, 'en-GB', 'en-GB'],
  ['', null, 'fr-FR', 'fr-FR'],
  ['', null, '', 'en'],
])('[SU61] %s, with %s chosen earlier and %s in the browser, asks for %s', (search, chosen, browser, tag) => {
  expect(askedLanguage(search, chosen, browser)).toBe(tag);
});
