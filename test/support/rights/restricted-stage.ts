import { saveMessage } from '../saving.ts';
import { grantOf, Holder, type RoleName, roles, type StageKind, sign } from './grants.ts';
import type { Breach } from './judge.ts';
import { Line } from './line.ts';
import { type RightsWorld, secret } from './world.ts';

/** What somebody with a part of the rights does with a document of a model of ours. */
export interface RestrictedPlan {
  readonly kind: StageKind & { readonly model: string };
  readonly role: RoleName;
  readonly source: Uint8Array;
  /** The changes for a document as it was opened. @param author who is in them */
  changesOf(model: unknown, author: string): string[];
  /** What the file says that this right does not allow. */
  judge(file: Uint8Array): Breach[];
}

/** What became of a plan: whether there is a file with changes to judge, and what is wrong with it. */
export interface RestrictedOutcome {
  readonly isChanged: boolean;
  readonly breaches: readonly Breach[];
}

/** Somebody who may change a part of a document saves whatever they like; the file that is handed over is judged. */
export async function playRestricted(
  world: RightsWorld,
  key: string,
  plan: RestrictedPlan,
): Promise<RestrictedOutcome> {
  const { listeners } = world;
  const holder = new Holder(key);
  const { role, kind } = plan;
  const { claims, grant } = grantOf(
    { kind: 'opening', role, document: 'main', isNamed: true },
    holder,
    () => key,
    listeners,
    kind.fileType,
  );
  listeners.serve(key, plan.source);
  const token = await sign(claims, secret);
  const { address } = world.nodes.at(-1)!;
  const line = await Line.open({ address, key, transport: 'socket.io', handshake: { token }, headers: {} });
  if (!line) throw new Error(`Nobody can connect to ${address}.`);
  line.say({
    ...{ type: 'auth', docid: key, token: 'a constant', jwtOpen: token, mode: 'edit' },
    documentCallbackUrl: grant.callbackUrl,
    user: { id: holder.userId, username: holder.userName, indexUser: -1 },
    ...{
      editorType: kind.editorType,
      lastOtherSaveTime: -1,
      block: [],
      sessionId: null,
      coEditingMode: 'fast',
    },
    permissions: roles[role].permissions,
    openCmd: {
      ...{ c: 'open', id: key, format: kind.fileType, url: grant.sources[0] },
      ...{ title: `a.${kind.fileType}`, model: kind.model },
    },
  });
  await line.until(() => line.hears('documentOpen'));
  const files = line.last('documentOpen')?.data.data as Readonly<Record<string, string>> | undefined;
  const link = files?.['Editor.bin'];
  if (link === undefined)
    throw new Error(`${key} could not be opened: ${JSON.stringify(line.heard).slice(0, 2_000)}`);
  const changes = plan.changesOf(await (await fetch(link)).json(), holder.serial);
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
  return { isChanged, breaches: plan.judge(file) };
}

async function save(line: Line, changes: readonly string[]): Promise<void> {
  line.say({ type: 'isSaveLock', syncChangesIndex: 0 });
  await line.until(() => line.hears('saveLock'));
  line.say(saveMessage(changes));
  await line.until(() => line.hears('unSaveLock'));
}
