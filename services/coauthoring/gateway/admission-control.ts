import type { NewcomerRefusal } from '../../../platform/metrics/admission.ts';
import { AdaptiveLimit } from './adaptive-limit.ts';
import { type Waiting, WaitingLine } from './waiting-line.ts';

/** Longest that somebody who comes in counts as under way, milliseconds: a slow storage or a silent client keeps nobody out. */
const underWayMs = 2_000;
/** From when on a line that was never empty is an overload, and how long one waits then, milliseconds. */
const patientForMs = 3_000;
const hurriedMs = 500;
/** Who is refused is asked to come again within so many seconds. */
const leastSpreadS = 2;
const mostSpreadS = 60;
/** So many of those who were refused are to come again for each who is let in: clients add a time of their own to what they are asked. */
const againFor = 3;
/** In an overload so many are to come for each who is let in; the share that is led here is never less, and changes by such a factor at most. */
const plenty = 2;
const leastShare = 0.01;
const steepestChange = 1.5;
/** How much of what was counted at a look goes into a rate, and how many looks there are in a second. */
const weight = 0.1;
const looksPerS = 10;
/** Rates and numbers below this are as good as none. */
const calmBelow = 0.01;

/** Somebody at the door. */
export interface Applicant {
  tenant: string;
  network: string;
  isReturning: boolean;
  /** Told at once by what the admission knows them. */
  came(entry: Entry): void;
  /** Lets them in; at most one of the two is called, once. */
  enter(): void;
  /** `withinS`: they are to come again within so many seconds, at a moment of chance. */
  refuse(withinS: number): void;
}

/** Who came to the door, until they are signed in or gone. */
export class Entry implements Waiting {
  readonly tenant: string;
  readonly network: string;
  readonly isReturning: boolean;
  readonly sinceMs: number;
  readonly applicant: Applicant;
  enteredAtMs = 0;

  constructor(applicant: Applicant, sinceMs: number) {
    this.tenant = applicant.tenant;
    this.network = applicant.network;
    this.isReturning = applicant.isReturning;
    this.sinceMs = sinceMs;
    this.applicant = applicant;
  }
}

/**
 * Lets people in, no more at once than can be served well. A limit that adapts to what signing in takes says how many are on their way
 * in ({@link AdaptiveLimit}); the others wait in a line that is short in time rather than in number: once it has not been empty
 * for three seconds nobody waits longer than half a second, and the newest go first, as those who came long ago have gone ("Fail at
 * Scale", ACM Queue 13/8, 2015, with the controlled delay of RFC 8289). Whoever has waited
 * longer when it looks, and finds no place then, is refused.
 *
 * It has no clock: each call is told the time, in milliseconds since any moment, and `look` ten times a second; less often
 * will do while it is calm.
 */
export class AdmissionControl {
  readonly #limit = new AdaptiveLimit();
  readonly #line = new WaitingLine<Entry>();
  /** In the order in which they came in. */
  readonly #underWay = new Set<Entry>();
  readonly #mostWaiting: number;
  readonly #onEntered: () => void;
  readonly #onRefused: (why: NewcomerRefusal) => void;
  /** When the line was empty last. */
  #emptyAtMs = 0;
  #leastMs: number | null = null;
  #wasReached = false;
  #share = 1;
  #came = 0;
  #entered = 0;
  #refused = 0;
  #enteredPerS = 0;
  #refusedPerS = 0;
  /** About how many were refused and have not come again yet. */
  #away = 0;

  constructor(mostWaiting: number, onEntered: () => void, onRefused: (why: NewcomerRefusal) => void) {
    this.#mostWaiting = mostWaiting;
    this.#onEntered = onEntered;
    this.#onRefused = onRefused;
  }

  /** Whether nobody is here, and nothing follows any more from those who were. */
  get isCalm(): boolean {
    const isEmpty = this.#line.size === 0 && this.#underWay.size === 0 && this.#came === 0;
    return isEmpty && this.#share === 1 && this.#enteredPerS + this.#refusedPerS + this.#away < calmBelow;
  }

  get limit(): number {
    return this.#limit.value;
  }

  get underWay(): number {
    return this.#underWay.size;
  }

  get waiting(): number {
    return this.#line.size;
  }

  /** About how many come in, and how many are refused, in a second. */
  get rates(): { enteredPerS: number; refusedPerS: number } {
    return { enteredPerS: this.#enteredPerS, refusedPerS: this.#refusedPerS };
  }

  /**
   * The share of newcomers that others who lead people here are to let through: in an overload as many as it takes for twice as
   * many to come as are let in, so that there is somebody new for each place.
   */
  get share(): number {
    return this.#share;
  }

  /**
   * Whoever is refused is to come again within so many seconds: so many that about three times as many come again in a second as are
   * let in. To refuse somebody costs less than to let them in, but when all come again every few seconds it takes what those who come
   * in need.
   */
  get withinS(): number {
    const turns = ((2 / againFor) * this.#away) / Math.max(1, this.#enteredPerS);
    return Math.round(Math.min(mostSpreadS, Math.max(leastSpreadS, turns)));
  }

  /** Somebody comes, who may be let in at once. */
  ask(applicant: Applicant, nowMs: number): void {
    const entry = new Entry(applicant, nowMs);
    this.#came += 1;
    applicant.came(entry);
    if (this.#line.size === 0) this.#emptyAtMs = nowMs;
    this.#line.add(entry);
    this.#letIn(nowMs);
    if (this.#line.size > this.#mostWaiting) this.#refuse(this.#line.takeOfLargest()!, 'crowded');
  }

  /** Somebody's signing in took so long, without what the client took. */
  served(latencyMs: number): void {
    this.#leastMs = Math.min(latencyMs, this.#leastMs ?? Number.POSITIVE_INFINITY);
  }

  /** Somebody is signed in or gone; may be called again. */
  leave(entry: Entry, nowMs: number): void {
    if (this.#line.remove(entry)) {
      this.#refused += 1;
      this.#onRefused('left');
    } else if (!this.#underWay.delete(entry)) return;
    this.#letIn(nowMs);
  }

  /** Somebody was refused who came here for another process. */
  refusedElsewhere(): void {
    this.#refused += 1;
    this.#onRefused('busy_worker');
  }

  /** Everybody who waits is refused. */
  refuseAll(): void {
    for (const entry of this.#line.takeSince(Number.POSITIVE_INFINITY)) this.#refuse(entry, 'waited');
  }

  /** Looks at how things are; `loopDelayMs`: how late this is called. */
  look(loopDelayMs: number, nowMs: number): void {
    for (const entry of this.#underWay) {
      if (nowMs - entry.enteredAtMs < underWayMs) break;
      this.#underWay.delete(entry);
    }
    this.#limit.look({ leastMs: this.#leastMs, loopDelayMs, wasReached: this.#wasReached });
    this.#leastMs = null;
    this.#wasReached = false;
    // First: where looks come late, people for whom there is a place may have waited longer than anybody is to.
    this.#letIn(nowMs);
    for (const late of this.#line.takeSince(nowMs - this.#boundMs(nowMs))) this.#refuse(late, 'waited');
    if (this.#line.size === 0) this.#emptyAtMs = nowMs;
    const wanted = plenty * Math.max(1, this.#entered);
    const change = this.#isOverloaded(nowMs) ? wanted / Math.max(1, this.#came) : steepestChange;
    const next = this.#share * Math.min(steepestChange, Math.max(1 / steepestChange, change));
    this.#share = Math.min(1, Math.max(leastShare, next));
    this.#came = 0;
    this.#enteredPerS += weight * (this.#entered * looksPerS - this.#enteredPerS);
    this.#refusedPerS += weight * (this.#refused * looksPerS - this.#refusedPerS);
    this.#away += this.#refused - (2 * this.#away) / (this.withinS * looksPerS);
    this.#entered = 0;
    this.#refused = 0;
  }

  #isOverloaded(nowMs: number): boolean {
    return nowMs - this.#emptyAtMs > patientForMs;
  }

  #boundMs(nowMs: number): number {
    return this.#isOverloaded(nowMs) ? hurriedMs : patientForMs;
  }

  #letIn(nowMs: number): void {
    const end = this.#isOverloaded(nowMs) ? 'newest' : 'oldest';
    while (this.#line.size > 0 && this.#underWay.size < this.#limit.value) {
      const entry = this.#line.take(end)!;
      entry.enteredAtMs = nowMs;
      this.#underWay.add(entry);
      this.#entered += 1;
      this.#onEntered();
      entry.applicant.enter();
    }
    if (this.#line.size > 0) this.#wasReached = true;
    else this.#emptyAtMs = nowMs;
  }

  #refuse(entry: Entry, why: NewcomerRefusal): void {
    this.#refused += 1;
    this.#onRefused(why);
    entry.applicant.refuse(this.withinS);
  }
}
