import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { spellcheckOf } from './customization.ts';
import { documentAuthOf } from './document-auth.ts';
import { type FrameConfig, readFrameConfig, readRefreshedConfig } from './frame-config.ts';
import { commandSchemas } from './host-commands.ts';
import { roleOf } from './role.ts';
import { serverAddress } from './server-address.ts';
import { isInGroups, joinUserName, splitUserName } from './user-name.ts';

const defaults = readFrameConfig(undefined, undefined);

/** The kinds of all values, so that two configurations of the same shape are equal. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function customized(customization: unknown): FrameConfig['editorConfig']['customization'] {
  return readFrameConfig({ customization }, {}).editorConfig.customization;
}

const withRights = (permissions: object, editorConfig: object = {}, type = 'desktop') =>
  roleOf(readFrameConfig(editorConfig, { permissions }, { query: new URLSearchParams({ type }) }));

describe('what the page sent', () => {
  it('[HB1] is read whatever it is, and defaults stand for what is missing', () => {
    expect(defaults).toMatchObject({
      type: 'desktop',
      documentType: 'word',
      isAnonymous: true,
      givenPermissions: undefined,
      document: { key: '', title: '', info: { sharingSettings: [] } },
      editorConfig: {
        lang: 'en',
        coEditing: { mode: 'fast', change: true },
        user: { id: 'guest', name: '', roles: [] },
        recent: [],
        canRequestClose: false,
        customization: { autosave: true, forcesave: false, zoom: 100, unit: 'cm', help: true },
      },
    });
    for (const nothing of [null, 5, 'x', [], true]) {
      expect(readFrameConfig(nothing, nothing)).toEqual(defaults);
    }
  });

  it('[HB1] never throws and never has a wrong type', () => {
    const wild = fc.anything();
    const sections = fc.record({
      lang: wild,
      user: fc.oneof(fc.record({ id: wild, name: wild, roles: wild, image: wild }), wild),
      coEditing: fc.oneof(fc.record({ mode: wild, change: wild }), wild),
      customization: fc.oneof(
        fc.record({ zoom: wild, goback: wild, close: wild, review: wild, logo: wild, features: wild }),
        wild,
      ),
      recent: fc.array(wild),
      actionLink: wild,
    });
    const documents = fc.record({ key: wild, permissions: wild, info: wild, referenceData: wild });
    fc.assert(
      fc.property(fc.oneof(sections, wild), fc.oneof(documents, wild), (init, doc) => {
        const config = readFrameConfig(init, doc);
        roleOf(config);
        documentAuthOf(config);
        for (const name of ['lang', 'coEditing'] as const) {
          expect(shapeOf(config.editorConfig[name])).toEqual(shapeOf(defaults.editorConfig[name]));
        }
        expect(typeof config.document.key).toBe('string');
        expect(config.editorConfig.user.id).not.toBe('');
        const { zoom, goback } = config.editorConfig.customization;
        expect(Number.isInteger(zoom)).toBe(true);
        expect(typeof goback.visible).toBe('boolean');
      }),
    );
  });

  it('[HB2] wrong entries of a list are left out, the right ones stay', () => {
    const { recent } = readFrameConfig(
      { recent: [5, { title: 'A', url: 'https://s.test/a' }, { title: 'B' }, null] },
      {},
    ).editorConfig;
    expect(recent).toEqual([{ folder: '', title: 'A', url: 'https://s.test/a' }]);
  });

  it('[HB2] nobody is led to a script', () => {
    const bad = 'javascript:alert(1)';
    const { editorConfig, document } = readFrameConfig(
      {
        createUrl: bad,
        recent: [{ title: 'A', url: bad }],
        user: { image: bad },
        customization: { goback: { url: bad }, logo: { url: bad, image: bad } },
      },
      { directUrl: bad },
    );
    expect(JSON.stringify({ editorConfig, document })).not.toContain('javascript');
    expect(editorConfig.customization.goback.url).toBeUndefined();
  });

  it('[HB3] booleans as numbers or words, and ids as numbers', () => {
    const { document, editorConfig } = readFrameConfig(
      { user: { id: 7 }, customization: { compactToolbar: 'true', help: 0 } },
      { permissions: { edit: 0, download: 'false', print: '1', copy: 'perhaps' } },
    );
    expect(document.permissions).toMatchObject({
      edit: false,
      download: false,
      print: true,
      copy: false,
    });
    expect(editorConfig.user.id).toBe('7');
    expect(editorConfig.customization).toMatchObject({ compactToolbar: true, help: false });
  });

  it('[AT26] permissions that cannot be read allow nothing, here and on the server', () => {
    for (const edit of [{}, [true], 'perhaps', 2]) {
      expect(withRights({ edit })).toMatchObject({ role: 'view', canEdit: false, canComment: false });
    }
    expect(withRights({ download: [], print: {}, copy: 'x', chat: [1] })).toMatchObject({
      ...{ canDownload: false, canPrint: false, canCopy: false, canChat: false },
    });
    const { permissions } = readFrameConfig(
      {},
      { permissions: { editCommentAuthorOnly: {}, reviewGroups: 'A', commentGroups: 'A' } },
    ).document;
    expect(permissions).toEqual({
      editCommentAuthorOnly: true,
      reviewGroups: [],
      commentGroups: { edit: [], remove: [], view: [] },
    });
    for (const permissions of ['edit', ['edit'], 5, true]) {
      const config = readFrameConfig({}, { permissions });
      expect(roleOf(config)).toMatchObject({ role: 'view', canDownload: false, canChat: false });
      expect(documentAuthOf(config).permissions).toMatchObject({ edit: false, download: false });
    }
    expect(documentAuthOf(readFrameConfig({}, { permissions: [] })).permissions).toEqual({});
    expect(withRights([])).toEqual(withRights({}));
    expect(withRights({ edit: null, commentGroups: null })).toEqual(withRights({}));
  });

  it('[AT26] the rights that a page changes later are read in the same way', () => {
    const enabled = (value: unknown) =>
      z.parse(commandSchemas.processRightsChange, { enabled: value }).enabled;
    expect([true, 'true', 1, null, undefined].map(enabled)).toEqual([true, true, true, true, true]);
    expect([false, 'false', 0, {}, [true], 'perhaps'].map(enabled)).toEqual(Array(6).fill(false));
    expect(z.parse(commandSchemas.processRightsChange, {}).enabled).toBe(true);
  });

  it('[HB6] a mode that cannot be read is for viewing', () => {
    for (const mode of [{}, ['edit'], { mode: 'edit' }]) expect(withRights({}, { mode }).role).toBe('view');
    for (const mode of [true, false, null, 5, '']) expect(withRights({}, { mode }).role).toBe('edit');
  });

  it('[HB3] what is switched by a boolean or by an object', () => {
    expect(customized({}).goback.visible).toBe(false);
    expect(customized({ goback: { url: 'https://s.test/' } }).goback).toMatchObject({ blank: true });
    expect(customized({ goback: { url: 'https://s.test/', blank: false } }).goback.blank).toBe(false);
    expect(customized({ close: true }).close).toEqual({ visible: true, text: undefined });
    expect(customized({ close: { visible: false, text: 'x' } }).close).toEqual({ visible: false, text: 'x' });
    expect(customized({ feedback: [] }).feedback.visible).toBe(false);
    expect(spellcheckOf(customized({}))).toEqual({ on: true, mayChange: true });
    expect(spellcheckOf(customized({ spellcheck: false })).on).toBe(false);
    expect(spellcheckOf(customized({ features: { spellcheck: false } })).on).toBe(false);
    expect(spellcheckOf(customized({ features: { spellcheck: { mode: false, change: false } } }))).toEqual({
      on: false,
      mayChange: false,
    });
  });

  it('[HB3] a name may be in two parts, and guests get an id', () => {
    const read = (user: object) => readFrameConfig({ user }, {}, { guestId: () => 'uid-1' });
    expect(read({ firstname: 'Ann', lastname: 'Lee' }).editorConfig.user).toMatchObject({ name: 'Ann Lee' });
    expect(read({ name: 'Ann' })).toMatchObject({
      isAnonymous: false,
      editorConfig: { user: { id: 'uid-1' } },
    });
    expect(read({}).isAnonymous).toBe(true);
  });

  it('[HB4] a newer version is read like the first', () => {
    const document = { key: 'v8', permissions: { edit: false } };
    const config = readRefreshedConfig({ document, editorConfig: { lang: 'de' } });
    expect(config).toEqual(readFrameConfig({ lang: 'de' }, document));
    expect(readRefreshedConfig('nonsense')).toEqual(defaults);
  });

  it('[HB5] the server is told what the token is compared with, exactly as it came', () => {
    const permissions = { edit: true, own: 1 };
    const config = readFrameConfig(
      {
        mode: 'edit',
        callbackUrl: 'https://s.test/cb',
        user: { id: 'u', name: 'Ann', group: 'A,B' },
        lang: 'de',
      },
      { key: 'k', url: 'https://s.test/f', fileType: 'docx', title: 'T.docx', permissions },
    );
    expect(documentAuthOf(config)).toMatchObject({
      permissions,
      mode: 'edit',
      documentCallbackUrl: 'https://s.test/cb',
      coEditingMode: 'fast',
      user: { id: 'u', username: 'A,B\u00a0Ann' },
      openCmd: { format: 'docx', url: 'https://s.test/f', title: 'T.docx' },
    });
    const bare = documentAuthOf(readFrameConfig({}, {}));
    for (const absent of ['permissions', 'mode', 'documentCallbackUrl'])
      expect(bare).not.toHaveProperty(absent);
    const embedded = readFrameConfig({ mode: 'edit' }, {}, { query: new URLSearchParams('type=embedded') });
    expect(documentAuthOf(embedded)).toMatchObject({ mode: 'view', coEditingMode: 'strict' });
  });
});

describe('roles', () => {
  it.for([
    [{}, {}, 'edit'],
    [{ edit: true, review: false }, {}, 'edit'],
    [{ edit: false }, {}, 'view'],
    [{ edit: false, review: true }, {}, 'review'],
    [{ edit: false, comment: true }, {}, 'comment'],
    [{ edit: false, fillForms: true }, {}, 'fill'],
    [{ edit: false, fillForms: true, comment: true }, {}, 'fill'],
    [{ edit: false, review: true, comment: true, fillForms: true }, {}, 'review'],
    [{}, { mode: 'view' }, 'view'],
    [{ edit: false, review: true }, { mode: 'view' }, 'view'],
    [{}, { mode: 'fillforms' }, 'fill'],
    [{ fillForms: false }, { mode: 'fillForms' }, 'view'],
    [{}, { mode: 'something' }, 'edit'],
  ] as const)('[HB6] %j in %j makes %s', ([permissions, editorConfig, role]) => {
    expect(withRights(permissions, editorConfig).role).toBe(role);
  });

  it('[HB6] an embedded document is only read, and offline', () => {
    expect(withRights({}, {}, 'embedded')).toMatchObject({ role: 'view', liveViewer: false, canEdit: false });
    expect(withRights({}, {}, 'mobile').role).toBe('edit');
  });

  it('[HB7] a viewer in fast mode reads along, in strict mode does not', () => {
    const viewer = (mode: string) => withRights({}, { mode: 'view', coEditing: { mode } });
    expect(viewer('fast')).toMatchObject({ liveViewer: true, canChat: true, mayChangeCoEditingMode: false });
    expect(viewer('strict')).toMatchObject({ liveViewer: false, canChat: false });
    expect(withRights({}).liveViewer).toBe(false);
  });

  it('[HB7] rights follow the role and its own permission', () => {
    expect(withRights({})).toMatchObject({
      canEdit: true,
      canReview: true,
      canComment: true,
      canDownload: true,
      canPrint: true,
      canCopy: true,
      canChat: true,
      mayChangeCoEditingMode: true,
    });
    expect(withRights({ edit: false, review: true })).toMatchObject({
      canEdit: true,
      canReview: false,
      canComment: false,
    });
    expect(withRights({ edit: true, review: false }).canReview).toBe(false);
    expect(withRights({ edit: false, comment: true })).toMatchObject({ canEdit: false, canComment: true });
    expect(withRights({ comment: false }).canComment).toBe(false);
    expect(withRights({}, { customization: { comments: false, chat: false } })).toMatchObject({
      canComment: false,
      canChat: false,
    });
    expect(withRights({ download: false, print: false, copy: false, chat: false })).toMatchObject({
      canDownload: false,
      canPrint: false,
      canCopy: false,
      canChat: false,
    });
    expect(withRights({}, { coEditing: { change: false } }).mayChangeCoEditingMode).toBe(false);
  });

  it('[HB8] groups: no list is everybody, an empty one nobody, an empty name those without a group', () => {
    expect(isInGroups(undefined, [])).toBe(true);
    expect(isInGroups([], ['A'])).toBe(false);
    expect(isInGroups([''], [])).toBe(true);
    expect(isInGroups([''], ['A'])).toBe(false);
    expect(isInGroups(['B'], ['A', 'B'])).toBe(true);
    expect(splitUserName(joinUserName('A, B', 'Ann Lee'))).toEqual({ groups: ['A', 'B'], name: 'Ann Lee' });
    expect(splitUserName('Ann')).toEqual({ groups: [], name: 'Ann' });
  });
});

it.for([
  ['https://ds.test/web-apps/apps/quire/word/index.html?x=1#y', 'https://ds.test'],
  ['http://h:81/office/9.3.0-a/web-apps/apps/quire/word/', 'http://h:81/office/9.3.0-a'],
] as const)('[HB9] the server of %s', ([page, server]) => {
  expect(serverAddress(page)).toBe(server);
});
