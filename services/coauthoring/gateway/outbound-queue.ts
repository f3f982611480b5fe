import type { Traffic } from '../../../platform/metrics/transport.ts';
import { Frame, longCharacters } from '../../../platform/ports/peer.ts';
import type { Transport } from './transport.ts';

/** With so much waiting for a peer, it is sent nothing that it can do without, bytes. */
const mostBeforeOffers = 131_072;

/** Whose queue it is. */
interface Sender {
  readonly hasEnded: boolean;
  /** Resolves when a long piece of work of theirs has its turn. */
  turn(): Promise<void>;
  interrupt(reason: string, cause?: unknown): void;
}

interface OutboundLimits {
  /** A peer that lets more than this pile up is closed so that it reconnects. */
  readonly outboundQueueBytes: number;
  /** Where it is counted what goes over the connection. */
  readonly traffic: Traffic;
}

/**
 * What one client is sent: at once, or one after the other at its pace, with what comes behind that. What piles up is bounded (I9): who
 * is too slow is interrupted.
 */
export class OutboundQueue {
  readonly #transport: Transport;
  readonly #limits: OutboundLimits;
  readonly #sender: Sender;
  #drainCallbacks: (() => void)[] = [];
  /** What goes after that which is being sent paced; null: nothing is. */
  #behind: (Frame | AsyncIterable<Frame>)[] | null = null;
  #behindBytes = 0;
  /** What the queue may hold beyond its limit, until it is empty: a message that was larger than that. */
  #extraBytes = 0;

  constructor(transport: Transport, limits: OutboundLimits, sender: Sender) {
    this.#transport = transport;
    this.#limits = limits;
    this.#sender = sender;
  }

  send(frame: Frame): void {
    if (this.#sender.hasEnded) return;
    if (this.#behind === null) {
      this.#write(frame);
      return;
    }
    this.#behind.push(frame);
    this.#behindBytes += frame.characters;
    if (this.#behindBytes > this.#limits.outboundQueueBytes) this.#endSlow();
  }

  async prepare(frame: Frame): Promise<void> {
    if (this.#sender.hasEnded || frame.characters <= longCharacters) return;
    await this.#transport.prepare(frame, () => this.#sender.turn());
  }

  /** What piles up ends the connection: never one message alone, however large, that found the queue almost empty. */
  #write(frame: Frame): void {
    const { traffic, outboundQueueBytes } = this.#limits;
    const waitingBytes = this.#transport.queuedBytes();
    this.#transport.write(frame);
    traffic.sentBytes += frame.characters;
    const queuedBytes = this.#transport.queuedBytes();
    if (queuedBytes > traffic.highWaterBytes) traffic.highWaterBytes = queuedBytes;
    if (queuedBytes <= outboundQueueBytes + this.#extraBytes) return;
    if (waitingBytes > outboundQueueBytes / 2) {
      this.#endSlow();
      return;
    }
    this.#extraBytes = queuedBytes;
    this.whenDrained(() => {
      this.#extraBytes = 0;
    });
  }

  #endSlow(): void {
    this.#limits.traffic.slowPeers += 1;
    this.#sender.interrupt('too slow: the outbound queue is full');
  }

  sendPaced(frames: AsyncIterable<Frame>): void {
    if (this.#sender.hasEnded) return;
    if (this.#behind) this.#behind.push(frames);
    else void this.#pace(frames);
  }

  async #pace(frames: AsyncIterable<Frame>): Promise<void> {
    this.#behind = [];
    try {
      for await (const frame of frames) {
        await new Promise<void>((resolve) => this.whenDrained(resolve));
        await this.prepare(frame);
        if (this.#sender.hasEnded) return;
        this.#write(frame);
      }
    } catch (error) {
      this.#sender.interrupt('changes could not be read', error);
    }
    const behind = this.#behind;
    this.#behind = null;
    this.#behindBytes = 0;
    for (const one of behind) {
      if (one instanceof Frame) this.send(one);
      else this.sendPaced(one);
    }
  }

  hasRoom(frame: Frame): boolean {
    const waitingBytes = this.#behindBytes + this.#transport.queuedBytes();
    return (
      this.#sender.hasEnded ||
      waitingBytes === 0 ||
      waitingBytes + frame.bytes <= this.#limits.outboundQueueBytes
    );
  }

  offer(frame: Frame): void {
    if (this.#behind || this.#transport.queuedBytes() > mostBeforeOffers) return;
    this.send(frame);
  }

  whenDrained(callback: () => void): void {
    if (this.#sender.hasEnded) {
      callback();
      return;
    }
    this.#drainCallbacks.push(callback);
    if (this.#drainCallbacks.length === 1) this.#transport.whenDrained(() => this.drained());
  }

  /** Nothing waits any more: it was sent, or the connection has ended. */
  drained(): void {
    const callbacks = this.#drainCallbacks;
    this.#drainCallbacks = [];
    for (const callback of callbacks) callback();
  }
}
