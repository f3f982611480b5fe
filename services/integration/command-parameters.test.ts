import { describe, expect, it } from 'vitest';
import { readCommand } from './command-parameters.ts';
import { conversionParameters } from './conversion-parameters.ts';

describe('parameters as other languages write them', () => {
  it('[RA24] commands: null, and numbers for the ids of people', () => {
    expect(readCommand({ c: 'info', key: 'k', callback: null, userdata: null })).toMatchObject({
      parameters: { key: 'k', callback: null },
    });
    expect(readCommand({ c: 'meta', key: 'k', meta: { title: null, favorite: true } })).toMatchObject({
      name: 'meta',
    });
    expect(readCommand({ c: 'meta', key: 'k', meta: { title: null } })).toHaveProperty('error');
    expect(readCommand({ c: 'drop', key: 'k', users: [1, 'b'] })).toMatchObject({
      parameters: { users: ['1', 'b'] },
    });
    expect(readCommand({ c: 'meta', key: 42, meta: { title: 2026, favorite: '0' } })).toMatchObject({
      parameters: { key: '42', meta: { title: '2026', favorite: false } },
    });
    for (const key of [true, {}, [], ['k'], 'x'.repeat(10_000_000)]) {
      expect(readCommand({ c: 'forcesave', key })).toEqual({ error: 1 });
    }
    for (const users of ['u1', {}, 5, true, [true], [{}], '']) {
      expect(readCommand({ c: 'drop', key: 'k', users })).toEqual({ error: 2 });
    }
    for (const c of ['__proto__', 'constructor', 5, ['drop'], null]) {
      expect(readCommand({ c, key: 'k' })).toEqual({ error: 5 });
    }
    expect(readCommand({ c: 'drop', key: 'k', users: null })).toMatchObject({ parameters: { users: null } });
  });

  it('[TK17] the ids of people in a list that is JSON text keep all of their digits', () => {
    expect(
      readCommand({ c: 'drop', key: 'k', users: '[12345678901234567890,9007199254740993,7]' }),
    ).toMatchObject({ parameters: { users: ['12345678901234567890', '9007199254740993', '7'] } });
  });

  it('[WO88] commands: titles and ids of people are cleaned, and a title of nothing else is none', () => {
    const titled = (title: string) => readCommand({ c: 'meta', key: 'k', meta: { title } });
    expect(titled('a\u0000b\ud83d.docx')).toMatchObject({ parameters: { meta: { title: 'ab\ufffd.docx' } } });
    expect(titled('\u0000')).toEqual({ error: 5 });
    expect(readCommand({ c: 'drop', key: 'k', users: ['a\u0000', 1] })).toMatchObject({
      parameters: { users: ['a', '1'] },
    });
  });

  it('[RA24] conversions: null at any depth, flags as numbers, and numbers for texts', () => {
    const good = { url: 'https://storage.test/a.xlsx', key: 42, filetype: 'xlsx', outputtype: 'png' };
    const given = {
      ...good,
      async: 1,
      title: 2026,
      password: 1234,
      thumbnail: { aspect: '1', first: 0, width: null, height: '300' },
      spreadsheetLayout: { orientation: null, margins: { left: '1in', right: null }, pageSize: null },
    };
    const read = conversionParameters(given);
    expect(read).toMatchObject({
      key: '42',
      isAsync: true,
      title: '2026',
      options: { password: '1234', thumbnail: { aspect: 1, first: false, height: 300 } },
    });
    expect(read?.options.spreadsheetLayout).toEqual({ margins: { left: '1in' } });
    expect(conversionParameters({ ...good, region: 5, async: 'TRUE' })).toMatchObject({
      ...{ isAsync: true, options: { region: '5' } },
    });
    const asText = { ...given, thumbnail: JSON.stringify(given.thumbnail) };
    expect(conversionParameters(asText)).toEqual(read);
  });
});
