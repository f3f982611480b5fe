import { createHmac } from 'node:crypto';
import fc from 'fast-check';

/** What JSON tells apart. */
export type JsonType = 'text' | 'number' | 'boolean' | 'null' | 'list' | 'object';

/** A member of a request's parameters. */
export interface Member {
  /** A value that is accepted. */
  good: unknown;
  /** Whether the request is refused without it. */
  required: boolean;
  /** Every JSON type in which it is accepted. */
  accepts: readonly JsonType[];
  /** The longest text that is accepted. */
  maxCharacters?: number;
  /** Values that are refused although their type is accepted. */
  refuses?: readonly unknown[];
}

/** The parameters of a REST resource, by their names. */
export type RequestSchema = Readonly<Record<string, Member>>;

/** What can be wrong with a request that reaches the resource it is for. */
export type Fault =
  | { kind: 'missing' | 'wrong type' | 'wrong value' | 'oversized'; member: string }
  | { kind: 'malformed' | 'unsigned' | 'signed with another secret' | 'of another use' }
  | { kind: 'expired' | 'not yet valid' };

/** A request that is wrong in one way. */
export interface BadRequest {
  fault: Fault;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface BadRequestOptions {
  schema: RequestSchema;
  /** The secret shared with the server, which demands tokens; null where it does not. */
  secret: string | null;
  /** Header that carries tokens; `Authorization` unless given. */
  header?: string;
  /** An empty text is no value: it is wrong for members that are required alone. */
  emptyIsAbsent?: boolean;
}

/** Where a token goes, and the form of its claims (integration API, 12.2). */
type Carrier = 'body' | 'body, nested' | 'header' | 'header, query';
const carriers = ['body', 'body, nested', 'header', 'header, query'] as const;

const inBody = (carrier: Carrier): Carrier => (carrier.endsWith('nested') ? 'body, nested' : 'body');

const samples: Readonly<Record<JsonType, readonly unknown[]>> = {
  text: ['', 'x', '{}', '-1', 'null', '\u0000'],
  number: [0, -1, 7.5, 1e308],
  boolean: [true, false],
  null: [null],
  list: [[], ['x'], [[]]],
  object: [{}, { toString: 'x' }, { length: 3 }],
};

/** Bodies of which no parameters can be read. */
const malformed = [
  '',
  '{',
  '[]',
  '"text"',
  '7',
  'null',
  'true',
  '{"key":',
  '\u0000',
  '<xml/>',
  'key=a&c=info',
];

/**
 * Requests that are wrong in one way each: a member that is missing, of a wrong type or too long, signed rightly where
 * tokens are demanded; and with tokens, good parameters that are unsigned, signed with another secret, too long ago or
 * for a later time, and rightly signed claims that were made for something else.
 */
export function badRequests(options: BadRequestOptions): fc.Arbitrary<BadRequest> {
  const { schema, secret } = options;
  const good = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, member.good]));
  const members = badParameters(schema, good, options.emptyIsAbsent ?? false);
  if (secret === null) {
    return fc.oneof(
      { weight: 6, arbitrary: members.map(([fault, claims]) => plain(fault, claims)) },
      { weight: 1, arbitrary: malformedRequests },
    );
  }
  const signed = (fault: Fault, claims: unknown, carrier: Carrier, key = secret) =>
    carry({
      fault,
      claims: claims as Claims,
      carrier,
      secret: key,
      header: options.header ?? 'Authorization',
    });
  const carrier = fc.constantFrom(...carriers);
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(members, carrier).map(([[fault, claims], where]) =>
        // No server reads headers of any length: what is too long can only come in a body.
        signed(fault, claims, fault.kind === 'oversized' ? inBody(where) : where),
      ),
    },
    { weight: 1, arbitrary: malformedRequests },
    { weight: 1, arbitrary: unsignedRequests(good) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(carrier, fc.string({ minLength: 1 }))
        .map(([where, other]) =>
          signed({ kind: 'signed with another secret' }, good, where, `${secret}${other}`),
        ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(carrier, fc.integer({ min: 61, max: 10 ** 8 })).map(([where, ageS]) => {
        const now = Math.floor(Date.now() / 1000);
        return signed({ kind: 'expired' }, { ...good, iat: now - ageS - 300, exp: now - ageS }, where);
      }),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(carrier, fc.integer({ min: 120, max: 10 ** 8 })).map(([where, aheadS]) => {
        const nbf = Math.floor(Date.now() / 1000) + aheadS;
        return signed({ kind: 'not yet valid' }, { ...good, nbf, exp: nbf + 300 }, where);
      }),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(claimsOfOtherUses, carrier)
        .map(([claims, where]) => signed({ kind: 'of another use' }, claims, where)),
    },
  );
}

type Claims = Readonly<Record<string, unknown>>;

function badParameters(
  schema: RequestSchema,
  good: Claims,
  emptyIsAbsent: boolean,
): fc.Arbitrary<[Fault, Claims]> {
  const faults: (readonly [Fault, unknown])[] = [];
  for (const [member, { required, accepts, maxCharacters, refuses = [] }] of Object.entries(schema)) {
    if (required) faults.push([{ kind: 'missing', member }, undefined]);
    for (const [type, values] of Object.entries(samples) as [JsonType, readonly unknown[]][]) {
      if (accepts.includes(type)) continue;
      for (const value of values) {
        if (value === '' && emptyIsAbsent && !required) continue;
        faults.push([{ kind: 'wrong type', member }, value]);
      }
    }
    for (const value of refuses) faults.push([{ kind: 'wrong value', member }, value]);
    if (maxCharacters === undefined) continue;
    for (const length of [maxCharacters + 1, maxCharacters * 2, 100_000]) {
      faults.push([{ kind: 'oversized', member }, 'x'.repeat(Math.max(length, maxCharacters + 1))]);
    }
  }
  return fc.constantFrom(...faults).map(([fault, value]) => {
    const { member } = fault as { member: string };
    return [fault, { ...good, [member]: value }];
  });
}

const malformedRequests: fc.Arbitrary<BadRequest> = fc
  .constantFrom(...malformed)
  .map((body) => ({ fault: { kind: 'malformed' }, headers: {}, body }));

/** Parameters without a signature: with none at all, with one that is empty, cut, of no algorithm, or no text. */
function unsignedRequests(good: Claims): fc.Arbitrary<BadRequest> {
  const none = `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good)}.`;
  const tokens: readonly unknown[] = [undefined, '', 'x', 'a.b.c', none, `${none}x`, 7, null, {}, [], true];
  return fc.oneof(
    fc.constantFrom(...tokens).map((token) => plain({ kind: 'unsigned' }, { ...good, token })),
    fc.constantFrom('', 'Bearer', 'Bearer ', 'Bearer x', 'Basic eDp4', none).map((authorization) => ({
      ...plain({ kind: 'unsigned' }, good),
      headers: { authorization },
    })),
  );
}

/**
 * Rightly signed claims that no resource with parameters takes for its own: of a config, a callback, a download of
 * ours, a picture, and none at all.
 */
const claimsOfOtherUses: fc.Arbitrary<Claims> = fc.constantFrom<Claims>(
  {},
  { payload: {} },
  { payload: null },
  { payload: [] },
  { document: { key: 'k', url: 'http://storage.test/a.docx' }, editorConfig: { mode: 'edit' } },
  { payload: { key: 'k', status: 2, url: 'http://storage.test/a.docx', filetype: 'docx' } },
  { payload: { url: 'http://storage.test/a.docx' } },
  { images: [{ fileType: 'png', url: 'http://storage.test/a.png' }] },
);

function plain(fault: Fault, claims: Claims): BadRequest {
  return described({ fault, headers: {}, body: JSON.stringify(claims) });
}

/** A failing property shows what was wrong, and of a long body the beginning. */
function described(request: BadRequest): BadRequest {
  const { fault, headers, body } = request;
  const shown = JSON.stringify({ fault, headers, body: body.slice(0, 1_000) });
  return Object.defineProperty({ ...request }, fc.toStringMethod, { value: () => shown });
}

function carry(request: {
  fault: Fault;
  claims: Claims;
  carrier: Carrier;
  secret: string;
  header: string;
}): BadRequest {
  const { fault, claims, carrier, secret, header } = request;
  const { iat, exp, nbf, ...parameters } = claims;
  const nested = { [carrier === 'header, query' ? 'query' : 'payload']: parameters, iat, exp, nbf };
  const token = signJwt(carrier === 'body' ? claims : nested, secret);
  return carrier.startsWith('body')
    ? described({ fault, headers: {}, body: JSON.stringify({ token }) })
    : described({ fault, headers: { [header]: `Bearer ${token}` }, body: JSON.stringify(parameters) });
}

/** A token with exactly these claims (HS256), made at once: arbitraries cannot wait. */
export function signJwt(claims: Claims, secret: string): string {
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
