import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { hostAddress } from '../../../services/lifecycle/host-storage.ts';
import type { Sent } from '../raw-client.ts';
import { png } from './addresses.ts';
import { type DocumentName, documentNames, grantOf, Holder, type StageKind, sign } from './grants.ts';
import {
  type Answered,
  type Breach,
  changeOf,
  type Facts,
  judgeAnswer,
  judgeHeard,
  secretOf,
} from './judge.ts';
import { Line } from './line.ts';
import type { Plan, Step } from './plan.ts';
import type { Probe } from './probe.ts';
import { type RightsWorld, secret } from './world.ts';

/** Where an intruder plays. */
export interface Place {
  readonly world: RightsWorld;
  readonly keyOf: (name: DocumentName) => string;
  readonly kind: StageKind;
  readonly probe: Probe;
  readonly facts: Facts;
}

/** Much of what an intruder says is not answered; then it goes on. */
const answerMs = 3_000;
const askMs = 10_000;

/** Plays a plan: somebody with lawful tokens who sends whatever comes to mind. */
export class Intruder {
  readonly holder: Holder;
  readonly #place: Place;
  readonly #answers: Answered[] = [];
  readonly #breaches: Breach[] = [];
  readonly #lines: Line[] = [];
  /** What stands for what in the steps of a plan. */
  readonly #known = new Map<string, unknown>();
  #changes = 0;
  #droppedFrom: string | null = null;
  /** Tokens that it came in with under its own name before it was dropped. */
  readonly #usedTokens = new Set<unknown>();
  /** Tokens of sessions that it began as somebody else. */
  readonly #sessionsOfOthers = new Set<unknown>();

  constructor(serial: string, place: Place) {
    this.holder = new Holder(serial);
    this.#place = place;
  }

  /** Does everything, and tells what it should not have been able to see. */
  async play({ holdings, steps }: Plan): Promise<Breach[]> {
    await this.#prepare(holdings);
    for (const step of steps) await this.#do(step);
    for (const line of this.#lines) if (line.hears('auth') && !line.ended) await line.settle();
    const { holder } = this;
    const { facts } = this.#place;
    for (const line of this.#lines) {
      this.#breaches.push(...line.heard.flatMap((message) => judgeHeard(message, holder, facts)));
      line.leave();
    }
    this.#breaches.push(...this.#answers.flatMap((answer) => judgeAnswer(answer, holder, facts)));
    return this.#breaches;
  }

  async #prepare(holdings: Plan['holdings']): Promise<void> {
    const { world, keyOf, probe, kind } = this.#place;
    const { serial, userId, userName } = this.holder;
    for (const [number, holding] of holdings.entries()) {
      const { claims, grant } = grantOf(holding, this.holder, keyOf, world.listeners, kind.fileType);
      const token = await sign(claims, secret);
      this.holder.grants.push({ ...grant, token });
      this.#known.set(`token${number}`, token);
    }
    const [first] = this.holder.grants;
    const { uniqueId, connectionId, userId: victim, userName: victimName } = probe.facts;
    const known = {
      ...Object.fromEntries(documentNames.map((name) => [name, keyOf(name)])),
      ...{ serial, me: userId, myName: userName, ...kind, png },
      source: first?.sources[0] ?? first?.oldSources[0] ?? world.listeners.picture(serial),
      callback: first?.callbackUrl ?? '',
      otherSource: world.listeners.source(keyOf('other'), 'unnamed'),
      picture: world.listeners.picture(serial),
      trap: world.listeners.trap(serial),
      evil: `evil-${serial}.test`,
      admin: world.nodes[0]!.adminAddress.replace(/\/$/, ''),
      wopiSession: hostAddress('00000000-0000-4000-8000-000000000000'),
      ...{ 'victim.id': victim, 'victim.name': victimName, 'victim.unique': uniqueId },
      ...{ 'victim.connection': connectionId, 'victim.index': probe.index },
      ...{ session: '', sessionId: '', time: 0, index: -1 },
    };
    for (const [name, value] of Object.entries(known)) this.#known.set(name, value);
  }

  async #do(step: Step): Promise<void> {
    switch (step.do) {
      case 'connect':
        return this.#connect(step);
      case 'auth':
        return this.#signIn(this.#meant(step.message) as Sent);
      case 'say':
        if (step.message.type === 'isSaveLock' || step.message.type === 'saveChanges') this.#nextChanges();
        this.#line?.say(this.#meant(step.message) as Sent);
        return;
      case 'ask':
        return this.#ask(step);
      case 'leave':
        if (this.#line?.hears('auth')) await this.#line.settle();
        this.#line?.leave();
        return;
      case 'drop':
        return this.#drop();
    }
  }

  get #line(): Line | undefined {
    return this.#lines.at(-1);
  }

  async #connect(step: Extract<Step, { do: 'connect' }>): Promise<void> {
    const { nodes } = this.#place.world;
    const address = nodes[(this.#lines.length + this.holder.serial.length) % nodes.length]!.address;
    const line = await Line.open({
      ...{ address, transport: step.transport, key: this.#place.keyOf(step.to) },
      handshake: this.#meant(step.handshake) as Sent,
      headers: this.#meant(step.headers) as Record<string, string>,
    }).catch(() => null);
    if (line) this.#lines.push(line);
  }

  /** Asks to come in, and waits for what becomes of it. */
  async #signIn(message: Sent): Promise<void> {
    const line = this.#line;
    if (!line || line.ended) return;
    // Whoever is in already may be told nothing more.
    const isIn = line.hears('auth') || line.hears('refreshToken');
    const before = line.heard.length;
    const fresh = () => line.heard.slice(before);
    const isAnswered = () =>
      fresh().some(
        ({ type }) => type === 'auth' || type === 'disconnectReason' || type === 'error' || type === 'drop',
      );
    line.say(message);
    await (isIn ? line.settle() : line.until(isAnswered, answerMs));
    const auth = fresh().findLast(({ type }) => type === 'auth');
    if (auth?.type !== 'auth') return;
    this.#judgeReturn(message, auth.participants);
    this.#known.set('sessionId', auth.sessionId);
    this.#known.set('time', auth.sessionTimeConnect ?? 0);
    this.#known.set('index', auth.indexUser);
    if (auth.jwt) this.#remember(message, auth.jwt);
    const refreshed = fresh().findLast(({ type }) => type === 'refreshToken');
    if (refreshed?.type === 'refreshToken' && typeof refreshed.messages === 'string') {
      this.#remember(message, refreshed.messages);
    }
    const isOpened = () => fresh().some(({ type }) => type === 'documentOpen');
    if (message.openCmd && !isIn) await line.until(isOpened, answerMs);
  }

  /** A token of the session that it has now. */
  #remember(message: Sent, session: string): void {
    this.#known.set('session', session);
    if (this.#isOfAnother(message)) this.#sessionsOfOthers.add(session);
  }

  /** Whether it comes as somebody else, by a token that names nobody, or goes on with a session that began so. */
  #isOfAnother({ jwtOpen, jwtSession, user }: Sent): boolean {
    if (this.#sessionsOfOthers.has(jwtSession)) return true;
    const isOwnId = (user as Sent | undefined)?.id === this.holder.userId;
    return !isOwnId && this.holder.grants.find(({ token }) => token === jwtOpen)?.userId === null;
  }

  /** Whoever was dropped stays out: every token here was signed before. */
  #judgeReturn(message: Sent, participants: readonly { connectionId: string }[] | undefined): void {
    const { jwtOpen, user } = message;
    const { probe } = this.#place;
    // Under another's id it counts as that person's: the integrator, who dropped this one, did not say whose it is.
    const isOwnId = (user as Sent | undefined)?.id === this.holder.userId;
    if (this.#droppedFrom === null && isOwnId) this.#usedTokens.add(jwtOpen);
    const isBesideProbe = participants?.some(({ connectionId }) => connectionId === probe.facts.connectionId);
    if (this.#droppedFrom !== probe.facts.key || !isBesideProbe) return;
    // A token that names nobody and that this one was never seen with is nobody's who was dropped, and so is a session begun with it.
    const names = this.holder.grants.find(({ token }) => token === jwtOpen)?.userId;
    const isNew = names === null && !this.#usedTokens.has(jwtOpen);
    if (isNew || (!names && this.#sessionsOfOthers.has(message.jwtSession))) {
      this.#droppedFrom = null;
      return;
    }
    this.#breaches.push({ kind: 'dropped', what: `${this.holder.serial} is back in ${this.#droppedFrom}` });
  }

  async #drop(): Promise<void> {
    const { world, probe } = this.#place;
    const { key } = probe.facts;
    if (!this.holder.on(key).some(({ userId }) => userId !== null)) return;
    const token = await sign({ c: 'drop', key, users: [this.holder.userId] }, secret, 0);
    const answered = await fetch(`${world.nodes[0]!.address}/command`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    const { error } = (await answered.json()) as { error: number };
    if (error === 0) this.#droppedFrom = key;
  }

  #nextChanges(): void {
    this.#changes += 1;
    const change = changeOf(this.holder.serial, this.#changes, this.#droppedFrom);
    this.#known.set('changes', JSON.stringify([change]));
    const indexes = this.#line?.heard.map((message) =>
      message.type === 'saveChanges'
        ? message.changesIndex
        : message.type === 'unSaveLock'
          ? message.syncChangesIndex
          : 0,
    );
    this.#known.set('end', Math.max(this.#place.probe.end, ...(indexes ?? [])));
  }

  /** Node's own client sends whatever `Host` it is told. */
  async #ask({ method, path, headers, body }: Extract<Step, { do: 'ask' }>): Promise<void> {
    const url = new URL(String(this.#meant(path)), this.#place.world.nodes[0]!.address);
    const meant = this.#meant(body);
    const bytes = Buffer.isBuffer(meant) || typeof meant === 'string' ? meant : JSON.stringify(meant ?? '');
    const options = { method, headers: this.#meant(headers) as Record<string, string>, timeout: askMs };
    const response = await new Promise<IncomingMessage | null>((resolve) => {
      const sent = request(url, options, resolve);
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(null));
      sent.end(method === 'GET' ? undefined : bytes);
    });
    const said = response && (await text(response).catch(() => null));
    if (said === null) return;
    this.#judgeContent(response?.statusCode ?? 0, said);
    const asked = url.pathname + url.search;
    this.#answers.push({ method, path: asked, status: response?.statusCode ?? 0, body: said });
  }

  /** Whoever was dropped reads nothing more; a token that names nobody may be another's. */
  #judgeContent(status: number, body: string): void {
    const from = this.#droppedFrom;
    if (from === null || status >= 300 || !body.includes(secretOf(from))) return;
    if (this.holder.grants.some(({ userId }) => userId === null)) return;
    this.#breaches.push({ kind: 'dropped', what: `${this.holder.serial} was given the content of ${from}` });
  }

  /** A value with everything put in that its texts stand for. */
  #meant(value: unknown): unknown {
    if (typeof value === 'string') return this.#meantText(value);
    if (Array.isArray(value)) return value.map((one) => this.#meant(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#meant(one)]));
  }

  #meantText(value: string): unknown {
    if (this.#known.has(value.slice(1)) && value.startsWith('$')) return this.#known.get(value.slice(1));
    return value.replaceAll(/\$([a-z][\w]*(?:\.[a-z]+)?)/gi, (whole, name: string) => {
      const known = this.#known.get(name) ?? this.#known.get(name.split('.')[0]!);
      if (known === undefined) return whole === '$token1' ? '' : whole;
      return `${known}${this.#known.has(name) ? '' : name.slice(name.indexOf('.'))}`;
    });
  }
}
