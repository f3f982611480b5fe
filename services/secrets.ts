import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError } from './config.ts';

/** The three secrets a server signs with. None of them may appear in a log. */
export interface Secrets {
  /** Shared with integrators: tokens of requests in both directions. */
  jwt: string;
  /** Tokens given to editors for reconnecting and uploads. */
  session: string;
  /** Signatures of file links. */
  link: string;
}

const fileSchema = z.strictObject({
  jwt: z.string().min(32),
  session: z.string().min(32),
  link: z.string().min(32),
});

/**
 * Takes the secrets from the configuration, and those it does not give from `secrets.json` in the data
 * directory, which is written at the first start with mode 0600. Any number of processes may do this at once:
 * the file appears complete and the first one wins.
 *
 * @throws ConfigError when the file is damaged: new secrets would silently end every session and link, so
 * that is left to a person
 */
export async function loadSecrets(
  config: Pick<Config, 'dataDir' | 'jwtSecret' | 'jwtSessionSecret' | 'secureLinkSecret'>,
): Promise<Secrets> {
  const { jwtSecret: jwt, jwtSessionSecret: session, secureLinkSecret: link } = config;
  if (jwt !== undefined && session !== undefined && link !== undefined) return { jwt, session, link };
  const stored = await readOrCreate(path.join(config.dataDir, 'secrets.json'));
  return { jwt: jwt ?? stored.jwt, session: session ?? stored.session, link: link ?? stored.link };
}

async function readOrCreate(file: string): Promise<Secrets> {
  const found = await readSecrets(file);
  if (found) return found;
  await create(file);
  const created = await readSecrets(file);
  if (!created)
    throw new ConfigError([`DATA_DIR does not keep files: ${file} vanished after it was written`]);
  return created;
}

async function readSecrets(file: string): Promise<Secrets | undefined> {
  let content: string;
  try {
    content = await readFile(file, 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw err;
  }
  try {
    return fileSchema.parse(JSON.parse(content));
  } catch {
    throw new ConfigError([
      `DATA_DIR holds a damaged ${file}: restore it, or delete it to have new secrets generated ` +
        '(sessions, file links and integrators that use the old ones then stop working)',
    ]);
  }
}

/**
 * Writes the file under another name and links it into place: linking fails when the name is taken, so of
 * two processes one wins, and nobody ever sees half a file.
 */
async function create(file: string): Promise<void> {
  const directory = path.dirname(file);
  await mkdir(directory, { recursive: true });
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  const secrets: Secrets = { jwt: generate(), session: generate(), link: generate() };
  try {
    await writeDurably(temporary, `${JSON.stringify(secrets, null, 2)}\n`);
    await link(temporary, file);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
  } finally {
    await rm(temporary, { force: true });
  }
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

async function writeDurably(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function generate(): string {
  return randomBytes(32).toString('base64url');
}
