import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accepted, type ReceivedCallback } from '../support/integrator.ts';
import { save } from '../support/saving.ts';
import { Scene, type SharedScene } from '../support/scene.ts';
import {
  append,
  fetchFile,
  joinWord,
  paragraphsOf,
  type WordEditor,
  wordEditor,
} from '../support/word-editor.ts';

let scene: SharedScene;

beforeAll(async () => {
  scene = await Scene.openShared();
});
afterAll(() => scene?.close());

const is = (status: number) => (callback: ReceivedCallback) => callback.status === status;

async function write(editor: WordEditor, text: string) {
  const { change, doc } = append('a', editor.doc, 0, text);
  editor.doc = doc;
  return save(editor.client, [change]);
}

describe('the end of a forced save', () => {
  it('[PR13] is told to who pressed the button as one of the button, whatever it was begun for; to others as it was', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    const { time } = await write(ann, ' new');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    scene.integrator.answer(key, async (callback) => {
      if (callback.status === 6) await held;
      return accepted;
    });
    expect(await scene.command({ c: 'forcesave', key })).toMatchObject({ error: 0 });
    await scene.integrator.waitForCallback(key, is(6));
    bob.client.send({ type: 'forceSaveStart' });
    const begun = await bob.client.next('forceSaveStart');
    expect(begun.messages).toEqual({ code: 0, time, inProgress: true });
    release();
    const end = await bob.client.next('forceSave', ({ messages }) => messages.type === 1);
    expect(end.messages).toEqual({ type: 1, time, success: true });
    await ann.client.next('forceSave', ({ messages }) => messages.type === 0);
    await ann.client.settled();
    expect(ann.client.unreadOf('forceSave')).toEqual([]);
  });

  it('[PR14] where none was begun the answer has no time, never an empty one', async () => {
    const ann = await joinWord(scene, scene.newKey(), 'ann');
    ann.client.send({ type: 'forceSaveStart' });
    expect((await ann.client.next('forceSaveStart')).messages).toEqual({ code: 4, inProgress: false });
  });
});

describe('rpc', () => {
  it('[PR15] sendForm hands over the file with what was filled in, and answers who sent it when that is done', async () => {
    const key = scene.newKey();
    const ann = await joinWord(scene, key, 'ann');
    const bob = await joinWord(scene, key, 'bob', ann.client);
    const { time } = await write(ann, ' filled in');
    const formdata = [{ key: 'name', tag: '', value: 'Ann', type: 'text' }];
    ann.client.send({ type: 'rpc', responseKey: 1, data: { type: 'sendForm', formdata } });
    const { body } = await scene.integrator.waitForCallback(key, is(6));
    expect(body).toMatchObject({ forcesavetype: 3, actions: [{ type: 2, userid: 'ann' }] });
    expect(paragraphsOf(await fetchFile(body.url))[0]).toBe('First filled in');
    expect(JSON.parse(Buffer.from(await fetchFile(body.formsdataurl)).toString())).toEqual(formdata);
    expect(await ann.client.next('rpc')).toEqual({
      type: 'rpc',
      responseKey: 1,
      data: { code: 0, time, inProgress: false },
    });
    // The same file again: a form is handed over as often as it is sent.
    ann.client.send({ type: 'rpc', responseKey: 2, data: { type: 'sendForm', formdata: [] } });
    expect((await ann.client.next('rpc')).data).toMatchObject({ code: 0 });
    expect(scene.integrator.callbacksOf(key).filter(is(6))).toHaveLength(2);
    for (const { client } of [ann, bob]) {
      await client.settled();
      expect(client.unreadOf('forceSave')).toEqual([]);
    }
    const viewer = await scene.join(key, 'viewer', { mode: 'view' });
    viewer.client.send({ type: 'rpc', responseKey: 3, data: { type: 'sendForm', formdata } });
    expect((await viewer.client.next('rpc')).data).toEqual({ code: 3, inProgress: false });
    // A form is handed over by who fills it in, not by who only comments.
    for (const [user, permissions, code] of [
      ['carl', { edit: false, comment: true }, 3],
      ['rita', { edit: false, review: true }, 3],
      ['fred', { edit: false, fillForms: true }, 0],
    ] as const) {
      const { client } = await scene.join(key, user, { ...wordEditor(scene, key), permissions });
      client.send({ type: 'rpc', responseKey: 4, data: { type: 'sendForm', formdata } });
      expect([user, (await client.next('rpc')).data]).toMatchObject([user, { code }]);
    }
    expect(scene.integrator.callbacksOf(key).filter(is(6))).toHaveLength(3);
  });

  it('[PR16] saveRelativeFromChanges gives another document as it is now; what is not there has its number', async () => {
    const other = scene.newKey();
    const bob = await joinWord(scene, other, 'bob');
    await write(bob, ' of the other');
    const ann = await joinWord(scene, scene.newKey(), 'ann');
    const ask = async (docId: unknown) => {
      ann.client.send({ type: 'rpc', responseKey: 'k', data: { type: 'saveRelativeFromChanges', docId } });
      return (await ann.client.next('rpc')).data as { code: number; url: string };
    };
    const answer = await ask(other);
    expect(answer).toMatchObject({ code: 0, time: expect.any(Number), inProgress: false });
    expect(paragraphsOf(await fetchFile(answer.url))[0]).toBe('First of the other');
    expect(await ask('no such document')).toMatchObject({ code: 1 });
    expect(await ask('absent')).toMatchObject({ code: 3 });
    expect(scene.integrator.callbacksOf(other)).toEqual([]);
  });

  it('[PR17] what is not known gets no answer, and what is malformed does no harm', async () => {
    const ann = await joinWord(scene, scene.newKey(), 'ann');
    for (const data of [undefined, null, 7, [], { type: 'nonsense' }, { type: 'wopi_RenameFile' }]) {
      ann.client.send({ type: 'rpc', responseKey: 1, ...(data === undefined ? {} : { data }) });
    }
    expect((await ann.client.next('rpc')).data).toEqual({});
    await ann.client.settled();
    expect(ann.client.unreadOf('rpc')).toEqual([]);
  });
});
