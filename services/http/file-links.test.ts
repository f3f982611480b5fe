import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileLinks, type LinkedFile, sessionLinkLifeS } from './file-links.ts';

const hash = 'ab'.repeat(32);
const base = { baseUrl: 'https://docs.test/quire' };
const nowMs = 1_760_000_000_000;
const linksAt = (atMs: number, link = 'link secret') =>
  new FileLinks({ link }, { temporaryLinkLifeS: 900, publicUrl: undefined }, () => atMs);
const links = linksAt(nowMs);

/** What the router gets: the path without the prefix, and the query. */
function check(link: string, by = links) {
  const url = new URL(link);
  return by.check(url.pathname.replace('/quire', ''), Object.fromEntries(url.searchParams));
}

test('[FL1] a link names document, blob, path and download name, and is valid', () => {
  const link = links.temporary({ docKey: 'D1', hash, path: 'media/image1.png' }, base);
  expect(
    link.startsWith(`https://docs.test/quire/cache/files/data/D1/${hash}/media/image1.png/image1.png?md5=`),
  ).toBe(true);
  expect(new URL(link).searchParams.get('filename')).toBe('image1.png');
  expect(check(link)).toEqual({ kind: 'ok', hash, fileName: 'image1.png', expiresS: nowMs / 1000 + 900 });
});

test('[FL1] a forgotten file has an address of its own form, in which its blob is signed too', () => {
  const link = links.temporary({ docKey: 'D1', hash, path: 'output.docx', area: 'forgotten' }, base);
  expect(
    link.startsWith('https://docs.test/quire/cache/files/forgotten/D1/output.docx/output.docx?md5='),
  ).toBe(true);
  expect(check(link)).toMatchObject({ kind: 'ok', hash, fileName: 'output.docx' });
  expect(check(link.replace(hash, 'cd'.repeat(32)))).toEqual({ kind: 'forged' });
  expect(check(link.replace(/&blob=\w+/, ''))).toEqual({ kind: 'forged' });
});

test('[FL1] any key, path and name give a link that is valid and names this blob', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom('/', '.', '%', '\uD800'),
    ),
  });
  fc.assert(
    fc.property(text, text, text, (docKey, path, downloadName) => {
      const file: LinkedFile = { docKey, hash, path, downloadName };
      expect(check(links.temporary(file, base))).toMatchObject({
        kind: 'ok',
        hash,
        fileName: downloadName.toWellFormed(),
      });
    }),
  );
});

test('[FL1] a key with a slash in it does not lead to another blob', () => {
  const docKey = `D1/${'cd'.repeat(32)}`;
  expect(check(links.temporary({ docKey, hash, path: 'f' }, base))).toMatchObject({ kind: 'ok', hash });
});

test('[FL2] a link in which anything was changed is forged', () => {
  const link = links.temporary({ docKey: 'D1', hash, path: 'Editor.bin' }, base);
  const changed = [
    link.replace('D1', 'D2'),
    link.replace(hash, 'cd'.repeat(32)),
    link.replace('Editor.bin/', 'Editor.exe/'),
    link.replace(/expires=(\d+)/, (_all, at) => `expires=${Number(at) + 1}`),
    link.replace(/filename=.*/, 'filename=x.html'),
    link.replace(/&filename=.*/, ''),
    link.replace(/md5=./, (start) => (start === 'md5=A' ? 'md5=B' : 'md5=A')),
    link.replace(/md5=[^&]*/, 'md5='),
    link.replace(/md5=[^&]*&/, ''),
    link.replace(/expires=[^&]*/, 'expires=never'),
    link.replace('D1', '%E0%A4%A'),
  ];
  for (const forged of changed) expect(check(forged), forged).toEqual({ kind: 'forged' });
  expect(check(link, linksAt(nowMs, 'another secret'))).toEqual({ kind: 'forged' });
  const { pathname, searchParams } = new URL(link);
  const query = Object.fromEntries(searchParams);
  const path = pathname.replace('/quire', '');
  expect(links.check(path.replace('/data/', '/data/../data/'), query)).toEqual({ kind: 'forged' });
  expect(links.check(path.replace('/data/', '%2Fdata/'), query)).toEqual({ kind: 'forged' });
  expect(links.check(path.replace('bin', '%62in'), query)).toMatchObject({ kind: 'ok' });
  expect(links.check('/cache/files/data', { md5: ['a', 'b'], expires: {} })).toEqual({ kind: 'forged' });
});

test('[FL3] a temporary link works for its life and then has expired', () => {
  const link = links.temporary({ docKey: 'D1', hash, path: 'f' }, base);
  expect(check(link, linksAt(nowMs + 900_000))).toMatchObject({ kind: 'ok' });
  expect(check(link, linksAt(nowMs + 901_000))).toEqual({ kind: 'expired' });
});

test('[FL4] a session link is the same for 30 days and works for 30 days more at least', () => {
  const file = { docKey: 'D1', hash, path: 'Editor.bin' };
  const dayMs = 86_400_000;
  fc.assert(
    fc.property(fc.integer({ min: -5_000_000, max: 400 * dayMs }), (ageMs) => {
      const sinceMs = nowMs - ageMs;
      const result = check(links.session(file, base, sinceMs));
      expect(result.kind).toBe('ok');
      const lifeS = result.kind === 'ok' ? result.expiresS - nowMs / 1000 : 0;
      expect(lifeS).toBeGreaterThanOrEqual(sessionLinkLifeS);
      expect(lifeS).toBeLessThanOrEqual(2 * sessionLinkLifeS + 5_000);
    }),
  );
  const onDay = (day: number) => linksAt(nowMs + day * dayMs).session(file, base, nowMs);
  expect(onDay(29)).toBe(onDay(0));
  expect(onDay(30)).not.toBe(onDay(0));
});

test('[FL5] the routing key goes into the query and may change on the way', () => {
  const routing = { WOPISrc: 'https://h/a?b&c' };
  const link = links.temporary({ docKey: 'D1', hash, path: 'f' }, { ...base, routing });
  expect(new URL(link).searchParams.get('WOPISrc')).toBe('https://h/a?b&c');
  expect(check(link.replace(/WOPISrc=[^&]*/, 'WOPISrc=x'))).toMatchObject({ kind: 'ok' });
});
