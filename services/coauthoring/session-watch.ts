import { DisconnectCode, disconnectDescriptions } from '../../client/protocol/index.ts';
import { isEditor, type Member } from './document/member.ts';
import type { Connection } from './gateway/connection.ts';

/** How long sessions may last, milliseconds; 0 is no limit. */
export interface SessionLimits {
  /** Without anything done in the document. Of editors only. */
  idleMs: number;
  /** From its beginning, with every connection it had. */
  absoluteMs: number;
  /** Session tokens are renewed this long after they were given. */
  renewTokenMs: number;
}

/** What all watches have in common. */
export interface Watching {
  limits: SessionLimits;
  renewToken: (connection: Connection) => void;
}

const longestLeadMs = 120_000;
/** The longest delay that timers of Node take, milliseconds. */
const longestDelayMs = 2 ** 31 - 1;

export interface WatchedSession {
  connection: Connection;
  startedAtMs: number;
  /** How long nothing had been done when the connection came, milliseconds. */
  idleForMs: number;
  /** Who may become a viewer. */
  member: Member;
}

/**
 * The time limits of one connection's session (co-authoring protocol, 14.1): warnings, the end, and new tokens for those
 * who stay. One timer per connection, set for what comes next: nothing looks at all connections again and again.
 */
export class SessionWatch {
  readonly #watching: Watching;
  readonly #connection: Connection;
  readonly #member: Member;
  readonly #startedAtMs: number;
  #lastActionMs: number;
  #tokenGivenMs: number;
  /** When the idle session ends that was warned; null when no warning is unanswered. */
  #idleEndMs: number | null = null;
  /** A client that has answered a warning is not warned again before. */
  #nextWarningMs = 0;
  #absoluteWarned = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(watching: Watching, { connection, member, startedAtMs, idleForMs }: WatchedSession) {
    this.#watching = watching;
    this.#connection = connection;
    this.#member = member;
    this.#startedAtMs = startedAtMs;
    this.#lastActionMs = Date.now() - idleForMs;
    this.#tokenGivenMs = startedAtMs;
    this.#look();
  }

  /** Something was done in the document. */
  acted(): void {
    this.#lastActionMs = Date.now();
    this.#idleEndMs = null;
  }

  /** The client says how long its user has done nothing. */
  extend(idleForMs: number): void {
    const { idleMs } = this.#watching.limits;
    if (idleMs > 0 && idleForMs >= idleMs && isEditor(this.#member)) {
      this.#end(DisconnectCode.sessionIdle);
      return;
    }
    this.#lastActionMs = Date.now() - Math.max(0, idleForMs);
    this.#idleEndMs = null;
    this.#nextWarningMs = Date.now() + leadMs(idleMs);
    this.#look();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Does what is due and waits for what comes next. */
  #look(): void {
    this.stop();
    const nowMs = Date.now();
    const nextMs = [this.#lookAtAge(nowMs), this.#lookAtIdleness(nowMs), this.#lookAtToken(nowMs)];
    if (nextMs.includes('ended')) return;
    const soonestMs = Math.min(...nextMs.filter((next) => typeof next === 'number'));
    const delayMs = Math.min(longestDelayMs, Math.max(1, soonestMs - nowMs));
    this.#timer = setTimeout(() => this.#look(), delayMs);
    this.#timer.unref();
  }

  #lookAtAge(nowMs: number): number | 'ended' {
    const { absoluteMs } = this.#watching.limits;
    if (absoluteMs === 0) return Number.POSITIVE_INFINITY;
    const endMs = this.#startedAtMs + absoluteMs;
    if (nowMs >= endMs) return this.#end(DisconnectCode.sessionAbsolute);
    const warningMs = endMs - leadMs(absoluteMs);
    if (nowMs < warningMs) return warningMs;
    if (!this.#absoluteWarned) this.#warn(DisconnectCode.sessionAbsolute, absoluteMs);
    this.#absoluteWarned = true;
    return endMs;
  }

  #lookAtIdleness(nowMs: number): number | 'ended' {
    const { idleMs } = this.#watching.limits;
    if (idleMs === 0 || !isEditor(this.#member)) return Number.POSITIVE_INFINITY;
    if (this.#idleEndMs !== null) {
      return nowMs < this.#idleEndMs ? this.#idleEndMs : this.#end(DisconnectCode.sessionIdle);
    }
    const warningMs = Math.max(this.#lastActionMs + idleMs - leadMs(idleMs), this.#nextWarningMs);
    if (nowMs < warningMs) return warningMs;
    this.#warn(DisconnectCode.sessionIdle, idleMs);
    this.#idleEndMs = nowMs + leadMs(idleMs);
    return this.#idleEndMs;
  }

  #lookAtToken(nowMs: number): number {
    const { renewTokenMs } = this.#watching.limits;
    if (nowMs >= this.#tokenGivenMs + renewTokenMs) {
      this.#tokenGivenMs = nowMs;
      this.#watching.renewToken(this.#connection);
    }
    return this.#tokenGivenMs + renewTokenMs;
  }

  #warn(code: SessionCode, interval: number): void {
    const messages = { code, reason: disconnectDescriptions[code], interval };
    this.#connection.say({ type: 'session', messages });
  }

  #end(code: SessionCode): 'ended' {
    this.stop();
    this.#connection.dismiss(code, disconnectDescriptions[code]);
    return 'ended';
  }
}

type SessionCode = typeof DisconnectCode.sessionIdle | typeof DisconnectCode.sessionAbsolute;

/** How long before its end a session is warned: two minutes, or half of a shorter limit. */
const leadMs = (limitMs: number): number => Math.min(longestLeadMs, limitMs / 2);
