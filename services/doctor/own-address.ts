import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Config } from '../../platform/config.ts';
import { ask } from './ask.ts';
import { clockFindings, type Finding, fail, networkFinding, ok, warn } from './finding.ts';

const timeoutMs = 10_000;
/** The largest request that editors make: a picture. */
const largeBodyBytes = 20 * 1_048_576;
const textOf = ({ content }: { content: Buffer }): string => content.toString('utf8');
const firstPacket = /^0\{"sid":"([^"]+)"/;

/** The address under which a browser reaches the server: as given, else `PUBLIC_URL`, else its port on this machine. */
export function ownAddress(given: string | undefined, config: Pick<Config, 'publicUrl' | 'port'>): string {
  return (given ?? config.publicUrl ?? `http://127.0.0.1:${config.port}`)
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
}

/** Whether a browser can load editors from an address, and connect through the proxies in front of the server. */
export async function checkOwnAddress(base: string): Promise<Finding[]> {
  const health = await ask(`${base}/healthcheck`);
  if (health instanceof Error)
    return [networkFinding(base, health, 'Start the server, or correct PUBLIC_URL or --url.')];
  const clocks = clockFindings('the server', health.headers.date, Date.now());
  const wrong = healthProblem(base, health.status, textOf(health));
  if (wrong) return [wrong, ...clocks];
  const key = `doctor-${randomUUID()}`;
  return [
    ok(`${base} answers`),
    ...clocks,
    await scriptFinding(base),
    await forwardedFinding(base),
    await webSocketFinding(base, key),
    await pollingFinding(base, key),
    await bodyFinding(base, key),
  ];
}

function healthProblem(base: string, status: number, text: string): Finding | null {
  if (status === 200 && text.trim() === 'true') return null;
  if (status === 200 && text.trim() === 'false') {
    return fail(
      `The server at ${base} says that it is not healthy`,
      'See the checks of database and files; it also says so while it stops.',
    );
  }
  if (status === 502 || status === 503 || status === 504) {
    return fail(
      `A proxy at ${base} does not reach the server (status ${status})`,
      'Start the server, or correct the address in the configuration of the proxy.',
    );
  }
  const beginning = text.trim().slice(0, 40).replace(/\s+/g, ' ');
  return fail(
    `At ${base} something else than this server answers (/healthcheck: status ${status}, "${beginning}")`,
    'Have the proxy pass all paths below this address to the server, or correct PUBLIC_URL or --url.',
  );
}

async function scriptFinding(base: string): Promise<Finding> {
  const at = '/web-apps/apps/api/documents/api.js';
  const script = await ask(base + at);
  if (script instanceof Error) return networkFinding(base + at, script, 'Look at the proxy.');
  const type = script.headers['content-type'] ?? '';
  if (script.status === 200 && /javascript/.test(type) && textOf(script).includes('DocsAPI')) {
    return ok('Pages of integrators can load api.js');
  }
  return fail(
    `api.js is answered with status ${script.status} and type ${type || 'none'}`,
    `Have the proxy pass ${at} to the server unchanged.`,
  );
}

/** Every link of the server begins with the address that it takes for its own. */
async function forwardedFinding(base: string): Promise<Finding> {
  const answer = await ask(`${base}/meta/config`);
  if (answer instanceof Error) return networkFinding(base, answer, 'Look at the proxy.');
  const { api, forwarding } = answerIn(textOf(answer));
  if (api === null)
    return warn(
      'The server does not say which address it takes for its own',
      'Have the proxy pass /meta/config.',
    );
  const own = api.replace(/\/web-apps\/.*$/, '');
  const seen = seenOfProxy(forwarding);
  if (own === base) return ok(`The server knows this address for its own: links lead here${seen}`);
  if (forwarding?.headers.length && !forwarding.believed) {
    return fail(
      `The server takes ${own} for its own address: links to files lead there${seen}`,
      `Set PUBLIC_URL=${base}, or name the proxy in TRUST_PROXY: what it sends is not believed.`,
    );
  }
  const [theirs, ours] = [new URL(own), new URL(base)];
  const header =
    theirs.host !== ours.host
      ? 'X-Forwarded-Host'
      : theirs.protocol !== ours.protocol
        ? 'X-Forwarded-Proto'
        : 'X-Forwarded-Prefix';
  return fail(
    `The server takes ${own} for its own address: links to files lead there${seen}`,
    `Set PUBLIC_URL=${base}, or have the proxy send ${header} and be in TRUST_PROXY.`,
  );
}

const answerSchema = z.object({
  urls: z.object({ api: z.url() }),
  /** Servers before this was there do not say it. */
  forwarding: z.object({ headers: z.array(z.string()), believed: z.boolean() }).optional(),
});

type Forwarding = z.infer<typeof answerSchema>['forwarding'];

function answerIn(text: string): { api: string | null; forwarding?: Forwarding } {
  try {
    const { urls, forwarding } = answerSchema.parse(JSON.parse(text));
    return { api: urls.api, forwarding };
  } catch {
    return { api: null };
  }
}

/** What came with a request of a proxy's headers, as the end of a sentence. */
function seenOfProxy(forwarding: Forwarding): string {
  if (!forwarding) return '';
  const names = forwarding.headers.map((name) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()));
  if (names.length === 0) return '; no header of a proxy came to it';
  return `; of a proxy's headers it saw ${names.join(', ')}${forwarding.believed ? '' : ', which it does not believe'}`;
}

function webSocketFinding(base: string, key: string): Promise<Finding> {
  const remedy =
    'Have the proxy pass upgrades: proxy_http_version 1.1, and the headers Upgrade and Connection (nginx). Without them editors poll, which is slower.';
  return new Promise((resolve) => {
    const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/doc/${key}/c/?EIO=4&transport=websocket`, {
      handshakeTimeout: timeoutMs,
    });
    const timer = setTimeout(() => end(fail('A WebSocket was opened and stays silent', remedy)), timeoutMs);
    const end = (finding: Finding) => {
      clearTimeout(timer);
      socket.terminate();
      resolve(finding);
    };
    socket.on('message', (data) => {
      const isOurs = firstPacket.test(String(data));
      end(isOurs ? ok('WebSockets reach the server') : fail('Something else answers on WebSockets', remedy));
    });
    socket.on('unexpected-response', (_request, response) => {
      end(fail(`WebSockets do not reach the server (status ${response.statusCode})`, remedy));
    });
    socket.on('error', (error) => end(fail(`WebSockets do not reach the server: ${error.message}`, remedy)));
    socket.on('close', () => end(fail('A WebSocket was closed at once', remedy)));
  });
}

/** The second request of a session must reach the process of the first one. */
async function pollingFinding(base: string, key: string): Promise<Finding> {
  const address = `${base}/doc/${key}/c/?EIO=4&transport=polling`;
  const first = await ask(address);
  if (first instanceof Error) return networkFinding(base, first, 'Look at the proxy.');
  const sid = firstPacket.exec(textOf(first))?.[1];
  if (sid === undefined) {
    return fail(
      `Long polling is answered with status ${first.status}`,
      'Have the proxy pass /doc/ to the server.',
    );
  }
  const second = await ask(`${address}&sid=${encodeURIComponent(sid)}`, { method: 'POST', body: '1' });
  if (second instanceof Error) return networkFinding(base, second, 'Look at the proxy.');
  if (second.status === 200) return ok('Long polling reaches the server, for networks without WebSockets');
  return fail(
    `A session of long polling is not known to the second request (status ${second.status})`,
    'With several nodes, have the proxy send all requests of one document to the same: hash on the path.',
  );
}

async function bodyFinding(base: string, key: string): Promise<Finding> {
  const megabytes = largeBodyBytes / 1_048_576;
  const status = await statusOfLargePost(new URL(`${base}/upload/${key}`));
  if (status !== 413) return ok(`Requests of ${megabytes} MB are not refused by a proxy`);
  return fail(
    `A proxy refuses requests of ${megabytes} MB: pictures cannot be inserted`,
    `Allow ${megabytes} MB: client_max_body_size (nginx), LimitRequestBody (Apache).`,
  );
}

/**
 * The status of a large request. The request is announced first (RFC 9110, 10.1.1), so that a proxy refuses its size before the
 * body is sent, and the answer is not lost. When the server ends the connection while it receives the body, the status is
 * undefined.
 */
function statusOfLargePost(url: URL): Promise<number | undefined> {
  const request = url.protocol === 'https:' ? https.request : http.request;
  return new Promise((resolve) => {
    const sent = request(url, {
      method: 'POST',
      headers: {
        'content-type': 'image/png',
        'content-length': largeBodyBytes,
        expect: '100-continue',
      },
      timeout: timeoutMs,
    });
    const end = (status: number | undefined) => {
      sent.destroy();
      resolve(status);
    };
    sent.on('continue', () => sent.end(Buffer.alloc(largeBodyBytes)));
    sent.on('response', ({ statusCode }) => end(statusCode));
    sent.on('timeout', () => end(undefined));
    sent.on('error', () => end(undefined));
    sent.flushHeaders();
  });
}
