import type { ChildProcess } from 'node:child_process';
import { type Config, type Environment, hostOf, parentVariable } from '../../platform/config.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';

/** Left out, since a setting and its file may not both be set. */
const replaced = [
  'JWT_SECRET_INBOX_FILE',
  'JWT_SECRET_OUTBOX_FILE',
  'JWT_SESSION_SECRET_FILE',
  'SECURE_LINK_SECRET_FILE',
];

/**
 * The environment of processes that a server starts: its own, with its database, its data directory as an absolute path, and
 * its secrets, also those from files.
 */
export function environmentOfChildren(
  environment: Environment,
  config: Config,
  secrets: Secrets,
  databaseUrl: string,
): Environment {
  const kept = Object.entries(environment).filter(([name]) => !replaced.includes(name));
  return {
    ...Object.fromEntries(kept),
    [parentVariable]: String(process.pid),
    HOST: hostOf(config) ?? '',
    DATABASE_URL: databaseUrl,
    DATA_DIR: config.dataDir,
    JWT_SECRET_INBOX: secrets.inbox,
    JWT_SECRET_OUTBOX: secrets.outbox,
    JWT_SESSION_SECRET: secrets.session,
    SECURE_LINK_SECRET: secrets.link,
  };
}

const readyMessage = 'ready';

/** For a child process: reports to the process that started it that it takes work. */
export function reportReady(): void {
  if (process.connected) process.send?.(readyMessage, undefined, undefined, () => undefined);
}

/** Resolves when a process takes work, or, with false, has ended without. */
export function whenReady(child: ChildProcess): Promise<boolean> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (message === readyMessage) resolve(true);
    });
    child.once('close', () => resolve(false));
  });
}
