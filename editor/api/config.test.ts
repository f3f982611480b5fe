import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds, pageOf } from '../../model/kinds.ts';
import { api as ar } from '../strings/ar/api.ts';
import { api as de } from '../strings/de/api.ts';
import { api as en } from '../strings/en/api.ts';
import { copyConfig, defaultConfig, prepareConfig, refreshedConfig } from './config.ts';
import { type JsonObject, objectOf } from './json.ts';
import { readScriptAddress } from './script-address.ts';
import { say } from './texts.ts';

const url = 'https://storage.test/dl/42';
const good = (): JsonObject => ({
  document: { fileType: 'docx', key: 'f42-v7', title: 'Plan.docx', url },
  editorConfig: { callbackUrl: 'https://storage.test/cb', user: { id: 'u1', name: 'Ann' } },
});

const ready = (config: JsonObject, handlers = {}) => {
  const prepared = prepareConfig(config, handlers);
  if (!prepared.ready) throw new Error(prepared.problems.map(({ text }) => say(text, 'en')).join(' '));
  return prepared.ready;
};
const problems = (config: JsonObject): string[] =>
  (prepareConfig(config, {}).problems ?? []).map(({ text }) => say(text, 'en'));
const warnings = (config: JsonObject, handlers = {}): string[] =>
  prepareConfig(config, handlers).warnings.map((text) => say(text, 'en'));

/** A good configuration with one option changed. */
function having(path: string, value: unknown): JsonObject {
  const config = good();
  const names = path.split('.');
  const last = names.pop()!;
  let object = config;
  for (const name of names) {
    object[name] ??= {};
    object = object[name] as JsonObject;
  }
  object[last] = value as never;
  return config;
}

describe('the address of the script', () => {
  it.for([
    ['https://ds.test/web-apps/apps/api/documents/api.js', 'https://ds.test/web-apps/apps/'],
    ['https://ds.test/web-apps/apps/api/documents/api.js?_dc=1#x', 'https://ds.test/web-apps/apps/'],
    [
      'http://host:81/office/9.3.0-abc/web-apps/apps/api/documents/api.js',
      'http://host:81/office/9.3.0-abc/web-apps/apps/',
    ],
    ['https://ds.test/web-apps/apps/quire/api/documents/api.js', 'https://ds.test/web-apps/apps/'],
  ] as const)('[AJ1] %s', ([src, apps]) => {
    expect(readScriptAddress(src)?.apps).toBe(apps);
  });

  it('[AJ1] other scripts are not it', () => {
    for (const src of [
      '',
      'api.js',
      'https://ds.test/api.js',
      'https://x.test/my-api/documents/api.js.map',
    ]) {
      expect(readScriptAddress(src)).toBeNull();
    }
  });

  it('[AJ2] the query names the shard and the element for preloading', () => {
    const address = (query: string) =>
      readScriptAddress(`https://ds.test/web-apps/apps/api/documents/api.js?${query}`);
    expect(address('shardkey=k1')).toMatchObject({ shardKey: 'k1', preloadInto: null });
    expect(address('shardKey=k1')).toMatchObject({ shardKey: 'k1' });
    expect(address('preload=here')).toMatchObject({ shardKey: null, preloadInto: 'here' });
    expect(address('placeholder=here')).toMatchObject({ preloadInto: 'here' });
  });
});

describe('the configuration of a page', () => {
  it('[AJ3] gets the defaults where it says nothing, and keeps what it says', () => {
    const { whole, type, lang, width } = ready(good());
    expect({ type, lang, width }).toEqual({ type: 'desktop', lang: 'en', width: '100%' });
    expect(whole.editorConfig).toMatchObject({
      canCoAuthoring: true,
      customization: { about: true, feedback: false },
    });
    const other = ready(having('editorConfig.customization', { about: false, zoom: 80 }));
    expect(other.editorConfig.customization).toEqual({ about: false, feedback: false, zoom: 80 });
  });

  it('[AJ3] null and PHP’s empty lists are as good as absent', () => {
    const config = { ...good(), type: null, width: null };
    const { type, editorConfig } = ready({
      ...config,
      editorConfig: { callbackUrl: 'https://s.test/', lang: null, customization: [], user: [] },
    });
    expect(type).toBe('desktop');
    expect(editorConfig).toMatchObject({ lang: 'en', customization: { about: true, feedback: false } });
  });

  it('[AJ3] the page’s object and the defaults are left as they are', () => {
    const config = good();
    const before = JSON.stringify([config, defaultConfig]);
    ready(config, { onRequestClose: () => undefined });
    expect(JSON.stringify([config, defaultConfig])).toBe(before);
  });

  it('[AJ4] permissions are passed on as they came, absent ones stay absent', () => {
    expect(ready(good()).document).not.toHaveProperty('permissions');
    const permissions = { edit: true, own: { deep: [1, null] } };
    expect(ready(having('document.permissions', permissions)).document.permissions).toEqual(permissions);
  });

  it('[AJ4] the token goes with the document, and what has no name or key gets one', () => {
    const { document } = ready({ ...good(), token: 'jwt', document: { fileType: 'DOCX', url } });
    expect(document).toMatchObject({ token: 'jwt', fileType: 'docx', title: 'Unnamed.docx' });
    expect(document.key).toMatch(/^[0-9a-f]{20}$/);
    expect(ready(having('editorConfig.user.id', 7)).editorConfig.user).toEqual({ id: '7', name: 'Ann' });
  });

  it('[AJ5] handlers become the flags the editor sees', () => {
    const handlers = {
      onRequestClose: () => undefined,
      onRequestHistory: () => undefined,
      onRequestUsers: 'no',
    };
    expect(ready(good(), handlers).editorConfig).toMatchObject({
      canRequestClose: true,
      canUseHistory: true,
      canRequestUsers: false,
      canRename: false,
    });
    expect(ready(having('document.fileType', 'xps'), handlers).editorConfig.canUseHistory).toBe(false);
  });

  it.for([
    ['docx', undefined, 'word'],
    ['DOCX', 'cell', 'word'],
    ['xlsx', undefined, 'cell'],
    ['odp', 'word', 'slide'],
    ['djvu', undefined, 'pdf'],
    ['vsdx', undefined, 'diagram'],
    ['xml', undefined, 'word'],
    ['xml', 'cell', 'cell'],
    ['strange', 'text', 'word'],
    [undefined, 'spreadsheet', 'cell'],
    ['', 'presentation', 'slide'],
    [undefined, 'text-pdf', 'pdf'],
    ['xhtml', '', 'word'],
    ['MHTML', '', 'word'],
    ['markdown', '', 'word'],
    ['text', '', 'word'],
  ] as const)('[AJ6] a file %s of documentType %s is of kind %s', ([fileType, documentType, kind]) => {
    expect(ready({ ...having('document.fileType', fileType), documentType }).kind).toBe(kind);
  });

  it('[AJ7] kinds without an editor are opened by the page that shows them', () => {
    expect(kinds.all.map(pageOf)).toEqual(['word', 'cell', 'viewer', 'viewer', 'viewer']);
    expect(kinds.ofFile('')).toBeUndefined();
  });

  it.for([
    ['document', undefined, 'The option document is missing.'],
    ['document', 'x', 'The option document must be an object.'],
    ['document.url', undefined, 'The option document.url is missing.'],
    [
      'document.url',
      '/dl/42',
      'The option document.url must be an absolute http or https address; it is “/dl/42”.',
    ],
    ['document.url', 5, 'The option document.url must be an absolute http or https address; it is “5”.'],
    ['document.fileType', undefined, 'One of the options document.fileType and documentType is missing.'],
    [
      'document.fileType',
      'abc',
      'The option document.fileType “abc” is not known, and there is no documentType.',
    ],
    ['document.fileType', true, 'The option document.fileType must be a string.'],
    ['document.key', true, 'The option document.key must be a string.'],
    ['document.key', ['a'], 'The option document.key must be a string.'],
    [
      'document.key',
      'a b',
      'The option document.key may have 1 to 240 of the characters 0-9 a-z A-Z - . _ =; it is “a b”.',
    ],
    ['document.permissions', 'all', 'The option document.permissions must be an object.'],
    ['editorConfig', 'x', 'The option editorConfig must be an object.'],
    ['editorConfig.user', 'Ann', 'The option editorConfig.user must be an object.'],
    [
      'editorConfig.callbackUrl',
      '/cb',
      'The option editorConfig.callbackUrl must be an absolute http or https address; it is “/cb”.',
    ],
    ['token', {}, 'The option token must be a string.'],
  ] as const)('[AJ8] %s: %j is refused by name', ([path, value, sentence]) => {
    expect(problems(having(path, value))).toEqual([sentence]);
  });

  it('[AJ8] a wrong documentType is named with the right ones, and several problems together', () => {
    expect(problems({ documentType: 'wrod', document: { url: 'x' } })).toEqual([
      'The option document.url must be an absolute http or https address; it is “x”.',
      'The option documentType must be one of word, cell, slide, pdf, diagram; it is “wrod”.',
    ]);
  });

  it.for([
    ['type', 'tablet', 'The option type must be one of desktop, mobile, embedded; it is “tablet”.'],
    ['width', {}, 'The option width must be a number of pixels or a CSS length.'],
    [
      'editorConfig.mode',
      'read',
      'The option editorConfig.mode must be one of edit, view, fillForms; it is “read”.',
    ],
    [
      'editorConfig.callbackUrl',
      undefined,
      'The option editorConfig.callbackUrl is missing: what is edited will not reach your storage.',
    ],
    [
      'editorConfig.callbackUrl',
      'https://ann:secret@storage.test/cb',
      'The option editorConfig.callbackUrl holds a name and a password, which are sent nowhere: give the address without them.',
    ],
    ['document.key', '', 'The option document.key is missing: nobody else can join in this document.'],
    ['documentType', true, 'The option documentType must be a string.'],
    ['editorConfig.customization', 'dark', 'The option editorConfig.customization must be an object.'],
    ['editorConfig.coEditing', true, 'The option editorConfig.coEditing must be an object.'],
    ['editorConfig.embedded', [1], 'The option editorConfig.embedded must be an object.'],
  ] as const)('[AJ9] %s: %j is a warning, and the editor opens', ([path, value, sentence]) => {
    const config = having(path, value);
    expect(warnings(config)).toEqual([sentence]);
    expect(ready(config).type).toBe('desktop');
  });

  it('[AJ9] a handler that is no function is a warning; a viewer needs no callback', () => {
    expect(warnings(good(), { onError: 'alert' })).toEqual(['The option events.onError must be a function.']);
    expect(warnings({ ...good(), editorConfig: { mode: 'view' } })).toEqual([]);
    // The page of a file of a WOPI host has none: the host is asked.
    const wopi = { WOPISrc: 'https://host.test/wopi/files/1', UserSessionId: 'u' };
    expect(warnings({ ...good(), editorConfig: { mode: 'edit', wopi } })).toEqual([]);
  });

  it('[TK17] a key and a person that the page has rounded are those of its token', () => {
    const [key, id] = ['12345678901234567890', '9007199254740993'];
    const claims = `{"document":{"key":${key},"permissions":{"reviewGroups":[${id}]}},"editorConfig":{"user":{"id":${id},"name":"Jürg"}}}`;
    const token = `e30.${Buffer.from(claims).toString('base64url')}.x`;
    const read = (given: JsonObject) => {
      const { config } = copyConfig(given);
      const { document, editorConfig } = ready(config);
      return { key: document.key, permissions: document.permissions, user: editorConfig.user };
    };
    const page = having('document.key', Number(key));
    Object.assign(page.document as JsonObject, { permissions: { reviewGroups: [Number(id)] } });
    (page.editorConfig as JsonObject).user = { id: Number(id), name: 'Ann' };
    expect(read({ ...page, token })).toEqual({
      key,
      permissions: { reviewGroups: [id] },
      user: { id, name: 'Ann' },
    });
    // What is another number is no rounding, and nobody has to have a token.
    (page.document as JsonObject).key = Number(key) * 2;
    expect(read({ ...page, token }).key).toBe(String(Number(key) * 2));
    for (const other of [undefined, '', 'x', 'e30.é.x', 'e30.bnVsbA.x']) {
      expect(read({ ...page, token: other } as JsonObject).user).toEqual({
        id: String(Number(id)),
        name: 'Ann',
      });
    }
  });

  it('[AJ30] a title may be a number, and a title or language that is no text is as good as absent', () => {
    expect(ready(having('document.title', 2026)).document.title).toBe('2026');
    const titled = having('document.title', { text: 'x' });
    expect(ready(titled).document.title).toBe('Unnamed.docx');
    expect(warnings(titled)).toEqual(['The option document.title must be a string.']);
    const spoken = having('editorConfig.lang', []);
    expect(ready(spoken)).toMatchObject({ lang: 'en', editorConfig: { lang: 'en' } });
    expect(warnings(spoken)).toEqual(['The option editorConfig.lang must be a string.']);
    expect(warnings(having('editorConfig.mode', 'fillforms'))).toEqual([]);
    expect(warnings(having('editorConfig.mode', ''))).toEqual([]);
  });

  it('[AJ30] texts may be numbers, and a file type that cannot be read leaves the kind to documentType', () => {
    expect(ready(having('document.key', 42)).document.key).toBe('42');
    expect(warnings(having('document.key', 0))).toEqual([]);
    expect(ready({ ...good(), token: 5 }).document.token).toBe('5');
    const typed = { ...having('document.fileType', {}), documentType: 'cell' };
    expect(ready(typed).kind).toBe('cell');
    expect(ready(typed).document.fileType).toBeUndefined();
    expect(warnings(typed)).toEqual(['The option document.fileType must be a string.']);
  });

  it('[AJ30] a mode that cannot be read is for viewing', () => {
    for (const mode of [{}, ['view'], [], { mode: 'edit' }]) {
      const config = { ...good(), editorConfig: { mode } } as JsonObject;
      // Who only looks needs no address for callbacks.
      expect(warnings(config)).toHaveLength(1);
      expect(refreshedConfig({ document: { url } }, config).editorConfig).toEqual({ mode: 'view' });
    }
  });

  it('[AJ30] what a library of Java leaves at null is as good as absent', () => {
    const nothing = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
    const { document, editorConfig } = ready({
      ...nothing('type', 'width', 'height', 'token', 'documentType', 'events'),
      document: { ...objectOf(good().document), ...nothing('title', 'permissions', 'info', 'referenceData') },
      editorConfig: {
        ...objectOf(good().editorConfig),
        ...nothing('lang', 'mode', 'coEditing', 'customization', 'embedded', 'plugins', 'user', 'recent'),
      },
    });
    expect(document.title).toBe('Unnamed.docx');
    expect(editorConfig).toMatchObject({ lang: 'en', customization: { about: true } });
  });

  it('[AJ10] options that are not known do no harm', () => {
    const unknown = fc.dictionary(
      fc
        .string()
        .filter(
          (name) => !Object.keys(good()).includes(name) && !/type|width|height|token|events/.test(name),
        ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(unknown, unknown, (top, inner) => {
        const config = good();
        const given = JSON.parse(JSON.stringify({ ...top, ...config })) as JsonObject;
        given.editorConfig = { ...(config.editorConfig as JsonObject), unknown: inner as never };
        expect(ready(given).editorConfig.unknown).toEqual(inner);
        expect(problems(given)).toEqual([]);
      }),
    );
  });

  it('[AJ8] whatever is given, the answer is an editor or a sentence', () => {
    const wild = fc.anything();
    const options = { url: wild, key: wild, fileType: wild, title: wild, permissions: wild };
    const configs = fc.record({
      document: fc.oneof(fc.record(options), wild),
      editorConfig: wild,
      type: wild,
    });
    fc.assert(
      fc.property(fc.oneof(wild, configs), (given) => {
        const { config, problem } = copyConfig(given);
        const prepared = prepareConfig(config, {});
        const sentences = problem ? [problem] : (prepared.problems ?? []);
        expect(sentences.length > 0 || prepared.ready !== undefined).toBe(true);
        for (const { text } of sentences) expect(say(text, 'en')).toMatch(/^[A-Z].*\w/);
      }),
    );
  });

  it('[AJ8] a configuration that cannot be sent is refused with the reason', () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const { problem } = copyConfig({ document: loop });
    expect(say(problem!.text, 'en')).toMatch(
      /^The configuration cannot be passed on to the editor: TypeError/,
    );
    expect(say(copyConfig(undefined).problem!.text, 'en')).toBe('The option config is missing.');
    expect(say(copyConfig('x').problem!.text, 'de-AT')).toBe('Die Option config muss ein Objekt sein.');
  });

  it('[AJ11] the sentences say the same in every language', () => {
    const parameters = (texts: Record<string, string>) =>
      Object.entries(texts).map(([name, sentence]) => [
        name,
        [...sentence.matchAll(/\{\w+\}/g)].map(String).sort(),
      ]);
    expect(parameters(de)).toEqual(parameters(en));
    expect(parameters(ar)).toEqual(parameters(en));
  });

  it('[AJ27] what a configuration for refreshFile leaves out is as before, but nothing that its token must vouch for', () => {
    const open = ready({
      ...good(),
      type: 'mobile',
      token: 'the first token',
      documentType: 'word',
      document: { ...objectOf(good().document), permissions: { edit: true }, info: { owner: 'Me' } },
    }).whole;
    const next = {
      token: 'the second token',
      document: { key: 'f42-v8', url, title: 'Other.docx', permissions: null },
      editorConfig: { callbackUrl: 'https://storage.test/cb8', mode: 'edit' },
    };
    expect(ready(refreshedConfig(next, open))).toMatchObject({
      type: 'mobile',
      kind: 'word',
      document: {
        fileType: 'docx',
        title: 'Other.docx',
        key: 'f42-v8',
        info: { owner: 'Me' },
        token: 'the second token',
      },
      editorConfig: {
        user: { id: 'u1', name: 'Ann' },
        callbackUrl: 'https://storage.test/cb8',
        mode: 'edit',
      },
    });
    expect(refreshedConfig({ document: { key: 'f42-v8', url } }, open)).toEqual({
      ...open,
      token: undefined,
      document: { fileType: 'docx', title: 'Plan.docx', info: { owner: 'Me' }, key: 'f42-v8', url },
      editorConfig: { ...objectOf(open.editorConfig), callbackUrl: undefined },
    });
    const user = { id: 'u2' };
    expect(refreshedConfig({ editorConfig: { user } }, open).editorConfig).toMatchObject({
      user: { id: 'u2' },
    });
    expect(objectOf(objectOf(refreshedConfig({ editorConfig: { user } }, open).editorConfig).user)).toEqual(
      user,
    );
    const written = {
      type: '',
      document: {
        key: 'f42-v8',
        url,
        fileType: '',
        title: '',
        info: { owner: '', favorite: null },
        permissions: {},
      },
      documentType: '',
      editorConfig: { user: { id: '', name: '', roles: null }, lang: '', mode: 'edit' },
    };
    expect(ready(refreshedConfig(written, open))).toMatchObject({
      type: 'mobile',
      lang: 'en',
      document: { fileType: 'docx', title: 'Plan.docx', info: { owner: 'Me' }, permissions: {} },
      editorConfig: { user: { id: 'u1', name: 'Ann' } },
    });
    const reading = { ...open, editorConfig: { mode: 'view' } };
    expect(refreshedConfig({ document: { url } }, reading).editorConfig).toEqual({ mode: 'view' });
    expect(problems(refreshedConfig({ document: { key: 'f42-v8' } }, open))).toEqual([
      'The option document.url is missing.',
    ]);
  });
});
