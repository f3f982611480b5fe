import {
  type Answers,
  answerDeadlineMs,
  type Cluster,
  type NodeDesk,
  type QuestionName,
  type Questions,
} from '../ports/cluster.ts';

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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, deadlineMs, 'late');
    });
    const work = desk[name](asked).then(
      (answer) => ({ nodeId, answer }),
      (error: unknown) => {
        this.#onError(error, name);
        return 'late' as const;
      },
    );
    const answered = await Promise.race([work, late]);
    clearTimeout(timer);
    return answered === 'late'
      ? { answers: [], silent: [...silent, nodeId] }
      : { answers: [answered], silent };
  }
}
