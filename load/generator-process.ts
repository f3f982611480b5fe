import { LoadGenerator } from './generator.ts';
import type { Order, Report } from './messages.ts';

/** Runs in a process of its own and does what the run orders, until that lets go of it. */
export function runGenerator(): void {
  let generator: LoadGenerator | null = null;
  const tell = (report: Report) => {
    if (process.connected) process.send!(report);
  };
  const obey = async (order: Order): Promise<void> => {
    switch (order.type) {
      case 'setup':
        generator = await LoadGenerator.start(order.setup);
        return tell({ type: 'ready' });
      case 'phase':
        return generator!.beginPhase(order.phase, order.startAtMs, order.from, order.rush);
      case 'report': {
        const { user, system } = process.cpuUsage();
        const memoryBytes = process.memoryUsage.rss();
        return tell({ type: 'readings', ...generator!.take(), cpuS: (user + system) / 1e6, memoryBytes });
      }
      case 'finish':
        return tell({ type: 'finished', compared: await generator!.finish(order.withinMs) });
      case 'hurry':
        return generator!.hurry();
      default:
        throw new TypeError(`No order is called ${order satisfies never}`);
    }
  };
  process.on('message', (order: Order) => {
    obey(order).catch((error: Error) => tell({ type: 'broken', message: error.stack ?? error.message }));
  });
  // Ctrl-C reaches all processes of a terminal, and who ends a group of processes ends this one too: the run says what becomes of it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit());
}
