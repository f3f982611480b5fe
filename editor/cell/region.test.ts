import { expect, test } from 'vitest';
import { regionOf } from './region.ts';

test.each([
  [{ region: 'de-AT' }, 'de-AT'],
  [{ region: 'de_DE' }, 'de-DE'],
  [{ region: 'es-419' }, 'es-419'],
  [{ region: ' zh-hant-tw-u-nu-hanidec' }, 'zh-Hant-TW'],
  [{ location: 'fr-CH' }, 'fr-CH'],
  [{ region: 'German', location: 'it' }, 'it'],
  [{ region: 'de-DE; q=1', lang: 'pt_BR' }, 'pt-BR'],
  [{ region: '', lang: 'x-unknown' }, 'en'],
  [{}, 'en'],
])('[XS6] the region of %j is %s', (config, expected) => {
  expect(regionOf({ lang: 'en', ...config })).toBe(expected);
});
