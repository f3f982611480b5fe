/** Name of the environment variable that tells the workers of vitest where this run's servers can be asked for. */
export const serversVariable = 'QUIRE_TEST_SERVERS';

/** A server that test files share, as the set-up of the run keeps it (`shared-servers.ts`). */
export interface SharedServer<Told = unknown> {
  /** What files are told of it, as JSON. */
  readonly told: Told;
  isRunning(): boolean;
  /** Stops it, if it runs, and removes its data. */
  stop(): Promise<void>;
}

/** What is told of a server that all files share. */
export async function serverOfRun<Told>(kind: string): Promise<Told> {
  const door = process.env[serversVariable];
  if (!door) {
    throw new Error(
      'No shared servers: the configuration has to name test/support/shared-servers.ts as globalSetup.',
    );
  }
  const response = await fetch(`${door}/${kind}`);
  const body = await response.text();
  if (!response.ok) throw new Error(`The server ${kind} did not start: ${body}`);
  return JSON.parse(body);
}

/** What is told of a server that the files of one worker share: never two of them at once. */
export function serverOfWorker<Told>(kind: string): Promise<Told> {
  return serverOfRun(`${kind}/${process.env.VITEST_POOL_ID}`);
}
