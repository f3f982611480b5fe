import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { World } from '../../client/testing/world.ts';
import { HostBridge } from '../frame/host-bridge.ts';
import { FakeHost } from '../frame/testing/fake-host.ts';
import { notesAtOnce } from '../frame/testing/notes-at-once.ts';
import { DocumentPage } from './document-page.ts';
import { type ListEditor, ListKind } from './testing/list-kind.ts';

const address = 'https://ds.test/web-apps/apps/quire/list/index.html?parentOrigin=https%3A%2F%2Fhost.test';
const document = { key: 'doc', title: 'Shopping.list', fileType: 'list', url: 'https://files.test/list' };

/** What the page uses of a browser. */
beforeEach(() => {
  vi.stubGlobal('location', new URL(address));
  vi.stubGlobal('document', { title: '', activeElement: null, querySelector: () => null });
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('removeEventListener', vi.fn());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** An embedding page, the page of a list in it, and a server in memory with what was written by others before. */
async function openPage({ others = [] as string[], config = {} as object } = {}) {
  const world = new World();
  const host = new FakeHost(new URL(address).search);
  const bridge = new HostBridge(host.frame, notesAtOnce());
  host.command('init', { config: { user: { id: 'ann', name: 'Ann' }, ...config } });
  host.command('openDocument', { doc: document });
  if (others.length > 0) await writeAs(world, 'bob', others);
  const kind = new ListKind({ dial: world.network.dial(world.server.accept), clock: world.clock });
  const page = new DocumentPage(bridge, await bridge.ready, kind);
  const opening = page.open();
  await world.network.settle();
  await opening;
  const events = (name: string) =>
    (host.heard as { event: string; data?: unknown }[])
      .filter(({ event }) => event === name)
      .map(({ data }) => data);
  return { world, host, page, events };
}

async function writeAs(world: World, id: string, lines: readonly string[]): Promise<void> {
  const { client, document: model } = await world.open(id);
  for (const line of lines) model.edit(line);
  client.queueSave();
  await world.network.settle();
}

function editorOf(page: DocumentPage<ListEditor>): ListEditor {
  const screen = page.screen.peek();
  if (screen.kind !== 'editor') throw new Error(`the page shows ${screen.kind}`);
  return screen.editor;
}

describe('the page around a document', () => {
  it('[SH1] opens a document of a kind that it does not know, and tells the embedding page', async () => {
    const { page, events } = await openPage({ others: ['milk', 'bread'] });
    const editor = editorOf(page);
    expect(editor.session.lines.value).toEqual(['milk@0', 'bread@1']);
    expect(editor.people.value.map(({ name, isMe }) => [name, isMe])).toEqual([
      ['Ann', true],
      ['bob', false],
    ]);
    expect(globalThis.document.title).toBe('Shopping.list');
    expect(events('onDocumentReady')).toHaveLength(1);
    expect(events('onInfo')).toEqual([{ mode: 'edit' }]);
  });

  it('[SH1] sends what is written, and tells the embedding page what is unsent', async () => {
    const { world, page, events } = await openPage();
    editorOf(page).add('eggs');
    expect(events('onDocumentStateChange')).toEqual([true]);
    await world.network.settle();
    expect(world.texts()).toEqual(['eggs']);
    expect(events('onDocumentStateChange')).toEqual([true, false]);
  });

  it('[SH1] does what the embedding page asks of any document', async () => {
    const { world, host, page, events } = await openPage();
    const editor = editorOf(page);
    host.command('grabFocus');
    expect(editor.hasFocus).toBe(true);
    host.command('showSharingSettings', { sharingSettings: [{ user: 'Bob', permissions: 'Full' }] });
    expect(editor.dialog.value).toBe('sharing');
    expect(editor.facts.sharing.value).toMatchObject([{ user: 'Bob' }]);
    host.command('requestClose');
    await world.network.settle();
    expect(events('onRequestClose')).toHaveLength(1);
    host.command('processRightsChange', { enabled: false, message: 'No more' });
    editor.add('cheese');
    await world.network.settle();
    expect(world.server.log).toEqual([]);
  });

  it('[SH2] follows a session that has ended by another, which sends what the first has not', async () => {
    const { world, page, events } = await openPage();
    const first = editorOf(page);
    const [connection] = world.server.connections;
    first.add('tea');
    connection!.peer.send({ type: 'error', description: 'moved on', code: 4010 });
    await world.network.settle();
    const second = editorOf(page);
    expect(second).not.toBe(first);
    expect(first.isPaused).toBe(true);
    expect(world.texts()).toEqual(['tea']);
    expect(second.session.lines.value).toEqual(['tea']);
    expect(events('onDocumentReady')).toHaveLength(2);
  });

  it('[SH2] asks the embedding page for a new configuration where it can give one', async () => {
    const { world, host, page, events } = await openPage({ config: { canRequestRefreshFile: true } });
    const first = editorOf(page);
    first.add('tea');
    world.server.connections[0]!.peer.send({ type: 'error', description: 'moved on', code: 4010 });
    await world.network.settle();
    expect(events('onRequestRefreshFile')).toHaveLength(1);
    expect(editorOf(page)).toBe(first);
    host.command('refreshFile', { document: { ...document, title: 'Newer.list' }, editorConfig: {} });
    await world.network.settle();
    expect(editorOf(page).title.value).toBe('Newer.list');
    expect(world.texts()).toEqual(['tea']);
  });

  it('[HB14] an answer of the embedding page that comes while the document is opened anew is for the next session', async () => {
    const { world, host, page } = await openPage({ config: { canRequestRefreshFile: true } });
    const first = editorOf(page);
    // As the page draws them: the next takes the place of the one before.
    page.screen.subscribe((screen) => {
      if (screen.kind !== 'editor') return;
      if (screen.editor !== first) first.close();
      expect(screen.editor.history.versions.value.length).toBe(screen.editor === first ? 0 : 1);
    });
    host.command('refreshFile', { document, editorConfig: {} });
    host.command('refreshHistory', { data: { currentVersion: 1, history: [{ version: 1, key: 'doc-1' }] } });
    expect(first.panel.value).toBe(null);
    await world.network.settle();
    const second = editorOf(page);
    expect(second).not.toBe(first);
    expect([first.panel.value, second.panel.value]).toEqual([null, 'history']);
  });

  it('[SH3] asks for what the file does not say, and opens it with the answer', async () => {
    const { page, world } = await openPage();
    const wanted: unknown[] = [];
    const answerOpen = world.server.answerOpen.bind(world.server);
    world.server.answerOpen = (connection, command) => {
      wanted.push(command.password);
      if (command.password === 'secret') return answerOpen(connection, command);
      const data = { type: 'open', status: 'needpassword', data: -90 };
      connection.peer.send({ type: 'documentOpen', data });
    };
    const kind = new ListKind({ dial: world.network.dial(world.server.accept), clock: world.clock });
    const protectedPage = new DocumentPage(page.host, page.config, kind);
    const opening = protectedPage.open();
    await world.network.settle();
    await opening;
    expect(protectedPage.screen.value).toMatchObject({ kind: 'question', question: { kind: 'password' } });
    protectedPage.failToAsk();
    const failed = protectedPage.screen.value;
    if (failed.kind !== 'failed') throw new Error(`the page shows ${failed.kind}`);
    failed.failure.action.run();
    await world.network.settle();
    expect(protectedPage.screen.value).toMatchObject({ kind: 'question', question: { kind: 'password' } });
    protectedPage.answer({ password: 'secret' });
    await world.network.settle();
    expect(protectedPage.screen.value.kind).toBe('editor');
    expect(wanted).toEqual([undefined, undefined, 'secret']);
  });

  it('[SH3] says why a document cannot be opened, and tries again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { page, world, events } = await openPage();
    const kind = new ListKind({ dial: world.network.dial(world.server.accept), clock: world.clock });
    const open = vi.spyOn(kind, 'open').mockRejectedValueOnce(new Error('no such list'));
    const failing = new DocumentPage(page.host, page.config, kind);
    await failing.open();
    const screen = failing.screen.value;
    if (screen.kind !== 'failed') throw new Error(`the page shows ${screen.kind}`);
    expect(events('onError')).toHaveLength(1);
    screen.failure.action.run();
    await world.network.settle();
    expect(failing.screen.value.kind).toBe('editor');
    expect(open).toHaveBeenCalledTimes(2);
  });

  it('[SH3] lets the last attempt to open count', async () => {
    const { page, world } = await openPage();
    const kind = new ListKind({ dial: world.network.dial(world.server.accept), clock: world.clock });
    const twice = new DocumentPage(page.host, page.config, kind);
    const close = vi.fn();
    const open = kind.open.bind(kind);
    vi.spyOn(kind, 'open').mockImplementationOnce(async (opening) =>
      Object.assign(await open({ ...opening, signal: new AbortController().signal }), { close }),
    );
    const first = twice.open();
    const second = twice.open();
    await world.network.settle();
    await Promise.all([first, second]);
    expect(close).toHaveBeenCalledOnce();
    expect(editorOf(twice).client.status.connection).toBe('ready');
  });
});
