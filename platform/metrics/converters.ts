import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type Registry } from 'prom-client';

const askMessage = 'metrics?';
/** A process that is busy answers next time. */
const patienceMs = 1_000;

type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

interface Answer {
  metrics: ProcessMetrics;
}

const isAnswer = (message: unknown): message is Answer =>
  typeof message === 'object' && message !== null && Array.isArray((message as Answer).metrics);

/** In a process that a server started: answers with its metrics when the server asks. */
export function answerWithMetrics(registry: Registry): void {
  process.on('message', (message) => {
    if (message !== askMessage) return;
    registry
      .getMetricsAsJSON()
      .then((metrics) => process.send?.({ metrics }))
      .catch(() => undefined);
  });
}

/** The metrics of several processes of one kind added up, as Prometheus reads them; empty when there are none. */
export async function metricsOf(children: readonly ChildProcess[]): Promise<string> {
  const answers = await Promise.all(children.map(ask));
  const metrics = answers.filter((one) => one !== null);
  return metrics.length === 0 ? '' : AggregatorRegistry.aggregate(metrics).metrics();
}

function ask(child: ChildProcess): Promise<ProcessMetrics | null> {
  if (!child.connected) return Promise.resolve(null);
  return new Promise((resolve) => {
    const end = (metrics: ProcessMetrics | null) => {
      clearTimeout(timer);
      child.off('message', listen);
      child.off('exit', gone);
      resolve(metrics);
    };
    const listen = (message: unknown) => {
      if (isAnswer(message)) end(message.metrics);
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
