import type { IncomingMessage } from 'node:http';
import { LoopActivity } from '../../../platform/loop-activity.ts';
import type { AdmissionMetrics } from '../../../platform/metrics/admission.ts';
import { AdmissionControl, type Applicant, type Entry } from './admission-control.ts';

/** How often the admission looks at how things are, milliseconds; and where nobody comes and the process has nothing to do. */
const lookEveryMs = 100;
const idleLookEveryMs = 1_000;

/** Fewer than this are turned away now and then by any server, in a second. */
const fewPerS = 0.5;

/** From so many in a second on, those who come cost those who are in something, whether or not all are let in. */
const manyPerS = 30;

/** So many may wait: more than can be let in while anybody has patience. */
const mostWaiting = 2_000;

/** Our own client says so in the address of a connection that goes on with a session. It is believed: it is only an order in a line. */
const returning = /[?&]quireReturning=1(?:&|$)/;

/** The place of somebody who was let in and is not signed in yet. */
export interface Place {
  /** Signing in took so long, milliseconds, without what the client took. */
  served(latencyMs: number): void;
  /** Signed in or gone; may be called again. */
  leave(): void;
}

/** Of a connection that needs none. */
export const noPlace: Place = { served: () => undefined, leave: () => undefined };

/** What becomes of a handshake: one of the two is called once, perhaps at once, or none when the client goes before. */
export interface Knock {
  enter(place: Place): void;
  /** The client is to come again after so many seconds. */
  refuse(afterS: number): void;
}

/** The tenant and the network of somebody, as {@link Applicant} has them. */
type Whose = Pick<Applicant, 'tenant' | 'network'>;

/** Where connections begin: each handshake waits here until the admission lets it in. */
export class Door {
  readonly #admission: AdmissionControl;
  readonly #whoseOf: (request: IncomingMessage) => Whose;
  readonly #activity: Pick<LoopActivity, 'isBusy'>;
  #timer: NodeJS.Timeout | undefined;
  #everyMs = 0;
  readonly #onBusy: (busyness: { share: number; withinS: number }) => void;
  #lookedAtMs = 0;
  #wasBusy = false;

  /** `whoseOf`: whose people a handshake brings. `onBusy`: told at each look what others that lead people here are to know, while there is something. */
  constructor(
    whoseOf: (request: IncomingMessage) => Whose,
    metrics: Pick<AdmissionMetrics, 'admitted' | 'refused'>,
    onBusy: (busyness: { share: number; withinS: number }) => void = () => undefined,
    activity: Pick<LoopActivity, 'isBusy'> = new LoopActivity(),
  ) {
    this.#activity = activity;
    this.#onBusy = onBusy;
    this.#whoseOf = whoseOf;
    this.#admission = new AdmissionControl(
      mostWaiting,
      () => metrics.admitted(),
      (why) => metrics.refused(why),
    );
    this.#lookEach(lookEveryMs);
  }

  get state(): Pick<AdmissionControl, 'limit' | 'underWay' | 'waiting' | 'rates'> {
    return this.#admission;
  }

  /** Whether many come, or more than can be let in: somebody waits, or was turned away a moment ago. */
  get isCrowded(): boolean {
    const { enteredPerS, refusedPerS } = this.#admission.rates;
    return this.#admission.waiting > 0 || refusedPerS >= fewPerS || enteredPerS >= manyPerS;
  }

  knock(request: IncomingMessage, { enter, refuse }: Knock): void {
    this.#lookEach(lookEveryMs);
    const { socket, url = '' } = request;
    const admission = this.#admission;
    let entry: Entry | null = null;
    const leave = () => {
      socket.off('close', leave);
      if (entry) admission.leave(entry, performance.now());
      entry = null;
    };
    const place: Place = { served: (latencyMs) => admission.served(latencyMs), leave };
    socket.once('close', leave);
    admission.ask(
      {
        ...this.#whoseOf(request),
        isReturning: returning.test(url),
        came: (its) => {
          entry = its;
        },
        enter: () => enter(place),
        refuse: (withinS) => {
          socket.off('close', leave);
          entry = null;
          refuse(1 + Math.floor(Math.random() * withinS));
        },
      },
      performance.now(),
    );
  }

  /** A newcomer who came here for another process was turned away. */
  turnedAway(): void {
    this.#lookEach(lookEveryMs);
    this.#admission.refusedElsewhere();
  }

  /** Nobody is kept waiting by a server that stops. */
  stop(): void {
    clearInterval(this.#timer);
    this.#admission.refuseAll();
  }

  #lookEach(everyMs: number): void {
    if (everyMs === this.#everyMs) return;
    clearInterval(this.#timer);
    this.#everyMs = everyMs;
    this.#lookedAtMs = performance.now();
    this.#timer = setInterval(() => this.#look(), everyMs);
    this.#timer.unref();
  }

  #look(): void {
    const nowMs = performance.now();
    const loopDelayMs = nowMs - this.#lookedAtMs - this.#everyMs;
    this.#lookedAtMs = nowMs;
    this.#admission.look(loopDelayMs, nowMs);
    const { share, withinS } = this.#admission;
    if (share < 1 || this.#wasBusy) this.#onBusy({ share, withinS });
    this.#wasBusy = share < 1;
    const isIdle = !this.#activity.isBusy() && this.#admission.isCalm;
    this.#lookEach(isIdle ? idleLookEveryMs : lookEveryMs);
  }
}
