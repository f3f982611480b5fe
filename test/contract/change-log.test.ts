import { PostgresChangeLog } from '../../db/change-log.ts';
import { GroupCommit } from '../../db/group-commit.ts';
import { MemoryChangeLog } from '../support/memory-change-log.ts';
import { openTestDatabase } from '../support/postgres.ts';
import { describeChangeLog } from './change-log.ts';

describeChangeLog('memory', async () => {
  const log = new MemoryChangeLog();
  return { log, create: async (key, state) => log.setState(key, state), close: async () => undefined };
});

describeChangeLog('PostgreSQL', async () => {
  const database = await openTestDatabase();
  return {
    log: new PostgresChangeLog(database.pool, new GroupCommit(database.pool, 1)),
    create: async (key, state) => {
      await database.pool.query(
        `INSERT INTO documents (key, state, file_type, title, base_url) VALUES ($1, $2, 'docx', '', '')`,
        [key, state],
      );
    },
    close: () => database.close(),
  };
});
