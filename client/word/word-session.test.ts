import { history, undo } from 'prosemirror-history';
import { Fragment, Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import { ReplaceStep } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { newClientId } from '../replica/change-names.ts';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import type { SavingStatus } from '../replica/saving-status.ts';
import type { Recovered } from '../replica/unsent-changes.ts';
import { TabStore } from '../testing/session-world.ts';
import { endOf, texts, type } from '../testing/word-typing.ts';
import { WordWorld, wordDocumentText, wordReplica } from '../testing/word-world.ts';

/** A store that counts what is asked of it. */
class CountingStore extends MemoryUnsentStore {
  readonly calls: string[] = [];

  override put: MemoryUnsentStore['put'] = (...given) => {
    this.calls.push('put');
    return super.put(...given);
  };
  override append: MemoryUnsentStore['append'] = (...given) => {
    this.calls.push('append');
    return super.append(...given);
  };
  override keepSnapshot: MemoryUnsentStore['keepSnapshot'] = (...given) => {
    this.calls.push('snapshot');
    return super.keepSnapshot(...given);
  };
}

/** Writing is not possible. */
class FullStore extends MemoryUnsentStore {
  override put = () => Promise.reject(new Error('no space left'));
}

describe('word session', () => {
  it('[WS1] two sessions type into one paragraph and see the same; each undoes its own changes only', async () => {
    const world = new WordWorld(['Hello']);
    const plugins = () => [history()];
    const ann = await world.open('ann', { plugins });
    const bob = await world.open('bob', { plugins });
    type(ann, 0, ' Ann');
    type(bob, 0, ' Bob');
    await world.pass(100);
    await Promise.all([ann.saved(), bob.saved()]);
    await world.pass(100);
    expect(ann.state.doc.eq(bob.state.doc)).toBe(true);
    expect(texts(ann)[0]).toMatch(/^Hello( Ann Bob| Bob Ann)$/);
    expect(undo(ann.state, (transaction) => ann.dispatch(transaction))).toBe(true);
    await world.pass(100);
    expect(texts(ann)).toEqual(['Hello Bob']);
    expect(texts(bob)).toEqual(['Hello Bob']);
  });

  it('[WS4] the saving status says how many changes are where, and since when', async () => {
    const world = new WordWorld(['Text']);
    const store = new MemoryUnsentStore();
    const ann = await world.open('ann', { store });
    const openedAtMs = world.clock.now();
    const seen: SavingStatus[] = [];
    ann.saving.on('change', (status) => seen.push(status));
    expect(ann.savingStatus).toMatchObject({
      unsentCount: 0,
      connection: 'online',
      lastAcknowledgedAtMs: null,
    });
    type(ann, 0, 'ab');
    expect(ann.savingStatus).toMatchObject({ unsentCount: 2, unacknowledgedCount: 0, journaled: false });
    while (ann.savingStatus.unacknowledgedCount === 0) await world.step();
    expect(ann.savingStatus).toMatchObject({ unsentCount: 2, unacknowledgedCount: 2 });
    await world.pass(0);
    expect(ann.savingStatus).toMatchObject({ unsentCount: 0, unacknowledgedCount: 0, journaled: true });
    expect(ann.savingStatus.lastAcknowledgedAtMs).toBe(openedAtMs);

    world.network.links.at(-1)!.cut();
    type(ann, 0, 'c');
    expect(ann.savingStatus).toMatchObject({ unsentCount: 1, connection: 'reconnecting', journaled: false });
    await world.network.settle();
    world.clock.advance(50);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ann.savingStatus).toMatchObject({ unsentCount: 1, journaled: true });
    ann.client.abort();
    expect(ann.savingStatus).toMatchObject({ unsentCount: 1, connection: 'offline', journaled: true });
    expect(seen.length).toBeLessThan(25);
    expect(seen.at(-1)).toEqual(ann.savingStatus);
  });

  it('[WS5] of local changes only those are taken back that the model does not allow', async () => {
    const world = new WordWorld(['Text', 'More']);
    const refused: unknown[] = [];
    const ann = await world.open('ann', { onRefused: (...given) => refused.push(given) });
    type(ann, 0, '!');
    ann.dispatch(ann.state.tr.insertText('\u0001', 1));
    type(ann, 1, '?');
    await world.pass(100);
    expect(texts(ann)).toEqual(['Text!', 'More?']);
    expect(refused).toEqual([['invalid-content', '\u0001']]);
    expect(world.changes).toHaveLength(2);
  });

  it('[WS6] a client id is checked, and made where none is given', () => {
    const world = new WordWorld(['Text']);
    expect(() => world.session('ann', { clientId: 'not an id' })).toThrow(TypeError);
    expect(() => world.session('ann', { clientId: 'x'.repeat(61) })).toThrow(TypeError);
    expect(world.session('ann').clientId).not.toBe(world.session('ann').clientId);
    expect(newClientId()).toMatch(/^c[0-9a-f]{18}$/);
  });

  it('[WS7] a plugin that refuses a change of others ends the session instead of losing it', async () => {
    const world = new WordWorld(['Text']);
    const strange = new Plugin({ filterTransaction: ({ docChanged }) => !docChanged });
    const ann = await world.open('ann', { plugins: () => [strange] });
    const bob = await world.open('bob');
    const ended = ann.client.once('ended');
    type(bob, 0, '!');
    await world.pass(100);
    expect((await ended).error).toMatchObject({ code: 'hook' });
  });

  it('[WS8] changes of a save whose author left in the middle are applied', async () => {
    const world = new WordWorld(['Text'], { maxPartChars: 200 });
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    type(bob, 0, 'ab');
    while (world.changes.length < 1) await world.step();
    world.network.links[1]!.cut();
    bob.client.abort();
    await world.pass(100);
    expect(world.changes).toHaveLength(1);
    expect(texts(ann)).toEqual(['Texta']);
  });

  it('[WS9] with very much unsent, changes of others are shown together, and nothing is mixed up', () => {
    const waiting: (() => void)[] = [];
    const replica = wordReplica(wordDocumentText(['Text', 'Other']), null, (run) => waiting.push(run));
    const { shown } = replica;
    for (let letter = 0; letter < 250; letter++) shown.dispatch(shown.state.tr.insertText('a', 5));
    const { state } = shown;
    const insertion = (at: number) =>
      new ReplaceStep(at, at, new Slice(Fragment.from(wordSchema.text('g')), 0, 0));
    const changes = [12, 13, 14, 15, 16].map((at, number) => encodeChange('other', insertion(at), number));
    for (const change of changes) replica.receive([change]);
    expect(shown.state).toBe(state);
    expect(waiting).toHaveLength(1);
    waiting[0]!();
    expect(texts(shown)).toEqual([`Text${'a'.repeat(250)}`, 'Otherggggg']);
    replica.receive([encodeChange('other', insertion(17), 5)]);
    expect(replica.take(() => true).changes).toHaveLength(250);
    expect(texts(shown)[1]).toBe('Othergggggg');
    replica.confirm(250);
    expect(replica.place).toMatchObject({ index: 256 });
    expect(replica.place.document.eq(shown.document)).toBe(true);
  });
});

describe('journal', () => {
  it('[JR10] a tab that crashed comes back to a document that went on without it', async () => {
    const world = new WordWorld(['One', 'Two']);
    const store = new MemoryUnsentStore();
    const tab = new TabStore(store);
    const ann = await world.open('ann', { store: tab });
    const bob = await world.open('bob');
    world.network.links[0]!.cut();
    type(ann, 0, ' offline');
    type(bob, 0, ' and');
    type(bob, 1, ' meanwhile');
    await world.network.settle();
    world.clock.advance(50);
    await new Promise((resolve) => setImmediate(resolve));
    tab.crash();
    ann.client.abort();
    await world.pass(50);
    const found: Recovered[] = [];
    const again = await world.open('ann', { store, onRecovered: (recovered) => found.push(recovered) });
    await world.pass(100);
    expect(found).toMatchObject([{ applied: 8, lost: 0, text: '' }]);
    expect(texts(again)).toEqual(['One and offline', 'Two meanwhile']);
    expect(texts(bob)).toEqual(texts(again));
    expect(await store.list('ann', 'doc', null)).toEqual([]);
  });

  it('[JR11] what is acknowledged at once is never written; what is not is appended to in batches', async () => {
    const world = new WordWorld(['Text']);
    const store = new CountingStore();
    const ann = await world.open('ann', { store, transport: world.dialOnce() });
    type(ann, 0, 'quick');
    await world.pass(100);
    expect(store.calls).toEqual([]);
    world.network.links.at(-1)!.cut();
    for (const word of ['now ', 'offline ', 'for long']) {
      type(ann, 0, word);
      await world.network.settle();
      world.clock.advance(40);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(store.calls).toEqual(['put', 'append', 'append']);
    const [record] = await store.list('ann', 'doc', null);
    expect(record?.changes).toHaveLength('now offline for long'.length);
  });

  it('[JR12] one snapshot is written for one disconnection, and none while changes go out', async () => {
    const world = new WordWorld(['Text']);
    const store = new CountingStore();
    const ann = await world.open('ann', { store, transport: world.dialOnce() });
    type(ann, 0, 'quick');
    await world.pass(5_000);
    expect(store.calls).toEqual([]);
    world.network.links.at(-1)!.cut();
    for (let second = 0; second < 8; second++) {
      type(ann, 0, '.');
      await world.pass(1_000);
    }
    expect(store.calls.filter((call) => call === 'snapshot')).toHaveLength(1);
    const [record] = await store.list('ann', 'doc', null);
    expect(await store.snapshot(record!.id)).toMatchObject({ index: 5, digest: record!.digest });
  });

  it('[JR13] a store that fails disturbs nothing, and the status says that nothing is kept', async () => {
    const world = new WordWorld(['Text']);
    const ann = await world.open('ann', { store: new FullStore() });
    world.network.links.at(-1)!.cut();
    type(ann, 0, 'abc');
    await world.network.settle();
    world.clock.advance(40);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ann.savingStatus).toMatchObject({ unsentCount: 3, journaled: false });
    // The page is still there, so the next session has what this one had.
    const again = ann.reopen();
    await world.opened(again);
    await world.pass(100);
    expect(texts(again)).toEqual(['Textabc']);
    expect(world.changes).toHaveLength(3);
  });

  it('[JR14] a session that the server sends away is reopened with what it had unsent', async () => {
    const world = new WordWorld(['Text'], { extensions: false });
    const ann = await world.open('ann');
    const bob = await world.open('bob');
    type(ann, 0, 'A');
    await world.pass(100);
    const ended = ann.client.once('ended');
    world.network.links[0]!.cut();
    type(ann, 0, 'unsent');
    type(bob, 0, 'B');
    await world.pass(20_000);
    expect((await ended).error).toMatchObject({ code: 'reload' });
    type(ann, 0, '!');
    const again = await world.opened(ann.reopen());
    await world.pass(100);
    expect(texts(again)).toEqual(texts(bob));
    expect(texts(again)[0]).toMatch(/^TextA(Bunsent!|unsent!B)$/);
  });

  it('[JR15] closing without saving forgets what was unsent', async () => {
    const world = new WordWorld(['Text']);
    const store = new MemoryUnsentStore();
    const ann = await world.open('ann', { store, editingMode: 'strict' });
    type(ann, 0, 'draft');
    await world.pass(100);
    expect(await store.list('ann', 'doc', null)).toHaveLength(1);
    const closed = ann.close({ discard: true });
    await world.pass(100);
    await closed;
    expect(await store.list('ann', 'doc', null)).toEqual([]);
    expect(world.changes).toEqual([]);
  });

  it('[JR16] a page that is left writes at once', async () => {
    const world = new WordWorld(['Text', 'More']);
    const store = new CountingStore();
    const page = new EventTarget();
    Object.assign(globalThis, {
      addEventListener: page.addEventListener.bind(page),
      removeEventListener: page.removeEventListener.bind(page),
    });
    try {
      const ann = await world.open('ann', { store, editingMode: 'strict' });
      type(ann, 0, 'a');
      page.dispatchEvent(new Event('pagehide'));
      expect(endOf(ann, 0)).toBe(6);
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(store.calls.toSorted()).toEqual(['put', 'snapshot']);
      const [record] = await store.list('ann', 'doc', null);
      expect(await store.snapshot(record!.id)).not.toBeNull();
      // The database is still busy with the letters before when the page goes.
      const slow = new CountingStore();
      slow.put = () => new Promise(() => undefined);
      const bob = await world.open('bob', { store: slow, editingMode: 'strict' });
      type(bob, 1, 'b');
      await world.pass(100);
      type(bob, 1, 'c');
      page.dispatchEvent(new Event('pagehide'));
      const [left] = await slow.list('bob', 'doc', null);
      expect(left?.changes).toHaveLength(2);
    } finally {
      Object.assign(globalThis, { addEventListener: undefined, removeEventListener: undefined });
    }
  });

  it('[WS10] pictures that are asked for at the same moment get their own addresses each', async () => {
    const world = new WordWorld(['Text']);
    const ann = await world.open('ann');
    const loading = Promise.all([ann.loadMedia(['media/a.png']), ann.loadMedia(['media/b.png'])]);
    await world.network.settle();
    await loading;
    expect(['media/a.png', 'media/b.png'].map((path) => ann.mediaUrl(path))).toEqual([
      'http://files.test/media/a.png',
      'http://files.test/media/b.png',
    ]);
  });

  it('[WS10] when the connection is lost they are asked for again, and a session that ended says so', async () => {
    const world = new WordWorld(['Text']);
    const ann = await world.open('ann');
    const loading = ann.loadMedia(['media/a.png']);
    world.network.links.at(-1)!.cut();
    const waiting = ann.loadMedia(['media/b.png']);
    await world.pass(10_000);
    await Promise.all([loading, waiting]);
    expect(ann.mediaUrl('media/a.png')).toBe('http://files.test/media/a.png');
    expect(ann.mediaUrl('media/b.png')).toBe('http://files.test/media/b.png');

    world.network.links.at(-1)!.cut();
    const never = ann.loadMedia(['media/c.png']);
    ann.client.abort();
    await expect(never).rejects.toMatchObject({ code: 'closed' });
  });
});
