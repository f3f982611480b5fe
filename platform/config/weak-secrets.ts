import type { Config } from './settings.ts';
import { isTrial } from './trial.ts';

/** RFC 7518 3.2: a key of HS256 has at least 256 bits. */
export const strongBytes = 32;
/** Shorter secrets can be guessed by trying, with one token at hand. */
const leastBytes = 16;

/** Words of which examples, documentation and people make secrets; longer words before their beginnings. */
const words = [
  ...[
    'passwords',
    'password',
    'passw0rd',
    'passphrase',
    'secrets',
    'secret',
    'sekret',
    's3cr3t',
    'token',
    'tokens',
  ],
  ...[
    'verysecret',
    'very',
    'super',
    'top',
    'strong',
    'shared',
    'default',
    'example',
    'sample',
    'demo',
    'dummy',
    'foo',
    'bar',
  ],
  ...[
    'jwt',
    'hs',
    'hmac',
    'sha',
    'key',
    'string',
    'value',
    'phrase',
    'random',
    'characters',
    'character',
    'chars',
    'generated',
    'bits',
    'bit',
    'bytes',
    'byte',
  ],
  ...[
    'change',
    'changeit',
    'replace',
    'enter',
    'insert',
    'put',
    'use',
    'this',
    'that',
    'these',
    'the',
    'a',
    'an',
    'is',
    'be',
  ],
  ...[
    'me',
    'my',
    'your',
    'our',
    'own',
    'here',
    'please',
    'now',
    'later',
    'with',
    'to',
    'for',
    'of',
    'in',
    'and',
    'or',
    'not',
  ],
  ...[
    'at',
    'least',
    'long',
    'some',
    'something',
    'must',
    'production',
    'development',
    'dev',
    'local',
    'localhost',
    'integration',
  ],
  ...[
    'admin',
    'root',
    'user',
    'guest',
    'test',
    'testing',
    'quire',
    'onlyoffice',
    'office',
    'docs',
    'document',
    'documents',
  ],
  ...[
    'server',
    'service',
    'wopi',
    'nextcloud',
    'owncloud',
    'qwerty',
    'qwertz',
    'asdf',
    'abcdefgh',
    'abcdef',
    'abcd',
    'abc',
    'xxx',
  ],
];
const guessable = new RegExp(`^(?:${words.join('|')})*$`);

/** Whether a secret is nothing but digits, or words of examples with some digits: those are tried first. */
export function isGuessable(secret: string): boolean {
  const normal = secret.toLowerCase().replace(/[^a-z0-9]/g, '');
  const letters = normal.replace(/\d/g, '');
  // In what is made by chance, single letters between digits or signs are no words.
  const isPlain = 2 * normal.length >= secret.length && 2 * letters.length >= normal.length;
  return /^\d+$/.test(normal) || (isPlain && guessable.test(letters)) || new Set(secret).size < 4;
}

const checked = [
  ['jwtSecret', 'JWT_SECRET'],
  ['jwtSecretInbox', 'JWT_SECRET_INBOX'],
  ['jwtSecretOutbox', 'JWT_SECRET_OUTBOX'],
  ['jwtSecretPrevious', 'JWT_SECRET_PREVIOUS'],
  ['jwtSessionSecret', 'JWT_SESSION_SECRET'],
  ['secureLinkSecret', 'SECURE_LINK_SECRET'],
] as const satisfies readonly (readonly [keyof Config, string])[];

/**
 * Secrets with which a server that is set up does not start, a sentence each, without the secret: whoever guesses one signs
 * what is to be opened, and what is to be fetched.
 */
export function weakSecrets(config: Config): string[] {
  if (isTrial(config)) return [];
  const remedy = 'take 32 random bytes (openssl rand -base64 32), and give the same to the integrator';
  return checked.flatMap(([name, env]) => {
    const secret = config[name];
    if (secret === undefined) return [];
    if (isGuessable(secret)) return [`${env} is made of words that are tried first: ${remedy}`];
    const bytes = Buffer.byteLength(secret);
    return bytes < leastBytes ? [`${env} has ${bytes} bytes and can be guessed: ${remedy}`] : [];
  });
}
