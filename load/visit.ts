import { setTimeout as delay } from 'node:timers/promises';
import type { ClientMessage } from '../client/protocol/index.ts';
import { sharedNowMs, stampDigits, stampIn, stampMark, stampOf } from './clock.ts';
import type { Recorder } from './meters.ts';
import type { Recorders } from './recorders.ts';
import type { Room } from './room.ts';
import { Saver } from './saver.ts';
import { LeanClient } from './wire/lean-client.ts';
import { ConnectError, sourceAddress } from './wire/target.ts';
import type { World } from './world.ts';

/** Clients of the protocol wait so long for the answer to a save, and for a document, milliseconds. */
const answerWithinMs = 60_000;
/** Whether the session of a silent person has ended is asked this often, and for so long, milliseconds. */
const silence = { everyMs: 5_000, longestMs: 240_000 } as const;

/** With one of these a server sends somebody away. */
const goodbyes: ReadonlySet<string> = new Set(['error', 'drop', 'disconnectReason', 'savePartChanges']);

const words = ' It is late, and there is still a paragraph to write before the train.';

/** Why a visit ended that was to go on. */
export interface Failure {
  /** `open` on the way in; later `lost`, `silence`, or the message with which the server sent somebody away. */
  kind: string;
  error: Error;
}

/** Whoever is in, or was and fell silent, has a connection. Who has none yet can do nothing but give up the attempt. */
type State =
  | { is: 'connecting'; attempt: AbortController }
  | { is: 'coming'; client: LeanClient }
  | { is: 'in'; client: LeanClient; saver: Saver }
  | { is: 'silent'; client: LeanClient }
  | { is: 'over' };

/**
 * One stay of somebody in a document, with one connection, from the attempt to come in to its end. Nothing that comes after
 * the end is heard, counted or measured.
 */
export class Visit {
  readonly #world: World;
  readonly #recorders: Recorders;
  readonly #author: string;
  readonly #room: Room;
  #state: State = { is: 'connecting', attempt: new AbortController() };
  /** Called once when the visit has ended and nobody had asked for it. */
  onFailure: (failure: Failure) => void = () => undefined;

  /** @param document the document's name in the run @param number its number, which says what it begins with */
  constructor(world: World, recorders: Recorders, document: string, number: number) {
    this.#world = world;
    this.#recorders = recorders;
    this.#author = world.nextAuthor();
    this.#room = world.rooms.enter(document, number);
    world.meters.shift('opening', 1);
  }

  get isIn(): boolean {
    return this.#state.is === 'in';
  }

  /** Comes in. Never rejects: what goes wrong ends the visit. Resolves with whether somebody is in. */
  async open(dueAtMs: number): Promise<boolean> {
    const { meters } = this.#world;
    try {
      const client = await this.#connect();
      if (client === null) return false;
      const saver = await this.#signIn(client);
      if (this.#state.is !== 'coming') return false;
      this.#recorders.open(performance.now() - dueAtMs);
      meters.count('opened');
      meters.shift('opening', -1);
      meters.shift('sessions', 1);
      this.#state = { is: 'in', client, saver };
      return true;
    } catch (error) {
      this.#fail('open', error as Error);
      return false;
    }
  }

  /** Saves; the time counts from when the save was due. */
  save(dueAtMs: number): void {
    if (this.#state.is === 'in' && this.#state.client.isOpen) this.#state.saver.save(dueAtMs);
  }

  /** Says something to everybody in the document. */
  chat(dueAtMs: number): void {
    this.#say('chats', { type: 'message', message: this.#stamped(dueAtMs) });
  }

  /** Moves the cursor, which the others see. */
  moveCursor(dueAtMs: number): void {
    this.#say('cursors', { type: 'cursor', cursor: this.#stamped(dueAtMs) });
  }

  /** Says nothing any more. Resolves with whether the visit still went on when the server had ended the session, or did not. */
  async beSilent(): Promise<boolean> {
    if (this.#state.is !== 'in') return false;
    const { client } = this.#state;
    const { meters } = this.#world;
    this.#state = { is: 'silent', client };
    meters.shift('sessions', -1);
    meters.count('silences');
    client.fallSilent();
    const sinceMs = performance.now();
    let isForgotten = false;
    while (!isForgotten && performance.now() - sinceMs < silence.longestMs) {
      await delay(silence.everyMs);
      if (!this.#isSilent) return false;
      isForgotten = await client.isForgotten();
    }
    if (!this.#isSilent) return false;
    this.#recorders.silence(performance.now() - sinceMs);
    if (!isForgotten) this.#world.problem('silence', 'somebody silent was never ended');
    return true;
  }

  /** Gives up where an answer has not come in the time that editors wait. */
  watch(nowMs: number): void {
    if (this.#state.is !== 'in' || this.#state.saver.waitingMs(nowMs) <= answerWithinMs) return;
    this.#world.meters.count('save.failed');
    this.#fail('silence', new Error(`a save had no answer within ${answerWithinMs} ms`));
  }

  /** Goes away, as a closed tab does, from wherever it is. */
  end(): void {
    const state = this.#state;
    if (state.is === 'over') return;
    this.#state = { is: 'over' };
    if (isOnTheWay(state)) this.#world.meters.shift('opening', -1);
    if (state.is === 'in') this.#world.meters.shift('sessions', -1);
    if (state.is === 'connecting') state.attempt.abort();
    else forget(state.client);
    this.#room.leave(this.#author, performance.now());
  }

  /** A narrowed state would not be looked at again behind an `await`. */
  get #isSilent(): boolean {
    return this.#state.is === 'silent';
  }

  /** A server is to end whoever is silent. */
  #fail(kind: string, error: Error): void {
    if (this.#state.is === 'over' || this.#state.is === 'silent') return;
    const failure = { kind: isOnTheWay(this.#state) ? 'open' : kind, error };
    if (failure.kind === 'open' && !isBusy(error)) this.#world.meters.count('open.failed');
    this.end();
    this.onFailure(failure);
  }

  #say(counter: string, message: ClientMessage): void {
    if (this.#state.is !== 'in' || !this.#state.client.isOpen) return;
    this.#world.meters.count(counter);
    this.#state.client.send(this.#state.client.prepare(message));
  }

  /** Null: the visit ended before there was a connection. */
  async #connect(): Promise<LeanClient | null> {
    const { target, transport, meters } = this.#world;
    const localAddress = sourceAddress(target, this.#world.nextConnection());
    if (this.#state.is !== 'connecting') return null;
    const { signal } = this.#state.attempt;
    const given = { transport, localAddress, signal, ...this.#token() };
    const client = await LeanClient.connect(target, this.#room.key, given);
    if (signal.aborted) {
      forget(client);
      return null;
    }
    this.#state = { is: 'coming', client };
    client.onClose = (reason) => this.#fail('lost', new Error(reason));
    client.onExchange = ({ kind, passed, firstByteMs, elapsedMs }) => {
      if (!passed) return meters.count(`${kind}.failed`);
      this.#recorders[kind](elapsedMs);
      this.#recorders[`${kind}FirstByte`](firstByteMs);
    };
    return client;
  }

  /** Resolves when the document is there to be edited. */
  async #signIn(client: LeanClient): Promise<Saver> {
    const { kind, meters } = this.#world;
    const overdue = setTimeout(
      () => this.#fail('open', new Error(`no document came within ${answerWithinMs} ms`)),
      answerWithinMs,
    );
    try {
      const { signedInMs, endIndex, files, hasModel } = await client.signIn({
        ...this.#opening(),
        model: kind.model,
        ...this.#token(),
      });
      this.#recorders.login(signedInMs);
      meters.count('logins');
      const saver = this.#begin(client, endIndex);
      if (!hasModel) await this.#fetchModel(files);
      return saver;
    } finally {
      clearTimeout(overdue);
    }
  }

  #opening() {
    const { integrator } = this.#world;
    const documentUrl = integrator.sourceUrl(this.#room.edition);
    const { callbackUrl } = integrator;
    return { key: this.#room.key, userId: `u${this.#author}`, documentUrl, callbackUrl };
  }

  #token(): { token?: string } {
    return this.#world.signer.sign(this.#opening());
  }

  #begin(client: LeanClient, endIndex: number): Saver {
    const { batches, meters } = this.#world;
    const saver = new Saver(client, this.#room.key, batches.of(this.#author), endIndex);
    saver.onSaved = ({ savedMs, totalMs }) => {
      meters.count('saves');
      meters.count('changes', batches.changesPerSave);
      this.#recorders.save(totalMs);
      this.#recorders.saved(savedMs);
    };
    saver.onOthers = (data) => this.#received(data, this.#recorders.change);
    this.#room.works.set(this.#author, saver);
    client.onMessage = (type, data) => {
      if (type === 'message') this.#heard(data);
      else if (type === 'cursor') this.#received(data, this.#recorders.presence);
      else if (goodbyes.has(type)) this.#fail(type, new Error(data.toString('utf8', 0, 300)));
      else saver.take(type, data);
    };
    return saver;
  }

  #received(data: Buffer, record: Recorder): void {
    const sentAtMs = stampIn(data);
    if (Number.isNaN(sentAtMs)) return;
    this.#world.meters.count('received');
    record(sharedNowMs() - sentAtMs);
  }

  /** Chat goes to everybody, its author included. */
  #heard(data: Buffer): void {
    const at = data.indexOf(stampMark) + 1;
    if (at === 0) return;
    const from = at + stampDigits;
    const isOwn = data.toString('latin1', from, from + this.#author.length) === this.#author;
    this.#received(data, isOwn ? this.#recorders.chat : this.#recorders.message);
  }

  #stamped(dueAtMs: number): string {
    const dueSharedMs = sharedNowMs() - performance.now() + dueAtMs;
    return `${stampMark}${stampOf(dueSharedMs)}${this.#author}${words}`;
  }

  /** The document is there to be edited when its model is. */
  async #fetchModel(files: Readonly<Record<string, string>>): Promise<void> {
    const url = files['Editor.bin'];
    if (!url) throw new Error(`The opened document has no model, only ${Object.keys(files).join(', ')}`);
    const status = await this.#world.files.statusOf(url);
    if (status !== 200) throw new Error(`The model of the document was answered with HTTP ${status}`);
  }
}

const isOnTheWay = ({ is }: State): boolean => is === 'connecting' || is === 'coming';

/** Whether somebody was asked to come again, which is no fault of the server. */
export const isBusy = (error: Error): error is ConnectError =>
  error instanceof ConnectError && error.code === 'busy';

/** Closes a connection of which nothing is to be heard any more. */
function forget(client: LeanClient): void {
  client.onMessage = () => undefined;
  client.onClose = () => undefined;
  void client.close();
}
