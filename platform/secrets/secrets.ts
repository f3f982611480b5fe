import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { type Config, ConfigError } from '../config.ts';
import { fileOfSecrets, recordOfSecrets, type SecretPlace, type SecretRecords } from './secret-place.ts';

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

/** Name of the record in which the database has them. */
export const secretsRecord = 'tokens';

type SecretSettings =
  | 'jwtSecret'
  | 'jwtSecretInbox'
  | 'jwtSecretOutbox'
  | 'jwtSecretPrevious'
  | 'jwtSessionSecret'
  | 'secureLinkSecret';

/**
 * Takes the secrets from the configuration, and those it does not give from `records` of the database, which has taken
 * over what was in `secrets.json` of the data directory. Without records it is that file, with mode 0600. They are made
 * at the first start. Any number of processes may do this at once: the first one wins.
 *
 * @throws ConfigError when what is kept is damaged: new secrets would silently end every session and link, so
 * that is left to a person
 */
export async function loadSecrets(
  config: Pick<Config, 'dataDir' | SecretSettings>,
  records: SecretRecords | null = null,
): Promise<Secrets> {
  const inbox = config.jwtSecretInbox ?? config.jwtSecret;
  const outbox = config.jwtSecretOutbox ?? config.jwtSecret;
  const { jwtSessionSecret: session, secureLinkSecret: link, jwtSecretPrevious: previousInbox } = config;
  if (inbox !== undefined && outbox !== undefined && session !== undefined && link !== undefined) {
    return { inbox, previousInbox, outbox, session, link };
  }
  const file = path.join(config.dataDir, 'secrets.json');
  const stored = await readOrCreate(
    records ? recordOfSecrets(records, secretsRecord, file) : fileOfSecrets(file),
  );
  return {
    inbox: inbox ?? stored.jwt,
    previousInbox,
    outbox: outbox ?? stored.jwt,
    session: session ?? stored.session,
    link: link ?? stored.link,
  };
}

async function readOrCreate(place: SecretPlace): Promise<StoredSecrets> {
  const content = await place.keep(async () => {
    const secrets: StoredSecrets = { jwt: generate(), session: generate(), link: generate() };
    return `${JSON.stringify(secrets, null, 2)}\n`;
  });
  try {
    return fileSchema.parse(JSON.parse(content));
  } catch {
    throw new ConfigError([
      `The generated secrets in ${place.name} are damaged: restore them, or delete them to have new secrets generated ` +
        '(sessions, file links and integrators that use the old ones then stop working)',
    ]);
  }
}

function generate(): string {
  return randomBytes(32).toString('base64url');
}
