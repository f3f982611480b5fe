import type { Block, Participant, ServerMessage } from '../../../client/protocol/index.ts';
import { patienceMs } from '../patience.ts';
import { saveMessage } from '../saving.ts';
import { type DocumentName, grantOf, Holder, type StageKind, sign } from './grants.ts';
import {
  type Breach,
  changeOf,
  type Facts,
  judgeProbe,
  type ProbeFacts,
  probeBlock,
  probeCells,
} from './judge.ts';
import { Line } from './line.ts';
import { type RightsWorld, secret } from './world.ts';

const pauseMs = 3;

/** Who is there by the newest of these messages that tells. */
function companyIn(messages: readonly ServerMessage[]): readonly Participant[] | undefined {
  const told = messages.findLast((message) => message.type === 'connectState');
  return told?.type === 'connectState' ? told.participants : undefined;
}

/** Newcomers wait until the only editor says that its history is final. */
function letIn(message: ServerMessage, line: Line): void {
  if (message.type !== 'connectState' || message.waitAuth !== true) return;
  line.say({ type: 'unLockDocument', isSave: false, unlock: true, deleteIndex: null });
}

/** Somebody normal: edits and saves all the time, holds a lock, lets newcomers in, and must never be disturbed. */
export class Probe {
  readonly holder: Holder;
  readonly facts: ProbeFacts;
  readonly #line: Line;
  readonly #block: Block;
  readonly #index: number;
  #end = 0;
  #saves = 0;
  /** Who was in its document with it when it was last told. */
  #company: readonly Participant[] = [];

  private constructor(holder: Holder, facts: ProbeFacts, line: Line, of: { index: number; block: Block }) {
    this.holder = holder;
    this.facts = facts;
    this.#line = line;
    this.#index = of.index;
    this.#block = of.block;
  }

  static async open(
    world: RightsWorld,
    {
      serial,
      document,
      keyOf,
      kind,
    }: {
      serial: string;
      document: DocumentName;
      keyOf: (name: DocumentName) => string;
      kind: StageKind;
    },
  ): Promise<Probe> {
    const holder = new Holder(serial);
    const { userId, userName } = holder;
    const { fileType, editorType, model } = kind;
    const { claims, grant } = grantOf(
      { kind: 'opening', role: 'editor', document, isNamed: true },
      holder,
      keyOf,
      world.listeners,
      fileType,
    );
    const token = await sign(claims, secret);
    holder.grants.push({ ...grant, token });
    const key = keyOf(document);
    const line = await Line.open({
      address: world.nodes[0]!.address,
      ...{ key, transport: 'socket.io', handshake: { token }, headers: {} },
      onMessage: letIn,
    });
    if (!line) throw new Error(`The probe of ${key} could not connect.`);
    line.say({
      ...{ type: 'auth', docid: key, token: 'a constant', jwtOpen: token, mode: 'edit' },
      documentCallbackUrl: grant.callbackUrl,
      user: { id: userId, username: userName, indexUser: -1 },
      ...{ editorType, lastOtherSaveTime: -1, block: [], sessionId: null, coEditingMode: 'fast' },
      permissions: { edit: true },
      openCmd: { c: 'open', id: key, format: fileType, url: grant.sources[0], title: `a.${fileType}`, model },
    });
    await line.until(() => line.hears('documentOpen'));
    const auth = line.last('auth');
    if (!auth || line.last('documentOpen')?.data.status !== 'ok') {
      throw new Error(`The probe of ${key} could not open it: ${JSON.stringify(line.heard).slice(0, 2_000)}`);
    }
    const me = auth.participants!.find((one) => one.connectionId === line.id)!;
    const facts = {
      ...{ key, serial, userId, userName, uniqueId: me.id, connectionId: line.id },
      secrets: [auth.sessionId, auth.jwt!],
    };
    const probe = new Probe(holder, facts, line, {
      index: auth.indexUser,
      block: fileType === 'xlsx' ? probeCells : probeBlock,
    });
    probe.#lock();
    await line.until(() => line.hears('getLock'));
    return probe;
  }

  get index(): number {
    return this.#index;
  }

  /** How many changes its document has. */
  get end(): number {
    return this.#end;
  }

  /** Edits, saves, and tells what disturbed it. */
  async check(facts: Facts): Promise<Breach[]> {
    const saved = await this.#save();
    this.#line.say({ type: 'message', message: this.facts.serial });
    this.#lock();
    await this.#line.settle();
    const heard = this.#line.heard.splice(0);
    this.#company = companyIn(heard) ?? this.#company;
    const breaches = heard.flatMap((message) => judgeProbe(message, this.facts, facts));
    if (!saved || this.#line.ended) {
      const why = this.#line.ended ? 'was disconnected' : 'could not save';
      breaches.push({ kind: 'shut-out', what: `the probe of ${this.facts.key} ${why}` });
    }
    return breaches;
  }

  /** Who is still there after everybody else has left. */
  async stayers(): Promise<readonly Participant[]> {
    const others = () =>
      (companyIn(this.#line.heard) ?? this.#company).filter((one) => one.connectionId !== this.#line.id);
    await this.#line.until(() => others().length === 0);
    return others();
  }

  leave(): void {
    this.#line.leave();
  }

  #lock(): void {
    this.#line.say({ type: 'getLock', block: [this.#block] });
  }

  async #save(): Promise<boolean> {
    const line = this.#line;
    const deadline = Date.now() + patienceMs;
    while (Date.now() < deadline && !line.ended) {
      this.#learn();
      const asked = line.heard.length;
      const answer = () => line.heard.slice(asked).find(({ type }) => type === 'saveLock');
      line.say({ type: 'isSaveLock', syncChangesIndex: this.#end });
      await line.until(() => answer() !== undefined);
      const turn = answer();
      if (turn?.type === 'saveLock' && !turn.saveLock) {
        const before = line.heard.length;
        const stored = () => line.heard.slice(before).some(({ type }) => type === 'unSaveLock');
        const change = changeOf(this.facts.serial, this.#saves);
        line.say(saveMessage([change], { releaseLocks: false }));
        await line.until(stored);
        if (!stored()) return false;
        this.#saves += 1;
        this.#learn();
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return false;
  }

  #learn(): void {
    for (const message of this.#line.heard) {
      if (message.type === 'saveChanges') this.#end = Math.max(this.#end, message.changesIndex);
      if (message.type === 'unSaveLock') this.#end = Math.max(this.#end, message.syncChangesIndex);
    }
  }
}
