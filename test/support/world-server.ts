import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import type { SharedServer } from './shared-server.ts';

/** The key of tokens of every server of end-to-end tests. */
export const worldSecret = 'a secret of tests that is long enough for every algorithm';

/** Of a server that others use too there is its address. */
export type ServerOfMany = Pick<QuireProcess, 'address'>;

/**
 * Pauses that tests sit through are short. Times in which people have to be back, or a node has to renew what it holds, are
 * long: a busy machine must not make other things happen than a quiet one.
 */
export const quickSettings = {
  CLOSING_GRACE_MS: '50',
  RECONNECT_GRACE_MS: '15000',
  CALLBACK_RETRY_PAUSE_MS: '200',
  LOG_LEVEL: 'info',
};

/** Of a server that demands no tokens. */
export const openSettings = { JWT_ENABLED: 'false', ALLOW_PRIVATE_IP_ADDRESS: 'true' };

/** What test files are told of a server of end-to-end tests. */
export interface WorldTold {
  address: string;
  databaseUrl: string;
}

/** Starts a server with tokens on and a converter, on a database of its own. `settings`: beside those of every such server. */
export function startWorldServer(
  settings: Readonly<Record<string, string>>,
): Promise<{ quire: QuireProcess; database: TestDatabase }> {
  return startServer({ JWT_SECRET: worldSecret, CLOSING_GRACE_MS: '200', ...settings });
}

async function startServer(
  settings: Readonly<Record<string, string>>,
): Promise<{ quire: QuireProcess; database: TestDatabase }> {
  const database = await openTestDatabase();
  try {
    const quire = await QuireProcess.start({ DATABASE_URL: database.url, ...settings });
    return { quire, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Starts a server that demands tokens, for several test files. */
export const startWorld = (): Promise<SharedServer<WorldTold>> =>
  startShared({ JWT_SECRET: worldSecret, ...quickSettings, CLOSING_GRACE_MS: '200' });

/** Starts a server that demands none, for several test files. */
export const startOpenWorld = (): Promise<SharedServer<WorldTold>> =>
  startShared({ ...openSettings, ...quickSettings });

async function startShared(settings: Readonly<Record<string, string>>): Promise<SharedServer<WorldTold>> {
  const { quire, database } = await startServer(settings);
  return {
    told: { address: quire.address, databaseUrl: database.url },
    isRunning: () => quire.isRunning,
    stop: async () => {
      await quire.remove();
      await database.close();
    },
  };
}
