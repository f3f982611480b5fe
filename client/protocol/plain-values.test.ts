import { describe, expect, it } from 'vitest';
import { permissionReadings, permissionsIn } from './permissions.ts';
import { flagIn, membersIn, modeIn, numberIn, textIn, textsIn } from './plain-values.ts';

const large = 'x'.repeat(10_000_000);
const digits = '1'.repeat(10_000_000);
/** What is no text, number or truth value in any language. */
const unreadable: unknown[] = [
  {},
  { edit: true },
  [],
  ['true'],
  [1],
  () => true,
  Symbol('1'),
  1n,
  Number.NaN,
];

describe('values as integrators write them', () => {
  it.each<[value: unknown, text: unknown, number: unknown, flag: unknown, mode: unknown]>([
    ['a', 'a', undefined, undefined, 'a'],
    ['', '', undefined, false, ''],
    ['view', 'view', undefined, undefined, 'view'],
    [7, '7', 7, undefined, '7'],
    [0, '0', 0, false, '0'],
    [1, '1', 1, true, '1'],
    [-1.5, '-1.5', -1.5, undefined, '-1.5'],
    [' 20 ', ' 20 ', 20, undefined, ' 20 '],
    ['0x10', '0x10', undefined, undefined, '0x10'],
    ['1', '1', 1, true, '1'],
    ['0', '0', 0, false, '0'],
    ['true', 'true', undefined, true, 'true'],
    ['False', 'False', undefined, false, 'False'],
    ['yes', 'yes', undefined, undefined, 'yes'],
    [true, undefined, undefined, true, 'edit'],
    [false, undefined, undefined, false, undefined],
    [null, undefined, undefined, undefined, undefined],
    [undefined, undefined, undefined, undefined, undefined],
    [Number.POSITIVE_INFINITY, undefined, undefined, undefined, 'view'],
  ])('[P15] %j is read as text %j, number %j, truth value %j and mode %j', (value, ...read) => {
    expect([textIn(value), numberIn(value), flagIn(value), modeIn(value)]).toEqual(read);
  });

  it('[P15] what is nothing of these is not read, and a mode of that kind is for viewing', () => {
    for (const value of unreadable) {
      const read = [textIn(value), numberIn(value), flagIn(value), modeIn(value)];
      expect(read).toEqual([undefined, undefined, undefined, 'view']);
    }
  });

  it('[P15] objects may be PHP’s empty list, and lists leave out what is no text', () => {
    expect([{ a: 1 }, {}, [], [1], 'x', 5, true, null].map(membersIn)).toEqual([
      ...[{ a: 1 }, {}, {}],
      ...[undefined, undefined, undefined, undefined, undefined],
    ]);
    expect([['a', 7, null, {}, ''], [], {}, 'a', null].map(textsIn)).toEqual([
      ['a', '7', ''],
      [],
      ...[undefined, undefined, undefined],
    ]);
  });

  it('[P15] texts of any length are read or not, and cost nothing', () => {
    expect([flagIn(large), numberIn(large), numberIn(digits)]).toEqual([undefined, undefined, undefined]);
    expect(textIn(large)).toBe(large);
  });
});

describe('permissions', () => {
  const rights = Object.entries(permissionReadings);
  const flags = rights.filter(([, { kind }]) => kind === 'flag').map(([name]) => name);
  const lists = rights.filter(([, { kind }]) => kind === 'groups').map(([name]) => name);
  const strict = (name: string): boolean => name.endsWith('AuthorOnly');

  it.each(flags)(
    '[AT26] %s is read as what it says, and what cannot be read is the side that allows less',
    (name) => {
      const read = (value: unknown) => permissionsIn({ [name]: value })?.[name];
      expect([true, 1, '1', 'true', 'TRUE'].map(read)).toEqual(Array(5).fill(true));
      expect([false, 0, '0', 'false', 'FALSE', ''].map(read)).toEqual(Array(6).fill(false));
      for (const value of [...unreadable, 'yes', 'no', 2, large]) expect(read(value)).toBe(strict(name));
      for (const value of [null, undefined]) expect(permissionsIn({ [name]: value })).toEqual({});
    },
  );

  it.each(lists)('[AT26] %s that is no list is nobody', (name) => {
    const read = (value: unknown) => permissionsIn({ [name]: value })?.[name];
    expect(read(['A', 7, {}])).toEqual(['A', '7']);
    for (const value of ['A', {}, { 0: 'A' }, 5, true, '']) expect(read(value)).toEqual([]);
  });

  it('[AT26] lists of comments, and permissions that are no object at all', () => {
    const nobody = { edit: [], remove: [], view: [] };
    expect(permissionsIn({ commentGroups: { edit: 'A', view: ['B'], remove: null } })).toEqual({
      commentGroups: { edit: [], view: ['B'] },
    });
    for (const value of ['A', ['A'], 5, true]) {
      expect(permissionsIn({ commentGroups: value })).toEqual({ commentGroups: nobody });
    }
    for (const value of ['', 'edit', ['edit'], 5, true, false]) {
      const read = permissionsIn(value)!;
      expect(flags.map((name) => read[name])).toEqual(flags.map(strict));
      expect([read.reviewGroups, read.commentGroups]).toEqual([[], nobody]);
    }
    expect([permissionsIn([]), permissionsIn(null), permissionsIn(undefined)]).toEqual([
      {},
      undefined,
      undefined,
    ]);
  });

  it('[AT26] members of other names stay, and no name reaches a prototype', () => {
    const given = JSON.parse(
      '{"__proto__":{"edit":true},"constructor":1,"own":{"a":[1]},"edit":"false"}',
    ) as unknown;
    const read = permissionsIn(given)!;
    expect(read.edit).toBe(false);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(JSON.stringify(read)).toBe(
      '{"__proto__":{"edit":true},"constructor":1,"own":{"a":[1]},"edit":false}',
    );
    const inherited = permissionsIn(JSON.parse('{"__proto__":{"edit":false,"download":false}}'))!;
    expect([inherited.edit, inherited.download]).toEqual([undefined, undefined]);
  });
});
