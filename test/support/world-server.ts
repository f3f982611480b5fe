import { openTestDatabase, type TestDatabase } from './postgres.ts';
import { QuireProcess } from './quire-process.ts';
import type { SharedServer } from './shared-server.ts';

/** The key of tokens of every server of end-to-end tests. */
export const worldSecret = 'an end-to-end secret that is long enough for HS256';

/** What test files are told of a server of end-to-end tests. */
export interface WorldTold {
  address: string;
  databaseUrl: string;
}

/** Starts a server with tokens on and a converter, on a database of its own. `settings`: beside those of every such server. */
export async function startWorldServer(
  settings: Readonly<Record<string, string>>,
): Promise<{ quire: QuireProcess; database: TestDatabase }> {
  const database = await openTestDatabase();
  try {
    const quire = await QuireProcess.start({
      DATABASE_URL: database.url,
      JWT_SECRET: worldSecret,
      CLOSING_GRACE_MS: '200',
      ...settings,
    });
    return { quire, database };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Starts such a server with nothing set, for several test files. */
export async function startWorld(): Promise<SharedServer<WorldTold>> {
  const { quire, database } = await startWorldServer({});
  return {
    told: { address: quire.address, databaseUrl: database.url },
    isRunning: () => quire.isRunning,
    stop: async () => {
      await quire.remove();
      await database.close();
    },
  };
}
