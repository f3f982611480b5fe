import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError } from './config.ts';
import { keepSecretFile } from './secret-file.ts';

/** The secrets a server signs with and checks by. None of them may appear in a log. */
export interface Secrets {
  /** Shared with integrators, who sign configs and requests with it. */
  inbox: string;
  /** What they may have signed with before, while it is being replaced. */
  previousInbox: string | undefined;
  /** Shared with integrators: tokens of this server's callbacks and downloads. */
  outbox: string;
  /** Tokens given to editors for reconnecting and uploads. */
  session: string;
  /** Signatures of file links. */
  link: string;
}

/** What is generated: `jwt` is for both directions. */
const fileSchema = z.strictObject({
  jwt: z.string().min(32),
  session: z.string().min(32),
  link: z.string().min(32),
});
type StoredSecrets = z.infer<typeof fileSchema>;

type SecretSettings =
  | 'jwtSecret'
  | 'jwtSecretInbox'
  | 'jwtSecretOutbox'
  | 'jwtSecretPrevious'
  | 'jwtSessionSecret'
  | 'secureLinkSecret';

/**
 * Takes the secrets from the configuration, and those it does not give from `secrets.json` in the data
 * directory, which is written at the first start with mode 0600. Any number of processes may do this at once:
 * the file appears complete and the first one wins.
 *
 * @throws ConfigError when the file is damaged: new secrets would silently end every session and link, so
 * that is left to a person
 */
export async function loadSecrets(config: Pick<Config, 'dataDir' | SecretSettings>): Promise<Secrets> {
  const inbox = config.jwtSecretInbox ?? config.jwtSecret;
  const outbox = config.jwtSecretOutbox ?? config.jwtSecret;
  const { jwtSessionSecret: session, secureLinkSecret: link, jwtSecretPrevious: previousInbox } = config;
  if (inbox !== undefined && outbox !== undefined && session !== undefined && link !== undefined) {
    return { inbox, previousInbox, outbox, session, link };
  }
  const stored = await readOrCreate(path.join(config.dataDir, 'secrets.json'));
  return {
    inbox: inbox ?? stored.jwt,
    previousInbox,
    outbox: outbox ?? stored.jwt,
    session: session ?? stored.session,
    link: link ?? stored.link,
  };
}

async function readOrCreate(file: string): Promise<StoredSecrets> {
  const content = await keepSecretFile(file, async () => {
    const secrets: StoredSecrets = { jwt: generate(), session: generate(), link: generate() };
    return `${JSON.stringify(secrets, null, 2)}\n`;
  });
  try {
    return fileSchema.parse(JSON.parse(content));
  } catch {
    throw new ConfigError([
      `DATA_DIR holds a damaged ${file}: restore it, or delete it to have new secrets generated ` +
        '(sessions, file links and integrators that use the old ones then stop working)',
    ]);
  }
}

function generate(): string {
  return randomBytes(32).toString('base64url');
}
