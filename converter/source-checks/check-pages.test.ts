import { expect, it } from 'vitest';
import { loadConfig } from '../../platform/config.ts';
import { flatSeed } from '../../test/support/office-seeds.ts';
import type { ConversionOptions } from '../formats/conversion.ts';
import { checkPages } from './check-pages.ts';
import { checkSource } from './check-source.ts';
import { sourceLimits } from './source-limits.ts';

const limits = { ...sourceLimits(loadConfig({})), printedCells: 12 };
const table = (rows: number) => Buffer.from('a;b,;c\n'.repeat(rows));

async function codeOf(
  source: Uint8Array,
  fromType: string,
  toType: string,
  options: ConversionOptions = {},
): Promise<number | null> {
  try {
    checkPages(source, await checkSource(source, limits), { fromType, toType, options }, limits);
    return null;
  } catch (error) {
    return (error as { serviceError: number }).serviceError;
  }
}

it('[CV26] a spreadsheet of more cells than are laid out is refused with -93 for pages, and for nothing else', async () => {
  expect(await codeOf(table(4), 'csv', 'pdf', { delimiter: 2 })).toBeNull();
  for (const type of ['pdf', 'pdfa']) expect(await codeOf(table(5), 'csv', type, { delimiter: 2 })).toBe(-93);
  expect(await codeOf(table(5), 'csv', 'pdf', { delimiter: 4 })).toBeNull();
  expect(await codeOf(table(5), 'csv', 'xlsx', { delimiter: 2 })).toBeNull();
  expect(await codeOf(table(5), 'csv', 'png', { delimiter: 2 })).toBeNull();
  expect(await codeOf(table(5), 'csv', 'png', { delimiter: 2, thumbnail: { first: false } })).toBe(-93);
  expect(await codeOf(table(13), 'txt', 'pdf')).toBeNull();
  const cells =
    '<table:table-row table:number-rows-repeated="13"><table:table-cell office:value-type="float" office:value="1"/></table:table-row>';
  const large = Buffer.from(flatSeed('fods').toString().replace('</table:table>', `${cells}</table:table>`));
  expect(await codeOf(large, 'fods', 'pdf')).toBe(-93);
});
