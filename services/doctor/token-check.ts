import { access } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { SecretRecords } from '../../db/secret-records.ts';
import { inboxRules } from '../../platform/config/token-rules.ts';
import { isGuessable, strongBytes } from '../../platform/config/weak-secrets.ts';
import { type Config, ConfigError } from '../../platform/config.ts';
import { loadSecrets, type Secrets, secretsRecord } from '../../platform/secrets/secrets.ts';
import { Tokens } from '../../platform/secrets/tokens.ts';
import { ask } from './ask.ts';
import { type Finding, fail, networkFinding, ok, skip, warn } from './finding.ts';

const timeoutMs = 10_000;
const tokenLifeS = 60;
/** `error` of the command service (integration API, section 8). */
const [commandDone, commandTokenRefused] = [0, 6];

/**
 * The secrets of the settings, and those that were generated, from the database or the data directory; null before the first
 * start, which generates them.
 */
export async function secretsOf(config: Config): Promise<Secrets | null> {
  const { jwtSessionSecret, secureLinkSecret, jwtSecret, jwtSecretInbox, jwtSecretOutbox } = config;
  const isGiven =
    jwtSessionSecret !== undefined &&
    secureLinkSecret !== undefined &&
    (jwtSecretInbox ?? jwtSecret) !== undefined &&
    (jwtSecretOutbox ?? jwtSecret) !== undefined;
  if (isGiven) return loadSecrets(config);
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  const recorded = url === undefined ? null : await secretsIn(url, config);
  if (recorded) return recorded;
  const isThere = await access(path.join(config.dataDir, 'secrets.json')).then(
    () => true,
    () => false,
  );
  return isThere ? loadSecrets(config) : null;
}

/** The secrets in the database; null where it does not answer, or has none yet. */
async function secretsIn(databaseUrl: string, config: Config): Promise<Secrets | null> {
  const pool = new pg.Pool({
    ...{ connectionString: databaseUrl, max: 1, application_name: 'quire doctor' },
    ...{ connectionTimeoutMillis: timeoutMs, statement_timeout: timeoutMs },
  });
  pool.on('error', () => undefined);
  try {
    const { rowCount } = await pool.query('SELECT FROM secrets WHERE name = $1', [secretsRecord]);
    return rowCount ? await loadSecrets(config, new SecretRecords(pool)) : null;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return null;
  } finally {
    await pool.end();
  }
}

/** Whether the secrets are good, and the running server signs and checks with the same ones. */
export async function checkTokens(config: Config, base: string): Promise<Finding[]> {
  if (!config.jwtEnabled) {
    return [
      fail(
        'Tokens are off: everybody who reaches this server can read and change its documents',
        'Set JWT_ENABLED=true and JWT_SECRET.',
      ),
    ];
  }
  const secrets = await secretsOf(config);
  if (!secrets) return [skip('The secret is generated when the server is started for the first time')];
  return [...strengthFindings(secrets), ...(await agreement(config, secrets, base))];
}

function strengthFindings({ inbox, outbox }: Secrets): Finding[] {
  const remedy = 'Take 32 random bytes: `openssl rand -base64 32`, and give the same to the integrator.';
  for (const secret of new Set([inbox, outbox])) {
    if (isGuessable(secret)) return [fail('The secret is a word that is tried first', remedy)];
    if (Buffer.byteLength(secret) < strongBytes) {
      return [warn(`The secret has ${Buffer.byteLength(secret)} bytes and may be guessed`, remedy)];
    }
  }
  return [ok(`The secret has ${Buffer.byteLength(inbox)} bytes`)];
}

async function agreement(config: Config, secrets: Secrets, base: string): Promise<Finding[]> {
  if (!inboxRules(config).enabled) return [skip('JWT_ENABLED_INBOX is false: commands need no token')];
  const accepted = await commandWith(
    await new Tokens(secrets, config).signOpening({ c: 'version' }, tokenLifeS),
    base,
  );
  if (accepted instanceof Error) {
    return [skip(`The server was not asked: ${networkFinding(base, accepted, '').sentence}`)];
  }
  if (accepted === commandTokenRefused) {
    const remedy =
      'Give the server and this command the same JWT_SECRET and DATA_DIR; a server takes a new secret when it is started.';
    return [
      fail('The running server refuses a token that is signed with the secret of these settings', remedy),
    ];
  }
  if (accepted !== commandDone) {
    return [
      warn(`The command service answers with ${accepted ?? 'no JSON'}`, 'See the check of the own address.'),
    ];
  }
  const forged = new Tokens({ ...secrets, inbox: `not ${secrets.inbox}`, previousInbox: undefined }, config);
  const refused = await commandWith(await forged.signOpening({ c: 'version' }, tokenLifeS), base);
  if (refused !== commandTokenRefused) {
    return [fail('The running server takes a token of another secret', 'Start it with JWT_ENABLED=true.')];
  }
  return [ok('The running server takes tokens of this secret and refuses those of another')];
}

/** The number in the answer to a command; undefined when there is none. */
async function commandWith(token: string, base: string): Promise<number | undefined | Error> {
  const answer = await ask(`${base}/command`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    followsRedirects: true,
  });
  if (answer instanceof Error) return answer;
  try {
    const { error } = JSON.parse(answer.content.toString('utf8')) as { error?: number };
    return error;
  } catch {
    return undefined;
  }
}
