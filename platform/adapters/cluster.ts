import { randomUUID } from 'node:crypto';
import {
  type Answers,
  answerDeadlineMs,
  type Cluster,
  type NodeDesk,
  type QuestionName,
  type Questions,
} from '../ports/cluster.ts';
import type { DocumentBus, NodeLeases } from '../ports/coordination.ts';
import { late, within } from '../within.ts';

/** The cluster of a node that is alone. */
export class LocalCluster implements Cluster {
  readonly nodeId: string;
  readonly #onError: (error: unknown, question: string) => void;
  #desk: NodeDesk | null = null;

  /** `onError` hears of questions that could not be answered. */
  constructor(nodeId: string, onError: (error: unknown, question: string) => void) {
    this.nodeId = nodeId;
    this.#onError = onError;
  }

  open(desk: NodeDesk): void {
    this.#desk = desk;
  }

  async nodes(): Promise<readonly string[]> {
    return [this.nodeId];
  }

  async ask<Name extends QuestionName>(
    name: Name,
    asked: Questions[Name]['asked'],
    { nodeIds = [this.nodeId], deadlineMs = answerDeadlineMs } = {},
  ): Promise<Answers<Questions[Name]['answer']>> {
    const { nodeId } = this;
    const silent = nodeIds.filter((id) => id !== nodeId);
    if (!nodeIds.includes(nodeId)) return { answers: [], silent };
    const desk = this.#desk;
    if (!desk) return { answers: [], silent: [...silent, nodeId] };
    const work = desk[name](asked).then(
      (answer) => ({ nodeId, answer }),
      (error: unknown) => {
        this.#onError(error, name);
        return null;
      },
    );
    const answered = await within(deadlineMs, work);
    return answered === late || answered === null
      ? { answers: [], silent: [...silent, nodeId] }
      : { answers: [answered], silent };
  }
}

/** Each node listens to a channel of its own. No document has such a key: there is a space in it. */
const channelOf = (nodeId: string): string => `node ${nodeId}`;

type Message =
  | { ask: string; name: QuestionName; asked: unknown }
  /** Without `answer`: it could not be answered. */
  | { reply: string; answer?: unknown };

/** A question that waits for its answers. */
interface Waiting {
  answered(nodeId: string, message: { answer?: unknown }): void;
}

/** The cluster of all nodes that share a bus. A node whose answer was lost counts as silent; it is asked again the next time. */
export class BusCluster implements Cluster {
  readonly nodeId: string;
  readonly #bus: DocumentBus;
  readonly #leases: NodeLeases;
  readonly #onError: (error: unknown, question: string) => void;
  readonly #waiting = new Map<string, Waiting>();
  #desk: NodeDesk | null = null;
  #endListening: () => void = () => undefined;

  private constructor(
    bus: DocumentBus,
    leases: NodeLeases,
    onError: (error: unknown, question: string) => void,
  ) {
    this.nodeId = leases.nodeId;
    this.#bus = bus;
    this.#leases = leases;
    this.#onError = onError;
  }

  /** `onError` hears of questions that this node could not answer. */
  static async listen(
    bus: DocumentBus,
    leases: NodeLeases,
    onError: (error: unknown, question: string) => void,
  ): Promise<BusCluster> {
    const cluster = new BusCluster(bus, leases, onError);
    cluster.#endListening = await bus.listen(channelOf(cluster.nodeId), {
      received: (nodeId, text) => cluster.#received(nodeId, text),
      interrupted: () => undefined,
    });
    return cluster;
  }

  open(desk: NodeDesk): void {
    this.#desk = desk;
  }

  close(): void {
    this.#endListening();
  }

  async nodes(): Promise<readonly string[]> {
    return [...(await this.#leases.living())].sort();
  }

  async ask<Name extends QuestionName>(
    name: Name,
    asked: Questions[Name]['asked'],
    to: { nodeIds?: readonly string[]; deadlineMs?: number } = {},
  ): Promise<Answers<Questions[Name]['answer']>> {
    const { nodeIds = await this.nodes(), deadlineMs = answerDeadlineMs } = to;
    const open = new Set(nodeIds);
    const answers: Answers<Questions[Name]['answer']>['answers'] = [];
    if (open.size === 0) return { answers, silent: [] };
    const id = randomUUID();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, deadlineMs);
      const failed = new Set<string>();
      this.#waiting.set(id, {
        answered: (nodeId, message) => {
          if (!open.has(nodeId) || failed.has(nodeId)) return;
          if ('answer' in message) {
            open.delete(nodeId);
            answers.push({ nodeId, answer: message.answer as Questions[Name]['answer'] });
          } else failed.add(nodeId);
          if (open.size > failed.size) return;
          clearTimeout(timer);
          resolve();
        },
      });
      for (const nodeId of nodeIds) this.#send(nodeId, { ask: id, name, asked });
    });
    this.#waiting.delete(id);
    return { answers, silent: [...open] };
  }

  #send(nodeId: string, message: Message): void {
    // A bus does not deliver to its own node.
    if (nodeId === this.nodeId) this.#take(nodeId, message);
    else this.#bus.publish(channelOf(nodeId), JSON.stringify(message));
  }

  #received(nodeId: string, text: string): void {
    try {
      this.#take(nodeId, JSON.parse(text) as Message);
    } catch (error) {
      this.#onError(error, 'unreadable');
    }
  }

  #take(from: string, message: Message): void {
    if ('reply' in message) {
      this.#waiting.get(message.reply)?.answered(from, message);
      return;
    }
    const { ask: id, name, asked } = message;
    this.#answer(name, asked).then(
      (answer) => this.#send(from, { reply: id, answer }),
      (error: unknown) => {
        this.#onError(error, name);
        this.#send(from, { reply: id });
      },
    );
  }

  async #answer(name: QuestionName, asked: unknown): Promise<unknown> {
    const desk = this.#desk as Record<string, ((asked: unknown) => Promise<unknown>) | undefined> | null;
    const answer = desk && Object.hasOwn(desk, name) ? desk[name] : undefined;
    // A newer node may ask what this one does not know yet.
    if (!answer) throw new Error('This node does not answer such questions');
    return answer(asked);
  }
}
