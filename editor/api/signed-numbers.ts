import { exactJson, isLargeInteger } from '../../client/protocol/exact-json.ts';
import { textIn } from '../../client/protocol/plain-values.ts';
import { type Json, type JsonObject, objectOf } from './json.ts';

/**
 * A configuration in which whole numbers that the page has rounded are the texts of their digits, where its token has them whole (a key or
 * an id of a database, of 16 digits and more): the server goes by these. What the token does not have stays as it is.
 */
export function withSignedNumbers(config: JsonObject): JsonObject {
  const token = textIn(config.token);
  return token === undefined || !hasRounded(config) ? config : objectOf(signed(config, claimsOf(token)));
}

const isRounded = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);

const hasRounded = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(hasRounded) : isRounded(value);

function signed(given: Json, claim: unknown): Json {
  if (isRounded(given)) return isLargeInteger(claim) && Number(claim) === given ? claim : given;
  if (typeof given !== 'object' || given === null) return given;
  const claims: Record<string, unknown> = typeof claim === 'object' && claim !== null ? { ...claim } : {};
  if (Array.isArray(given)) return given.map((value, index) => signed(value, claims[index]));
  const members = Object.entries(given).map(([name, value]) => [name, value && signed(value, claims[name])]);
  return Object.fromEntries(members);
}

/** What a token says. Whether it is a right one is for the server to judge. */
function claimsOf(token: string): unknown {
  try {
    const base64 = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    return exactJson(new TextDecoder().decode(Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))));
  } catch {
    return null;
  }
}
