import { createHmac } from 'node:crypto';
import { textIn } from '../../client/protocol/plain-values.ts';
import { inboxRules } from '../../platform/config/token-rules.ts';
import type { Config } from '../../platform/config.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Claims } from '../../platform/secrets/tokens.ts';
import { type Finding, fail, ok, skip, warn } from './finding.ts';
import { secretsOf } from './token-check.ts';

/** What is wrong with a token of an integrator, as precisely as it can be said. */
export async function checkToken(token: string, config: Config): Promise<Finding[]> {
  const secrets = await secretsOf(config);
  const trimmed = token.trim();
  const { prefix } = inboxRules(config);
  if (prefix !== '' && trimmed.startsWith(prefix)) return checkToken(trimmed.slice(prefix.length), config);
  const parts = trimmed.split('.');
  const [header, claims] = parts.slice(0, 2).map(decoded);
  if (parts.length !== 3 || !header || !claims) {
    const remedy =
      'A token is three parts of base64url with dots between them, the first two of them JSON (RFC 7519).';
    return [fail('This is no token', remedy)];
  }
  if (!/^HS(256|384|512)$/.test(String(header.alg))) {
    return [fail(`It is signed with ${String(header.alg)}`, 'Sign with HS256, HS384 or HS512.')];
  }
  if (!secrets) return [skip('There is no secret yet to check it with; start the server once')];
  const findings = [signatureFinding(trimmed, String(header.alg), secrets), ...timeFindings(claims, config)];
  return [...findings, contentFinding(claims)];
}

function decoded(part: string): Claims | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : null;
  } catch {
    return null;
  }
}

/** Forms in which a secret is taken by mistake. */
function mistakenSecrets({ inbox, outbox }: Secrets): [Uint8Array, string][] {
  const bytes = Buffer.from(inbox);
  return [
    [Buffer.alloc(0), 'an empty secret'],
    [Buffer.from(inbox, 'base64'), 'the secret decoded from base64: take its text as it is'],
    [Buffer.from(inbox, 'hex'), 'the secret decoded from hexadecimal: take its text as it is'],
    [Buffer.from(bytes.toString('base64')), 'the secret encoded in base64: take its text as it is'],
    [Buffer.concat([bytes, Buffer.from('\n')]), 'the secret with a line end behind it: cut that off'],
    [Buffer.concat([bytes, Buffer.from('\r\n')]), 'the secret with a line end behind it: cut that off'],
    [Buffer.from(`"${inbox}"`), 'the secret with quotation marks around it'],
    [Buffer.from(outbox), 'the secret of callbacks (JWT_SECRET_OUTBOX): take JWT_SECRET_INBOX'],
  ];
}

function signatureFinding(token: string, algorithm: string, secrets: Secrets): Finding {
  const end = token.lastIndexOf('.');
  const [signed, signature] = [token.slice(0, end), token.slice(end + 1)];
  const isBy = (secret: Uint8Array) =>
    createHmac(`sha${algorithm.slice(2)}`, secret)
      .update(signed)
      .digest('base64url') === signature;
  if (isBy(Buffer.from(secrets.inbox))) return ok('Its signature is right');
  if (secrets.previousInbox !== undefined && isBy(Buffer.from(secrets.previousInbox))) {
    return warn('It is signed with JWT_SECRET_PREVIOUS', 'Give the integrator the new secret.');
  }
  const mistaken = mistakenSecrets(secrets).find(([secret]) => isBy(secret));
  if (mistaken) return fail('Its signature is wrong', `It was made with ${mistaken[1]}.`);
  return fail(
    'Its signature is wrong: it was made with another secret, or changed since',
    'Give both sides the same secret: `quire secret` prints that of this server.',
  );
}

function timeFindings({ exp, iat, nbf }: Claims, { jwtClockToleranceS }: Config): Finding[] {
  const nowS = Math.floor(Date.now() / 1_000);
  const findings: Finding[] = [];
  for (const [name, value] of Object.entries({ exp, iat, nbf })) {
    if (value !== undefined && typeof value !== 'number') {
      // Nothing depends on when a token was signed, but whether somebody who was sent away may come in again.
      findings.push((name === 'iat' ? warn : fail)(`Its ${name} is no number`, 'Give seconds since 1970.'));
    } else if (typeof value === 'number' && value > 1e11) {
      findings.push(fail(`Its ${name} is in milliseconds`, 'Give seconds since 1970.'));
    }
  }
  if (findings.length > 0) return findings;
  if (typeof exp === 'number' && exp + jwtClockToleranceS < nowS) {
    const since = `${nowS - exp} s ago, at ${new Date(exp * 1_000).toISOString()}`;
    findings.push(
      fail(`It expired ${since}`, 'Sign a new one for each opening; compare the clocks if it is new.'),
    );
  }
  if (typeof nbf === 'number' && nbf - jwtClockToleranceS > nowS) {
    findings.push(
      fail(
        `It is not valid before ${new Date(nbf * 1_000).toISOString()}`,
        'Compare the clocks of both machines.',
      ),
    );
  }
  if (typeof iat === 'number' && iat - jwtClockToleranceS > nowS) {
    findings.push(
      warn(`It was signed ${iat - nowS} s in the future`, 'Compare the clocks of both machines.'),
    );
  }
  if (typeof exp === 'number' && findings.length === 0)
    findings.push(ok(`It is valid until ${new Date(exp * 1_000).toISOString()}`));
  return findings;
}

/** Whether it holds the parameters of an editor or of a request. */
function contentFinding(claims: Claims): Finding {
  const { document, payload, c } = claims;
  if (typeof c === 'string') return ok(`It is for the command ${c}`);
  if (typeof payload === 'object' && payload !== null)
    return ok('It is for a request: its parameters are in payload');
  if (claims.filetype !== undefined && claims.outputtype !== undefined) return ok('It is for a conversion');
  if (typeof document !== 'object' || document === null) {
    return fail(
      `It holds ${Object.keys(claims).join(', ') || 'nothing'}, and neither document nor c nor payload`,
      'Sign the whole config of the editor, or the parameters of the request.',
    );
  }
  const { key, url, fileType } = document as Claims;
  const missing = Object.entries({ key, url, fileType }).filter(([, value]) => !textIn(value));
  if (missing.length === 0) return ok('It is the config of an editor');
  const names = missing.map(([name]) => `document.${name}`).join(', ');
  return fail(
    `It is the config of an editor without ${names}`,
    'Sign all that is given to DocsAPI.DocEditor.',
  );
}
