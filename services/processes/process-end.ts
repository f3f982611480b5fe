import type { Logger } from 'pino';

/** Time for an orderly stop; after that the process ends all the same, before Kubernetes kills it after 30 s, milliseconds. */
const stopDeadlineMs = 28_000;
const abandonDeadlineMs = 1_000;
/** Time for what is done after an error that nobody caught, milliseconds. */
const haltDeadlineMs = 2_000;

/** The exit code after an error that nobody caught: EX_SOFTWARE of sysexits(3). No other end has it. */
export const uncaughtExitCode = 70;

/** What a process that runs until it is stopped can be asked for. */
export interface Running {
  /** Ends in order: whatever takes long. */
  stop(): Promise<void>;
  /** Takes nothing new, and lets end what is being written: all that there is time for after an error that nobody caught. */
  halt(): Promise<unknown>;
}

/** The process that {@link endWhenUncaught} ends. */
interface Host {
  on(event: 'uncaughtException', listener: (error: unknown, origin: string) => void): unknown;
  exit(code: number): void;
}

/**
 * The last net: an error that nobody caught, or a rejection that nobody handled, is one line in the log, and the process ends
 * two seconds later at the latest, with a code of its own. What it knows may be wrong now: whoever started it starts another
 * one. A second error ends it at once.
 */
export function endWhenUncaught(log: Logger, halt: () => Promise<unknown>, host: Host = process): void {
  let isEnding = false;
  const end = () => host.exit(uncaughtExitCode);
  // Node has rejections that nobody handled come here, too.
  host.on('uncaughtException', (err, origin) => {
    if (isEnding) return end();
    isEnding = true;
    setTimeout(end, haltDeadlineMs);
    log.fatal(
      { code: 'uncaught', origin, pid: process.pid, err },
      'Nobody caught an error: this process ends',
    );
    (async () => halt())().then(end, end);
  });
}

/** Ends this process in order when a signal asks for it. `who`: its name in the log. What is returned does the same. */
export function stopWhenAsked(stop: () => Promise<void>, log: Logger, who: string): (why: object) => void {
  let isStopping = false;
  const end = (why: object) => {
    if (isStopping) return;
    isStopping = true;
    log.info(why, `${who} stops`);
    const timer = setTimeout(() => {
      log.error(`${who} did not stop in time`);
      process.exit(1);
    }, stopDeadlineMs);
    timer.unref();
    stop().then(
      () => {
        log.info(`${who} has stopped`);
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, `${who} did not stop cleanly`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end({ signal }));
  return end;
}

/** A server that a supervisor has started ends in order when that is gone, however it ended. */
export function stopWithSupervisor(stop: (why: object) => void): void {
  const why = { reason: 'its supervisor is gone' };
  if (!process.connected) {
    stop(why);
    return;
  }
  process.once('disconnect', () => stop(why));
  // The listener would keep a server alive that could not start.
  process.channel?.unref();
}

/** A worker that a server started ends with it, also when the server is killed: its jobs are given to the next one. */
export function endWithParent(abandon: () => Promise<void>): void {
  if (!process.send) return;
  if (!process.connected) process.exit(0);
  process.once('disconnect', () => {
    setTimeout(() => process.exit(0), abandonDeadlineMs);
    void abandon().finally(() => process.exit(0));
  });
}
