import { parseWordDocument } from '../../../model/word/document.ts';
import { saveMessage } from '../saving.ts';
import { grantOf, Holder, roles, sign } from './grants.ts';
import type { Breach } from './judge.ts';
import { Line } from './line.ts';
import { type WordPlan, wordSource } from './word-plan.ts';
import { judgeWord } from './word-rights.ts';
import { type RightsWorld, secret } from './world.ts';

const roleOf = { comment: 'commenter', review: 'reviewer', fill: 'filler' } as const;

/** What became of a plan: whether there is a file with changes to judge, and what is wrong with it. */
export interface WordOutcome {
  readonly isChanged: boolean;
  readonly breaches: readonly Breach[];
}

/** Somebody who may change a part of a document saves whatever they like; the file that is handed over is judged. */
export async function playWord(world: RightsWorld, key: string, plan: WordPlan): Promise<WordOutcome> {
  const { listeners } = world;
  const holder = new Holder(key);
  const role = roleOf[plan.right];
  const { claims, grant } = grantOf(
    { kind: 'opening', role, document: 'main', isNamed: true },
    holder,
    () => key,
    listeners,
  );
  listeners.serve(key, wordSource);
  const token = await sign(claims, secret);
  const { address } = world.nodes.at(-1)!;
  const line = await Line.open({ address, key, transport: 'socket.io', handshake: { token }, headers: {} });
  if (!line) throw new Error(`Nobody can connect to ${address}.`);
  line.say({
    ...{ type: 'auth', docid: key, token: 'a constant', jwtOpen: token, mode: 'edit' },
    documentCallbackUrl: grant.callbackUrl,
    user: { id: holder.userId, username: holder.userName, indexUser: -1 },
    ...{ editorType: 0, lastOtherSaveTime: -1, block: [], sessionId: null, coEditingMode: 'fast' },
    permissions: roles[role].permissions,
    openCmd: { c: 'open', id: key, format: 'docx', url: grant.sources[0], title: 'a.docx', model: 'word' },
  });
  await line.until(() => line.hears('documentOpen'));
  const files = line.last('documentOpen')?.data.data as Readonly<Record<string, string>> | undefined;
  const link = files?.['Editor.bin'];
  if (link === undefined)
    throw new Error(`${key} could not be opened: ${JSON.stringify(line.heard).slice(0, 2_000)}`);
  const { doc } = parseWordDocument(await (await fetch(link)).json());
  const changes = plan.changesOf(doc, holder.serial);
  if (changes.length > 0) await save(line, changes);
  const isChanged = line.last('unSaveLock') !== undefined;
  line.leave();
  const isFinal = ({ body }: { body: Readonly<Record<string, unknown>> }) =>
    body.key === key && body.status !== 1;
  const final = await listeners.awaitCallback(isFinal);
  listeners.takeCallbacks(key);
  await world.takeRows(key);
  listeners.forget(key);
  if (final?.body.status !== 2) {
    // What nobody changed is handed over without a file.
    if (final?.body.status === 4 && !isChanged) return { isChanged: false, breaches: [] };
    return {
      isChanged,
      breaches: [{ kind: 'callback', what: `${key} was handed over with ${final?.body.status}` }],
    };
  }
  const file = new Uint8Array(await (await fetch(String(final.body.url))).arrayBuffer());
  return { isChanged, breaches: judgeWord(plan.right, wordSource, file) };
}

async function save(line: Line, changes: readonly string[]): Promise<void> {
  line.say({ type: 'isSaveLock', syncChangesIndex: 0 });
  await line.until(() => line.hears('saveLock'));
  line.say(saveMessage(changes));
  await line.until(() => line.hears('unSaveLock'));
}
