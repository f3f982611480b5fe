import { Transform } from 'prosemirror-transform';
import { describe, expect, it } from 'vitest';
import type { ChangeAuthor } from '../../model/log/change-author.ts';
import { encodeChange } from '../../model/word/change.ts';
import { wordSchema } from '../../model/word/schema.ts';
import { DocumentClient } from '../document-client.ts';
import { texts } from '../testing/word-typing.ts';
import { WordWorld } from '../testing/word-world.ts';
import type { WordSession } from './word-session.ts';

const { marks } = wordSchema;
const date = '2026-01-01T00:00:00Z';

/** A world in which `rita` may only review, as the server says. */
class LimitedWorld extends WordWorld {
  rita: ChangeAuthor = { name: 'Rita', may: ['review'] };

  constructor() {
    super(['Hello'], {
      authorOf: ({ user }) => (user?.id === 'rita' ? this.rita : { name: String(user?.username) }),
    });
  }

  /** Sends changes of which the client library knows nothing. */
  async forge(user: string, changes: readonly string[]): Promise<void> {
    let rest = changes;
    const client = new DocumentClient({
      url: 'http://server.test',
      key: 'doc',
      transport: this.network.dial(this.server.accept),
      auth: { user: { id: user, username: user }, openCmd: { format: 'docx', title: 'Doc.docx' } },
      clock: this.clock,
      hooks: {
        takeBatch: () => (rest.length > 0 ? rest : null),
        confirm: (_index, count) => {
          rest = rest.slice(count);
        },
      },
    });
    void client.open();
    await this.pass(100);
    client.queueSave();
    await this.pass(100);
    await client.close();
    await this.pass(100);
  }
}

const suggest = (session: WordSession, text: string): void =>
  session.dispatch(
    session.state.tr.insert(1, wordSchema.text(text, [marks.ins.create({ author: 'Rita', date })])),
  );

async function saved(world: WordWorld, session: WordSession): Promise<void> {
  const saving = session.save();
  await world.pass(100);
  await saving;
}

describe('a session that may not do everything', () => {
  it('[RL8] every replica skips what an author may not do, and one that begins at a checkpoint does', async () => {
    const world = new LimitedWorld();
    const ann = await world.open('ann');
    const { doc } = ann.state;
    const forged = new Transform(doc)
      .insert(1, wordSchema.text('forged'))
      .steps.map((step) => encodeChange('evil', step));
    const fair = new Transform(doc).insert(
      1,
      wordSchema.text('fair ', [marks.ins.create({ author: 'Rita', date })]),
    );
    await world.forge('rita', [...forged, ...fair.steps.map((step) => encodeChange('evil', step, 1))]);
    expect(world.changes).toHaveLength(2);
    world.makeCheckpoint();
    const bob = await world.open('bob');
    expect([ann, bob].map((one) => texts(one))).toEqual([['fair Hello'], ['fair Hello']]);
    // A change without a stamp is one of before there were any.
    for (const change of world.server.log) delete change.quireAuthor;
    world.server.checkpoint = null;
    expect(texts(await world.open('zoe'))).toEqual(['fair forgedHello']);
  });

  it('[RL11] what may not be made is known before it is sent, and taken back if it is made all the same', async () => {
    const world = new LimitedWorld();
    const refused: string[][] = [];
    const rita = await world.open('rita', { onRefused: (...said) => refused.push(said) });
    expect(rita.author).toEqual(world.rita);
    expect(rita.mayMake(rita.state.tr.insertText('x', 1))).toBe(false);
    suggest(rita, 'new ');
    expect(rita.mayMake(rita.state.tr.delete(1, 5))).toBe(true);
    rita.dispatch(rita.state.tr.insertText('forged', 6));
    await world.pass(100);
    expect(refused).toEqual([['not-allowed', 'forged']]);
    expect(texts(rita)).toEqual(['new Hello']);
    expect(world.changes).toHaveLength(1);
  });

  it('[RL11] a deletion of what somebody else had struck is undone before it is sent', async () => {
    const world = new LimitedWorld();
    const ann = await world.open('ann');
    const rita = await world.open('rita', { editingMode: 'strict' });
    suggest(rita, 'new ');
    await saved(world, rita);
    ann.dispatch(ann.state.tr.addMark(1, 4, marks.del.create({ author: 'ann', date })));
    await world.pass(100);
    await saved(world, rita);
    const deletion = rita.state.tr.delete(1, 5);
    const [step] = deletion.steps;
    const undo = step!.invert(deletion.docs[0]!);
    rita.dispatch(deletion);
    expect(rita.mayMake(rita.state.tr.step(undo))).toBe(true);
    rita.dispatch(rita.state.tr.step(undo));
    await saved(world, rita);
    expect(texts(ann)).toEqual(['new Hello']);
  });

  it('[RL11] a session whose rights have changed begins anew, with what it has not sent', async () => {
    const world = new LimitedWorld();
    const rita = await world.open('rita');
    let ended: string | undefined;
    rita.client.on('ended', ({ error }) => {
      ended = error?.code;
    });
    world.rita = { name: 'Rita' };
    for (const connection of [...world.server.connections]) connection.peer.end('lost');
    suggest(rita, 'new ');
    await world.pass(60_000);
    expect(ended).toBe('reload');
    const next = await world.opened(rita.reopen());
    await world.pass(100);
    expect(texts(next)).toEqual(['new Hello']);
    expect(world.changes).toHaveLength(1);
  });
});
