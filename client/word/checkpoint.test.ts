import { history, undo } from 'prosemirror-history';
import { Slice } from 'prosemirror-model';
import { ReplaceStep } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import { parseWordDocument } from '../../model/word/document.ts';
import { noRights } from '../../model/word/rights/document-rights.ts';
import { wordModel } from '../../model/word/word-model.ts';
import { MemoryUnsentStore } from '../replica/memory-unsent-store.ts';
import { beginLog } from '../replica/model-log.ts';
import { texts, type } from '../testing/word-typing.ts';
import { WordWorld, wordDocumentText, wordReplica } from '../testing/word-world.ts';
import type { WordSession } from './word-session.ts';

/** What a session was given when it began. */
function watch(session: WordSession) {
  const given = { checkpoints: [] as number[], changes: 0 };
  session.client.on('message', (message) => {
    if (message.type === 'quireCheckpoint') given.checkpoints.push(message.index);
    if (message.type === 'authChanges') given.changes += message.changes.length;
  });
  return given;
}

/** A document in which Ann has typed, and whose checkpoint holds all but the last two letters. */
async function begun() {
  const world = new WordWorld(['One', 'Two', 'Three']);
  const ann = await world.open('ann');
  type(ann, 0, 'abc');
  type(ann, 2, 'de');
  await world.pass(100);
  expect(world.changes).toHaveLength(5);
  world.makeCheckpoint(3);
  return { world, ann };
}

describe('joining from a checkpoint', () => {
  it('[CK11] a newcomer is given the changes after the checkpoint, edits and undoes as everybody', async () => {
    const { world, ann } = await begun();
    const bob = world.session('bob', { plugins: () => [history()] });
    const given = watch(bob);
    await world.opened(bob);
    expect(given).toEqual({ checkpoints: [3], changes: 2 });
    expect(texts(bob)).toEqual(['Oneabc', 'Two', 'Threede']);
    expect(bob.version).toBe(5);
    type(bob, 1, '!');
    type(ann, 1, '?');
    await world.pass(100);
    expect(texts(bob)).toEqual(texts(ann));
    undo(bob.state, (transaction) => bob.dispatch(transaction));
    await world.pass(100);
    expect(texts(ann)).toEqual(['Oneabc', 'Two?', 'Threede']);
    expect(texts(bob)).toEqual(texts(ann));
    expect(bob.mapsSince(4)).toHaveLength(world.changes.length - 4);
    expect(bob.mapsSince(2)).toBeNull();
  });

  it('[CK11] the checkpoint may be where the log ends, and a broken connection is gone on with', async () => {
    const { world, ann } = await begun();
    world.makeCheckpoint();
    const bob = world.session('bob');
    const given = watch(bob);
    await world.opened(bob);
    expect(given).toEqual({ checkpoints: [5], changes: 0 });
    world.network.links.at(-1)!.cut();
    type(ann, 1, '!');
    type(bob, 1, '?');
    await world.pass(2_000);
    await world.pass(2_000);
    expect(texts(bob)).toEqual(texts(ann));
    expect(texts(ann)[1]).toHaveLength(5);
  });

  it('[CK12] a connection that is lost before the session begins leaves nothing of its checkpoint', async () => {
    for (const next of [null, 1, 4]) {
      const { world, ann } = await begun();
      const bob = world.session('bob');
      const given = watch(bob);
      const opening = bob.open();
      while (given.checkpoints.length === 0) await world.step();
      expect(bob.client.authReply).toBeNull();
      world.network.links.at(-1)!.cut();
      if (next === null) world.server.checkpoint = null;
      else world.makeCheckpoint(next);
      await world.pass(2_000);
      await world.pass(2_000);
      await opening;
      expect(given.checkpoints).toEqual(next === null ? [3] : [3, next]);
      type(bob, 1, '!');
      await world.pass(100);
      expect(texts(bob)).toEqual(['Oneabc', 'Two!', 'Threede']);
      expect(texts(ann)).toEqual(texts(bob));
    }
  });

  it('[CK13] a checkpoint that is gone, damaged or of another place gives way to the whole log', async () => {
    for (const ruin of ['gone', 'damaged', 'other base', 'other place'] as const) {
      const { world, ann } = await begun();
      const { url } = world.server.checkpoint!;
      const sound = world.files.get(url)!;
      if (ruin === 'gone') world.files.delete(url);
      else if (ruin === 'damaged') world.files.set(url, sound.slice(0, -2));
      else if (ruin === 'other base') world.files.set(url, sound.replace(/\[1,2\]/, '[1,9]'));
      else world.files.set(url, sound.replace('"index":3', '"index":2'));
      expect(world.files.get(url)).not.toBe(sound);
      const bob = world.session('bob');
      const given = watch(bob);
      const opening = bob.open();
      await world.pass(2_000);
      await world.pass(2_000);
      await opening;
      expect(given).toEqual({ checkpoints: [3], changes: 7 });
      type(bob, 1, '!');
      await world.pass(100);
      expect(texts(bob)).toEqual(['Oneabc', 'Two!', 'Threede']);
      expect(texts(ann)).toEqual(texts(bob));
      expect(ann.client.participants).toHaveLength(2);
    }
  });

  it('[CK14] who has unsent changes of before, or an id that may have changes in the log, gets the whole log', async () => {
    const { world, ann } = await begun();
    const store = new MemoryUnsentStore();
    const bob = await world.open('bob', { store });
    world.network.links.at(-1)!.cut();
    type(bob, 1, '!');
    const next = bob.reopen();
    const given = watch(next);
    await world.opened(next);
    await world.pass(100);
    expect(given).toEqual({ checkpoints: [], changes: 5 });
    expect(texts(next)).toEqual(['Oneabc', 'Two!', 'Threede']);
    expect(texts(ann)).toEqual(texts(next));
    const same = world.session('cem', { clientId: 'known' });
    const givenToSame = watch(same);
    await world.opened(same);
    expect(givenToSame).toEqual({ checkpoints: [], changes: 6 });
  });

  it('[CK14] a place in the log has one name, wherever a replica began', async () => {
    const { world } = await begun();
    const baseText = wordDocumentText(['One', 'Two', 'Three']);
    const { index, url } = world.server.checkpoint!;
    const checkpoint = { index, text: world.files.get(url)! };
    const [whole, late] = [wordReplica(baseText), wordReplica(baseText, checkpoint)];
    whole.receive(world.changes.slice(0, 3));
    expect(late.place.digest).toBe(whole.place.digest);
    for (const replica of [whole, late]) replica.receive(world.changes.slice(3));
    expect(late.place).toMatchObject({ index: 5, digest: whole.place.digest });
    expect(late.place.document.eq(whole.place.document)).toBe(true);
    // Blocks that nobody has touched are those of the base.
    const { doc: base } = parseWordDocument(JSON.parse(baseText));
    const nothing = new ReplaceStep(0, 0, Slice.empty);
    const { log } = beginLog(wordModel, { doc: base, rights: noRights }, checkpoint, nothing);
    expect(log.document.child(1)).toBe(base.child(1));
  });
});
