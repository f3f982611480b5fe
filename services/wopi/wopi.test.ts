import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError } from '../../platform/config.ts';
import { fileOfSecrets } from '../../platform/secrets/secret-place.ts';
import { decodeUtf7 } from '../../test/support/wopi-host.ts';
import { keysIn, whyNotProven } from '../../test/support/wopi-proof.ts';
import { servedFormats } from '../integration/editor-formats.ts';
import { discoveryXml } from './discovery.ts';
import { escapeXml } from './escape-xml.ts';
import { permissionsOf, readFileInfo } from './file-info.ts';
import { addressOf, editKeys, readFileSource, viewKey } from './file-source.ts';
import { HostRules } from './host-client.ts';
import { readPageQuery } from './page-query.ts';
import { ProofKeys } from './proof-keys.ts';
import { isChanged } from './put-file.ts';
import { encodeUtf7 } from './wopi-host.ts';

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});
async function scratchFile(name: string): Promise<string> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-wopi-'));
  directories.push(directory);
  return path.join(directory, name);
}

const noConversions = { handles: () => false };
const formats = servedFormats({
  ...{ hasOtherEditors: false, blanks: ['docx'], conversions: noConversions },
  assemblyFormatAsOrigin: true,
});

describe('proofs', () => {
  it('[WO40] hold for address, token and time, by keys that are made once and kept from others', async () => {
    const file = await scratchFile('keys.json');
    const [keys, again] = await Promise.all([
      ProofKeys.load(fileOfSecrets(file)),
      ProofKeys.load(fileOfSecrets(file)),
    ]);
    expect(again.published).toEqual(keys.published);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const discovered = keysIn(discoveryXml('https://d.test', formats, keys));
    fc.assert(
      fc.property(
        fc.string(),
        fc.webUrl({ withQueryParameters: true }),
        fc.string(),
        (token, given, other) => {
          const url = new URL(given).href;
          const headers = keys.headers(token, url, Date.now());
          const request = {
            url,
            accessToken: token,
            proof: headers['X-WOPI-Proof'],
            proofOld: headers['X-WOPI-ProofOld'],
            timestamp: headers['X-WOPI-TimeStamp'],
          };
          expect(whyNotProven(request, discovered)).toBeNull();
          const wrong = { ...request, accessToken: `${token}${other}x` };
          expect(whyNotProven(wrong, discovered)).toMatch(/no signature/);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('[WO40] a damaged file of keys is left to a person', async () => {
    const file = await scratchFile('keys.json');
    await writeFile(file, '{"current":"no key","old":"none"}');
    await expect(ProofKeys.load(fileOfSecrets(file))).rejects.toThrow(ConfigError);
    await expect(ProofKeys.rotate(fileOfSecrets(file))).rejects.toThrow(ConfigError);
  });
});

describe('names and addresses', () => {
  it('[WO41] any name survives UTF-7, and none breaks a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const name = text.toWellFormed();
        const encoded = encodeUtf7(name);
        expect(encoded).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeUtf7(encoded)).toBe(name);
      }),
    );
    expect(encodeUtf7('Hi Mom -☺-!')).toBe('Hi Mom -+Jjo--!');
    expect(encodeUtf7('1+1')).toBe('1+-1');
  });

  it('[WO42] keys are keys, and different for different files', () => {
    const info = readFileInfo({ BaseFileName: 'a.docx', Version: '1' })!;
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary', minLength: 1 }),
        (one, two) => {
          const [a, b] = [editKeys('https://h.test/1', one), editKeys('https://h.test/2', two)];
          for (const key of [
            a.plain,
            a.distinct,
            viewKey({ url: 'https://h.test/1', fileId: one }, info, 's'),
          ]) {
            expect(key).toMatch(/^[0-9A-Za-z\-._=]{1,240}$/);
          }
          if (one !== two) expect(a.plain).not.toBe(b.plain);
          expect(a.distinct).not.toBe(b.distinct);
        },
      ),
    );
    expect(editKeys('https://h.test/1', 'f42-v7').plain).toBe('f42-v7');
  });

  it('[WO43] the address of a file is http(s), names no person, and carries the token as the host reads it', () => {
    for (const wrong of [
      undefined,
      '',
      'x',
      'ftp://h.test/1',
      'https://u:p@h.test/1',
      'https://h.test/',
      5,
    ]) {
      expect(readFileSource(wrong)).toBeNull();
    }
    const source = readFileSource('https://h.test/wopi/files/a%20b/?tenant=1&access_token=x#y')!;
    expect(source).toEqual({ url: 'https://h.test/wopi/files/a%20b?tenant=1', fileId: 'a b' });
    const address = new URL(addressOf(source.url, 'to&ken+/=', '/contents'));
    expect(address.pathname).toBe('/wopi/files/a%20b/contents');
    expect(address.searchParams.get('access_token')).toBe('to&ken+/=');
    expect(address.searchParams.get('tenant')).toBe('1');
  });

  it('[WO43] hosts are those that the operator named, whole names and whole parts of paths', () => {
    const rules = new HostRules({ wopiHosts: 'https://a.test/wopi, http://b.test:81' });
    expect(['https://a.test/wopi/files/1', 'http://b.test:81/x'].every((url) => rules.mayUse(url))).toBe(
      true,
    );
    for (const url of [
      'https://a.test/wopix/1',
      'https://a.test.evil.test/wopi/1',
      'http://a.test/wopi/1',
      'http://b.test/x',
      'https://a.test/other',
      'no address',
    ]) {
      expect(rules.mayUse(url)).toBe(false);
    }
    expect(new HostRules({ wopiHosts: undefined }).mayUse('https://x.test/1')).toBe(false);
  });

  it('[WO43] what a page is asked for is read whatever it is', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.string(), fc.string(), (more, config, ttl) => {
        const fields = new Map([
          ...Object.entries(more),
          ['docs_api_config', config],
          ['access_token_ttl', ttl],
        ] as const);
        const query = readPageQuery(fields);
        expect(query.lang).toMatch(/^[A-Za-z]{2,3}/);
        expect(Array.isArray(query.config)).toBe(false);
        expect(query.expiresAt === null || !Number.isNaN(query.expiresAt.getTime())).toBe(true);
      }),
    );
  });
});

describe('what hosts and people write', () => {
  it('[WO44] stands in pages and discovery as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeXml(text)).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
    );
  });

  it('[WO44] an answer to CheckFileInfo is read whatever its members are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, more) => {
        const info = readFileInfo({
          ...more,
          Size: value,
          Version: value,
          UserCanWrite: value,
          BaseFileName: 'a.docx',
        });
        expect(info?.BaseFileName).toBe('a.docx');
        expect(typeof (info?.UserCanWrite ?? false)).toBe('boolean');
      }),
    );
    for (const none of [null, 5, 'x', [], {}, { BaseFileName: '' }, { BaseFileName: 5 }]) {
      expect(readFileInfo(none)).toBeNull();
    }
  });

  it('[WO80] a size that is null or empty is not known, so that no file is taken for a new one', () => {
    const read = (members: object) => readFileInfo({ BaseFileName: 'a.docx', ...members });
    for (const nothing of [null, '', ' ', false, [], 'many', -1, 0.5]) {
      expect([nothing, read({ Size: nothing })?.Size]).toEqual([nothing, undefined]);
      expect(read({ FileNameMaxLength: nothing })?.FileNameMaxLength).toBeUndefined();
    }
    expect(read({ Size: '0' })?.Size).toBe(0);
    expect(read({ Size: '1024', FileNameMaxLength: '250' })).toMatchObject({
      Size: 1024,
      FileNameMaxLength: 250,
    });
  });

  it('[WO80] rights may be numbers and texts, and names numbers', () => {
    const info = readFileInfo({
      BaseFileName: 'a.docx',
      UserCanWrite: 1,
      ReadOnly: '0',
      SupportsLocks: 'TRUE',
      UserCanRename: 'perhaps',
      UserFriendlyName: 7,
      BreadcrumbDocName: 2026,
      HostEditUrl: null,
    });
    expect(info).toMatchObject({
      UserCanWrite: true,
      ReadOnly: false,
      SupportsLocks: true,
      UserCanRename: undefined,
      UserFriendlyName: '7',
      BreadcrumbDocName: '2026',
      HostEditUrl: undefined,
    });
  });

  it('[WO94] what takes a right away does so with every value that does not say no', () => {
    const read = (given: unknown) => {
      const info = readFileInfo({
        BaseFileName: 'a.docx',
        UserCanWrite: true,
        ReadOnly: given,
        DisableExport: given,
      })!;
      const { edit, download } = permissionsOf(info, { formSubmit: false, chat: true });
      return [given, edit, download];
    };
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    for (const yes of [true, 1, 2, -1, 'true', ' TRUE ', 'yes', 'on', 'Y', [true], {}, { toString: 5 }, deep])
      expect(read(yes)).toEqual([yes, false, false]);
    for (const no of [undefined, null, false, 0, '', ' ', 'false', '0', ' No', 'off'])
      expect(read(no)).toEqual([no, true, true]);
  });

  it('[WO95] what tells versions and people apart does so whatever its type', () => {
    const values = [
      ...[
        1,
        2,
        true,
        ['a'],
        ['b'],
        { etag: 'a' },
        { etag: 'b' },
        '',
        'a',
        'a\u0000',
        'a\u0001',
        'a\ud83d',
        'a\ud83e',
      ],
      ...[`${'x'.repeat(20_000)}a`, `${'x'.repeat(20_000)}b`],
    ];
    const read = (given: unknown) =>
      readFileInfo({ BaseFileName: 'a.docx', Version: given, LastModifiedTime: given, UserId: given })!;
    const versions = values.map((given) => read(given).Version);
    expect(new Set(versions).size).toBe(values.length);
    expect(values.map((given) => read(given).LastModifiedTime)).toEqual(versions);
    const people = values.filter((given) => typeof given === 'string').map((given) => read(given).UserId);
    expect(new Set(people).size).toBe(people.length);
    // What is kept with a session is read once more.
    for (const given of values) expect(readFileInfo(read(given))).toEqual(read(given));
    expect(read(null)).toMatchObject({ Version: undefined, LastModifiedTime: undefined, UserId: undefined });
  });

  it('[WO45] what is served depends on the editors and converters that are there', () => {
    const own = ['docx', 'docm', 'dotx', 'dotm', 'xlsx', 'xlsm', 'xltx', 'xltm', 'pdf'];
    expect(formats.map(({ extension }) => extension)).toEqual(own);
    const conversions = { handles: (from: string, to: string) => from === 'doc' && to === 'docx' };
    const converting = servedFormats({
      hasOtherEditors: false,
      blanks: [],
      conversions,
      assemblyFormatAsOrigin: true,
    });
    expect(converting.find(({ extension }) => extension === 'doc')).toMatchObject({
      view: true,
      edit: false,
      convertTo: 'docx',
    });
    const all = servedFormats({
      ...{ hasOtherEditors: true, blanks: ['docx', 'xlsx'], conversions },
      assemblyFormatAsOrigin: true,
    });
    const of = (extension: string) => all.find((format) => format.extension === extension);
    expect(of('xlsx')).toMatchObject({ edit: true, blank: true, kind: 'cell' });
    expect(of('odt')).toMatchObject({ edit: true, convertTo: null });
    expect(of('doc')).toMatchObject({ edit: false, convertTo: 'docx' });
  });

  it('[WO82] what has no editor is listed for looking at where an engine makes a PDF of it, and converted only into what can be edited', async () => {
    const targets: Readonly<Record<string, readonly string[]>> = {
      doc: ['docx', 'pdf'],
      xls: ['xlsx', 'pdf'],
      ppt: ['pptx', 'pdf'],
      pptx: ['pdf'],
      odg: ['pptx'],
    };
    const conversions = { handles: (from: string, to: string) => targets[from]?.includes(to) ?? false };
    const abilities = { blanks: ['docx', 'xlsx'], conversions, assemblyFormatAsOrigin: true };
    const shown = servedFormats({ ...abilities, hasOtherEditors: false });
    const of = (extension: string) => shown.find((format) => format.extension === extension);
    for (const extension of ['pdf', 'ppt', 'pptx']) {
      expect(of(extension)).toMatchObject({ view: true, edit: false, blank: false, convertTo: null });
    }
    expect(of('doc')).toMatchObject({ view: true, edit: false, convertTo: 'docx' });
    expect(of('xls')).toMatchObject({ view: true, edit: false, convertTo: 'xlsx' });
    for (const extension of ['odg', 'odp', 'djvu', 'vsdx']) expect(of(extension)).toBeUndefined();
    const xml = discoveryXml(
      'https://d.test',
      shown,
      await ProofKeys.load(fileOfSecrets(await scratchFile('k'))),
    );
    const actions = [...xml.matchAll(/<action name="(\w+)" ext="pptx"( default="true")?/g)].map(
      ([, name]) => name,
    );
    expect(actions).toEqual(['view', 'embedview', 'mobileView']);
    expect(xml).toContain('<action name="view" ext="pptx" default="true"');
    expect(xml).toContain('/hosting/wopi/slide/view?');
  });

  it('[WO83] with editors of others only what they open is listed', () => {
    const conversions = { handles: (_from: string, to: string) => to === 'pdf' };
    const listed = servedFormats({
      ...{ hasOtherEditors: true, blanks: [], conversions, assemblyFormatAsOrigin: true },
    });
    for (const extension of ['djvu', 'oxps', 'odg']) {
      expect(listed.find((format) => format.extension === extension)).toBeUndefined();
    }
  });
});

describe('whether a file has changed at its host', () => {
  const time = '2026-01-01T00:00:00.123Z';
  const known = { version: '0', lastModified: time };

  it('[WO85] either member shows it, and what the host does not say shows nothing', () => {
    const said = (Version?: string, LastModifiedTime?: string) =>
      isChanged(known, { Version, LastModifiedTime });
    expect([said('0', time), said('0'), said(undefined, time), said()]).toEqual([false, false, false, false]);
    const later = '2026-01-01T00:00:00.124Z';
    expect([said('0', later), said('1', time), said('1'), said(undefined, later)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
    const unknown = { version: null, lastModified: null };
    expect(isChanged(unknown, { Version: '1', LastModifiedTime: later })).toBe(false);
    const isAnother = { Version: '0', LastModifiedTime: 'b' };
    expect(isChanged({ version: '0', lastModified: 'a' }, isAnother)).toBe(true);
  });

  it('[WO86] a time in another form is the same time', () => {
    const isSame = (one: string, other: string) =>
      !isChanged({ version: '0', lastModified: one }, { Version: '0', LastModifiedTime: other }) &&
      !isChanged({ version: '0', lastModified: other }, { Version: '0', LastModifiedTime: one });
    for (const other of [
      '2026-01-01T00:00:00.1230000Z',
      '2026-01-01T00:00:00.1234567Z',
      '2026-01-01T00:00:00.12Z',
      '2026-01-01T00:00:00Z',
      '2026-01-01 00:00:00.123',
      '2026-01-01T02:00:00.123+02:00',
      '2025-12-31T19:30:00.123000-0430',
      'Thu, 01 Jan 2026 00:00:00 GMT',
    ]) {
      expect([other, isSame(time, other)]).toEqual([other, true]);
    }
    for (const other of [
      '2026-01-01T00:00:00.124Z',
      '2026-01-01T00:00:00.1240000Z',
      '2026-01-01T00:00:01.123Z',
      '2026-01-01T00:00:00.123+02:00',
      '2026-01-01T00:00:02Z',
      'Thu, 01 Jan 2026 00:00:02 GMT',
      '2026-13-01T00:00:00Z',
      '1767225600',
      'yesterday',
    ]) {
      expect([other, isSame(time, other)]).toEqual([other, false]);
    }
  });
});
