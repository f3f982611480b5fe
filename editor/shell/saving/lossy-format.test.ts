import { expect, it } from 'vitest';
import { texts as ar } from '../../strings/ar/index.ts';
import { texts as de } from '../../strings/de/index.ts';
import { en } from '../../strings/en/index.ts';
import { isFirstTime, lossOf, writtenType } from './lossy-format.ts';

it('[CV25] of every format but those of Word and Excel itself something is said that it loses, in all languages', () => {
  for (const type of ['docx', 'docm', 'dotx', 'dotm', 'xlsx', 'xltm', 'DOCX', ''])
    expect(lossOf(type)).toBeNull();
  const others =
    'doc dot odt ott fodt rtf txt md html htm mht epub fb2 hwp stw sxw wps csv tsv ods xls xml'.split(' ');
  for (const type of others) {
    const name = lossOf(type)!.split('.')[1] as keyof typeof en.saving;
    const texts = [en, de, ar].map(({ saving }) => saving[name]);
    expect(new Set(texts).size, type).toBe(3);
    for (const text of texts) expect(text).toContain('{type}');
  }
});

it('[CV25] is said once for each document and person, and each time where the browser keeps nothing', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  expect(isFirstTime('a', 'ann', storage)).toBe(true);
  expect(isFirstTime('a', 'ann', storage)).toBe(false);
  expect(isFirstTime('a', 'bob', storage)).toBe(true);
  for (let number = 0; number < 300; number += 1) isFirstTime(`many ${number}`, 'ann', storage);
  expect(JSON.parse([...kept.values()][0]!)).toHaveLength(200);
  const refused = () => {
    throw new Error('refused');
  };
  expect(isFirstTime('a', 'ann', { getItem: refused, setItem: refused })).toBe(true);
  kept.set([...kept.keys()][0]!, 'no JSON');
  expect(isFirstTime('a', 'ann', storage)).toBe(true);
});

it('[CV25] formats that are only read are said to come back as what they become', () => {
  expect(['xlsb', 'SXC', 'xml', 'sxw', 'stw', 'mht'].map(writtenType)).toEqual([
    ...['xlsx', 'xlsx', 'xlsx', 'docx', 'docx', 'docx'],
  ]);
  expect(['ods', 'XLS', 'odt', 'csv', 'txt'].map(writtenType)).toEqual(['ods', 'xls', 'odt', 'csv', 'txt']);
});
