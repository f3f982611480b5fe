import { QuireError } from '../quire-error.ts';
import type { Setting } from './setting.ts';

interface RedisHost {
  host: string;
  port: number;
}

/** What a `REDIS_URL` says: which servers, of what kind, and how to sign in to them. */
export interface RedisAddress {
  kind: 'server' | 'cluster' | 'sentinel';
  /** The server; some nodes of the cluster; the sentinels. */
  hosts: readonly RedisHost[];
  tls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** Number of the database; clusters have 0 alone. */
  database: number;
  /** What sentinels call the server; empty without sentinels. */
  masterName: string;
  sentinelUsername: string | undefined;
  sentinelPassword: string | undefined;
}

const defaultPort = 6_379;
const defaultSentinelPort = 26_379;
const form =
  /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

class BadAddress extends QuireError {
  constructor(message: string) {
    super('bad-address', message);
  }
}

/**
 * Forms: `redis://[user[:password]@]host[:port][/database]` for one server; several hosts with commas between them, or
 * `redis+cluster://`, for a cluster; `redis+sentinel://[user[:password]@]host[:port],…/master[/database]` for a server that
 * sentinels know, with `?sentinel_username=…&sentinel_password=…` for the sentinels themselves. `rediss` is TLS. User and
 * password are percent-encoded. A problem never repeats the address, which may hold a password.
 */
export function readRedisAddress(text: string): RedisAddress | { problem: string } {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof BadAddress || error instanceof URIError) return { problem: problemOf(error) };
    throw error;
  }
}

/** An address as `readRedisAddress` takes it, kept as it was written. */
export function redisAddress(env: string, absent: string, description: string): Setting<string | undefined> {
  return {
    env,
    type: 'URL',
    defaultText: absent,
    description,
    defaultValue: undefined,
    parse(text) {
      const read = readRedisAddress(text);
      return 'problem' in read ? read : { value: text };
    },
  };
}

function problemOf(error: Error): string {
  return error instanceof BadAddress ? error.message : 'has a % that encodes nothing: write it as %25';
}

function parse(text: string): RedisAddress {
  const parts = form.exec(text);
  if (!parts) {
    throw new BadAddress(
      'must be redis://host:port, rediss://host:port (TLS), several hosts of a cluster with commas between them, ' +
        'or redis+sentinel://host:port,…/master',
    );
  }
  const [, scheme, named, credentials, hostList, path = '', query = ''] = parts;
  const hostTexts = hostList!.split(',');
  const kind = named === 'sentinel' ? 'sentinel' : named || hostTexts.length > 1 ? 'cluster' : 'server';
  const segments = path.split('/').filter((segment) => segment !== '');
  const masterName = kind === 'sentinel' ? decodeURIComponent(segments.shift() ?? '') : '';
  if (kind === 'sentinel' && masterName === '') {
    throw new BadAddress(
      'must name the master that the sentinels watch: redis+sentinel://host:port,…/master',
    );
  }
  const [username, password] = credentialsOf(credentials);
  return {
    kind,
    hosts: hostTexts.map((host) => hostOf(host, kind === 'sentinel' ? defaultSentinelPort : defaultPort)),
    tls: scheme === 'rediss',
    username,
    password,
    database: databaseOf(segments, kind),
    masterName,
    ...sentinelCredentials(query, kind),
  };
}

function credentialsOf(
  text: string | undefined,
): [username: string | undefined, password: string | undefined] {
  if (text === undefined) return [undefined, undefined];
  const at = text.indexOf(':');
  const [username, password] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return [decodeURIComponent(username) || undefined, decodeURIComponent(password) || undefined];
}

function hostOf(text: string, port: number): RedisHost {
  const address = `redis://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url?.hostname || text === '' || url.port === '0')
    throw new BadAddress('has a host that is not host:port');
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
  };
}

function databaseOf(segments: readonly string[], kind: RedisAddress['kind']): number {
  const [text = '0', ...more] = segments;
  if (more.length > 0 || !/^\d{1,5}$/.test(text)) {
    throw new BadAddress('must end with the number of a database, or with nothing, after the hosts');
  }
  if (kind === 'cluster' && Number(text) !== 0)
    throw new BadAddress('names a database, which clusters have not');
  return Number(text);
}

function sentinelCredentials(
  query: string,
  kind: RedisAddress['kind'],
): Pick<RedisAddress, 'sentinelUsername' | 'sentinelPassword'> {
  const values = new URLSearchParams(query);
  const known = kind === 'sentinel' ? ['sentinel_username', 'sentinel_password'] : [];
  for (const name of values.keys()) {
    if (!known.includes(name))
      throw new BadAddress(`has a parameter that is not known: ${name.slice(0, 40)}`);
  }
  return {
    sentinelUsername: values.get('sentinel_username') ?? undefined,
    sentinelPassword: values.get('sentinel_password') ?? undefined,
  };
}
