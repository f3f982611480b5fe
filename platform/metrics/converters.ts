import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type Registry } from 'prom-client';

const askMessage = 'figures?';
/** A process that is busy says its figures next time. */
const patienceMs = 1_000;

type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

interface Answer {
  figures: Figures;
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && Array.isArray((message as Answer).figures);

/** In a process that a server started: tells it the figures when it asks. */
export function answerWithFigures(registry: Registry): void {
  process.on('message', (message) => {
    if (message !== askMessage) return;
    registry
      .getMetricsAsJSON()
      .then((figures) => process.send?.({ figures }))
      .catch(() => undefined);
  });
}

/** The figures of several processes of one kind added up, as Prometheus reads them; empty when there are none. */
export async function figuresOf(children: readonly ChildProcess[]): Promise<string> {
  const answers = await Promise.all(children.map(ask));
  const figures = answers.filter((one) => one !== null);
  return figures.length === 0 ? '' : AggregatorRegistry.aggregate(figures).metrics();
}

function ask(child: ChildProcess): Promise<Figures | null> {
  if (!child.connected) return Promise.resolve(null);
  return new Promise((resolve) => {
    const end = (figures: Figures | null) => {
      clearTimeout(timer);
      child.off('message', listen);
      child.off('exit', gone);
      resolve(figures);
    };
    const listen = (message: unknown) => {
      if (isAnswer(message)) end(message.figures);
    };
    const gone = () => end(null);
    const timer = setTimeout(gone, patienceMs);
    child.on('message', listen);
    child.once('exit', gone);
    child.send(askMessage, (error) => {
      if (error) end(null);
    });
  });
}
