import { expect, it } from 'vitest';
import { complete } from './cell-editing.ts';
import { completionsAt, type Nameable } from './completions.ts';

const nameable: Nameable = {
  tables: [{ name: 'Stock', columns: ['Item', 'Unit price', 'Price [net]'] }],
  names: [{ name: 'Standard', formula: 'Sheet1!$A$1' }],
  ownTable: 'Stock',
};
const labels = (text: string) => completionsAt(text, text.length, nameable).map(({ label }) => label);
/** The text with its first completion. */
function completed(text: string, place = text.length): string {
  const [first] = completionsAt(text, place, nameable);
  const editing = { text, from: place, to: place } as Parameters<typeof complete>[0];
  return first ? complete(editing, first).text : text;
}

it('[XS34] names, tables and functions that begin with the word are offered', () => {
  expect(labels('=1+sta').slice(0, 2)).toEqual(['Standard', 'STANDARDIZE']);
  expect(labels('=sto')).toContain('Stock');
  expect(completed('=SUM(sto)', 8)).toBe('=SUM(Stock)');
  expect(completed('=subs')).toBe('=SUBSTITUTE(');
  expect([labels('=1+2'), labels('sto'), labels('="sto')]).toEqual([[], [], []]);
});

it('[XS34] behind the bracket of a table its columns are offered, and written with the brackets that they need', () => {
  expect(labels('=SUM(Stock[')).toEqual(['Item', 'Unit price', 'Price [net]']);
  expect(labels('=SUM(stock[u')).toEqual(['Unit price']);
  expect(completed('=SUM(Stock[u')).toBe('=SUM(Stock[Unit price]');
  expect(completed('=SUM(Stock[p])', 12)).toBe("=SUM(Stock[Price '[net']])");
  expect(completed('=[@i')).toBe('=[@Item]');
  expect(completed('=[@u')).toBe('=[@[Unit price]]');
  expect(completed('=Stock[@[u')).toBe('=Stock[@[Unit price]]');
  expect(completed('=Stock[[#Totals],[u')).toBe('=Stock[[#Totals],[Unit price]');
  expect([labels('="Stock['), labels('=Other[')]).toEqual([[], []]);
});

it('[XS249] behind the colon of a range only what gives cells is offered', () => {
  expect([labels('=SUM(B2:B'), labels('=SUM(B2:')]).toEqual([[], []]);
  expect(labels('=SUM(B2:in')).toEqual(['INDEX', 'INDIRECT']);
  expect(labels('=SUM(B2:sta')).toEqual(['Standard']);
});
