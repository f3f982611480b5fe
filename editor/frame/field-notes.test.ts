import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentSchema } from './document-config.ts';
import { editorConfigSchema } from './editor-config.ts';
import { FieldNotes } from './field-notes.ts';
import { readFrameConfig } from './frame-config.ts';
import { HostBridge } from './host-bridge.ts';
import { commandSchemas, type HostCommandData } from './host-commands.ts';
import { wrongPartsOf } from './schema-paths.ts';
import { FakeHost } from './testing/fake-host.ts';
import { notesAtOnce } from './testing/notes-at-once.ts';

/** A frame whose notes are kept. */
function listening() {
  const notes: string[] = [];
  const host = new FakeHost();
  const bridge = new HostBridge(
    host.frame,
    notesAtOnce((note) => notes.push(note), 'https://ds.test/table'),
  );
  return { host, bridge, notes };
}

const open = (host: FakeHost, config: unknown, doc: unknown = {}) => {
  host.command('init', { config });
  host.command('openDocument', { doc });
};

/** What a page of a Java application sends, whose library has versions as texts and writes what it has not as null. */
const javaHistory = {
  data: {
    currentVersion: '2',
    error: null,
    history: [
      {
        version: '1',
        key: 'a',
        created: '2026-03-01 09:00:00',
        user: null,
        changes: null,
        serverVersion: null,
      },
      { version: '2', key: 'b', created: null, user: { id: 7, name: null }, changes: [{ user: null }] },
    ],
  },
  message: null,
};

describe('data as other languages write them', () => {
  it('[HB20] versions are numbers or texts, kept as they came, and may have null everywhere else', () => {
    const { host, bridge, notes } = listening();
    const heard: HostCommandData<'refreshHistory'>[] = [];
    bridge.on('refreshHistory', (data) => heard.push(data));
    host.command('refreshHistory', javaHistory);
    host.command('refreshHistory', {
      data: { currentVersion: 2, history: [{ version: 1 }, { version: '1.b' }] },
    });
    expect(heard[0]?.data).toMatchObject({
      currentVersion: '2',
      error: undefined,
      history: [
        { version: '1', key: 'a', user: { id: '', name: '' }, changes: [] },
        { version: '2', created: '', user: { id: '7', name: '' }, changes: [{ user: { id: '' } }] },
      ],
    });
    expect(heard[1]?.data.history.map(({ version }) => version)).toEqual([1, '1.b']);
    expect(notes).toEqual([]);
  });

  it('[HB20] the data of a version may leave out which one it is', () => {
    const { host, bridge } = listening();
    const heard: unknown[] = [];
    bridge.on('setHistoryData', ({ data }) => heard.push(data.version));
    for (const data of [{ version: '2', previous: null }, { version: 2 }, { version: null }, {}]) {
      host.command('setHistoryData', { data });
    }
    expect(heard).toEqual(['2', 2, undefined, undefined]);
  });

  it('[HB21] numbers may be texts, switches capitalised, names of groups and roles numbers', () => {
    const { editorConfig, document } = readFrameConfig(
      {
        quireStoreWithinS: '20',
        user: { id: 5, name: 6, group: 7, roles: [8, 'b'] },
        customization: { zoom: '80', help: 'False', compactToolbar: 'True' },
      },
      { permissions: { reviewGroups: [1, ''], commentGroups: { edit: [2] } } },
    );
    expect(editorConfig).toMatchObject({
      quireStoreWithinS: 20,
      user: { id: '5', name: '6', group: '7', roles: ['8', 'b'] },
      customization: { zoom: 80, help: false, compactToolbar: true },
    });
    expect(document.permissions).toMatchObject({ reviewGroups: ['1', ''], commentGroups: { edit: ['2'] } });
    expect(readFrameConfig({ customization: { zoom: '0' } }, {}).editorConfig.customization.zoom).toBe(100);
    const { total, users } = commandSchemas.setUsers.parse({
      total: '12',
      users: [{ id: 1, name: 'Ann', email: null }],
    });
    expect({ total, users }).toEqual({ total: 12, users: [{ id: '1', name: 'Ann' }] });
  });

  it('[HB21] null and an empty text are as good as absent, in every place, and nothing is said of them', () => {
    const init = { user: { id: 'u', name: 'Ann' }, recent: [{ title: 'A', url: 'https://s.test/a' }] };
    const doc = { key: 'k', permissions: { edit: true }, info: { owner: 'Bob' } };
    const emptied = (value: unknown): unknown =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, emptied(inner)]))
        : null;
    const names = Object.keys(readFrameConfig(init, doc).editorConfig);
    const whole = readFrameConfig(init, doc);
    for (const name of names.filter((one) => !(one in init))) {
      for (const nothing of [null, '']) {
        const given = { ...init, [name]: nothing };
        // Switches read an empty text as PHP writes false.
        if (nothing === null) expect(readFrameConfig(given, doc)).toEqual(whole);
        expect(wrongPartsOf(editorConfigSchema, given, 'editorConfig')).toEqual([]);
      }
    }
    const nulls = emptied(whole.editorConfig);
    expect(readFrameConfig(nulls, emptied(whole.document)).editorConfig.lang).toBe('en');
    expect(wrongPartsOf(editorConfigSchema, nulls, 'editorConfig')).toEqual([]);
  });
});

describe('what is not used', () => {
  it('[HB22] is said once, with its place and what came', () => {
    const { host, notes } = listening();
    open(
      host,
      {
        coEditing: { mode: 'quick' },
        customization: { zoom: 'large', goback: { url: 'files' }, review: 'no', features: [] },
        recent: [{ title: 'A', url: 'https://s.test/a' }, { title: 'B' }, null, 5],
      },
      { title: { text: 'x' }, permissions: { edit: 'perhaps', reviewGroups: 'A' } },
    );
    expect(notes).toEqual([
      'DocsAPI.DocEditor: editorConfig.coEditing.mode is not used: it cannot be “quick”.',
      'DocsAPI.DocEditor: editorConfig.recent[1] is left out: editorConfig.recent[1].url is missing.',
      'DocsAPI.DocEditor: editorConfig.recent[2] is left out: editorConfig.recent[2] is missing.',
      'DocsAPI.DocEditor: editorConfig.customization.goback.url is not used: it cannot be “files”.',
      'DocsAPI.DocEditor: editorConfig.customization.review is not used: it cannot be “no”.',
      'DocsAPI.DocEditor: editorConfig.customization.zoom is not used: it cannot be “large”.',
      'DocsAPI.DocEditor: document.title is not used: it cannot be an object.',
      'DocsAPI.DocEditor: document.permissions.edit is not used: it cannot be “perhaps”.',
      'DocsAPI.DocEditor: document.permissions.reviewGroups is not used: it cannot be “A”.',
    ]);
  });

  it('[HB22] commands are read in the same way, and a list is not repeated for each entry and each time', () => {
    const { host, notes } = listening();
    for (let time = 0; time < 3; time++) {
      host.command('refreshHistory', {
        data: { history: [{}, { version: [] }, { version: {} }, { version: 1 }] },
      });
      host.command('refreshFile', { document: { fileType: [1] }, editorConfig: 7 });
    }
    expect(notes).toEqual([
      'DocsAPI.DocEditor: refreshHistory.data.history[0] is left out: refreshHistory.data.history[0].version is missing.',
      'DocsAPI.DocEditor: editorConfig is not used: it cannot be 7.',
      'DocsAPI.DocEditor: document.fileType is not used: it cannot be a list.',
    ]);
  });

  it('[HB22] no secret is written to the console', () => {
    const { host, notes } = listening();
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJrZXkiOiJrIn0.c2VjcmV0';
    open(
      host,
      {
        lang: { token: jwt },
        createUrl: `ftp://ann:hidden@s.test/new?key=hidden#hidden`,
        user: { image: jwt },
        coEditing: { mode: `x`.repeat(500) },
      },
      { token: { jwt }, directUrl: 'ftp://s.test/a?signature=hidden' },
    );
    expect(notes).toHaveLength(6);
    expect(notes.join('\n')).not.toMatch(/hidden|eyJ|c2VjcmV0/);
    expect(notes.join('\n')).toContain('“ftp://…@s.test/new?…”');
    expect(Math.max(...notes.map((note) => note.length))).toBeLessThan(200);
  });

  it('[HB22] whatever is said of, the reading is what it was, and nothing throws', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const schema of [editorConfigSchema, documentSchema, ...Object.values(commandSchemas)]) {
          new FieldNotes('', () => undefined).check(schema, value, 'value');
        }
      }),
    );
  });
});
