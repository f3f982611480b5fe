import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { loadConfig } from '../../platform/config.ts';
import { freePort } from '../../test/support/free-port.ts';
import { checkCallback } from './callback-check.ts';
import type { Finding } from './finding.ts';
import { networkFinding } from './finding.ts';
import { checkDownload } from './integrator-check.ts';
import { checkOwnAddress, ownAddress } from './own-address.ts';
import { checkWopi } from './wopi-check.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<{ base: string; server: Server }> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

const failed = (findings: readonly Finding[]) =>
  findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
const token = { JWT_SECRET: 'a secret of these tests, which is long enough', DATA_DIR: '/nonexistent' };
const secrets = {
  ...token,
  JWT_SESSION_SECRET: 'another secret of these tests, long enough',
  SECURE_LINK_SECRET: 'a third secret of these tests, long enough',
};

/** What is wrong in front of a server that is right. */
interface Faults {
  health?: [status: number, body: string];
  script?: [status: number, type: string];
  own?: string;
  forwarding?: { headers: string[]; believed: boolean };
  upgrades?: 'none' | 'refused';
  sticky?: boolean;
  largestBytes?: number;
  refusesAtOnce?: boolean;
  date?: string;
}

async function server(faults: Faults = {}): Promise<string> {
  const { base, server } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://here');
    if (faults.date) response.setHeader('date', faults.date);
    const answer = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    if (pathname === '/healthcheck') {
      const [status, body] = faults.health ?? [200, 'true'];
      return answer(status, 'text/plain', body);
    }
    if (pathname.endsWith('/api.js')) {
      const [status, type] = faults.script ?? [200, 'text/javascript'];
      return answer(status, type, 'window.DocsAPI = {}');
    }
    if (pathname === '/meta/config') {
      const api = `${faults.own ?? base}/web-apps/apps/api/documents/api.js`;
      return answer(
        200,
        'application/json',
        JSON.stringify({ urls: { api }, forwarding: faults.forwarding }),
      );
    }
    if (pathname.startsWith('/upload/')) {
      const isTooLarge = Number(request.headers['content-length']) > (faults.largestBytes ?? 1e9);
      request.on('end', () => answer(isTooLarge ? 413 : 403, 'text/plain', '')).resume();
      return undefined;
    }
    if (!searchParams.has('sid')) return answer(200, 'text/plain', '0{"sid":"abc","upgrades":[]}');
    return faults.sticky === false
      ? answer(400, 'text/plain', 'Session ID unknown')
      : answer(200, 'text/plain', 'ok');
  });
  const sockets = new WebSocketServer({ noServer: true });
  sockets.on('connection', (socket) => socket.send('0{"sid":"def"}'));
  if (faults.refusesAtOnce) server.on('checkContinue', (_request, response) => response.writeHead(413).end());
  server.on('upgrade', (request, socket, head) => {
    if (faults.upgrades === 'refused') socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    else if (faults.upgrades === 'none') socket.destroy();
    else
      sockets.handleUpgrade(request, socket as Socket, head, (one) =>
        sockets.emit('connection', one, request),
      );
  });
  return base;
}

test('[DR7] a server that is reached in every way passes', async () => {
  const findings = await checkOwnAddress(await server());
  expect(failed(findings)).toEqual([]);
  expect(findings.map(({ sentence }) => sentence).join()).toMatch(/WebSockets reach.*Long polling reaches/);
});

test.each<[string, Faults, RegExp]>([
  ['another program', { health: [200, '<html>Welcome to nginx</html>'] }, /something else.*Welcome to nginx/],
  ['a proxy without a server', { health: [502, 'Bad Gateway'] }, /does not reach the server \(status 502\)/],
  ['a server that is not healthy', { health: [200, 'false'] }, /not healthy/],
  [
    'a page in place of api.js',
    { script: [200, 'text/html'] },
    /api\.js is answered with status 200 and type text\/html/,
  ],
  ['no api.js', { script: [404, 'text/plain'] }, /api\.js is answered with status 404/],
  [
    'forwarding headers that are missing',
    { own: 'http://10.0.0.7:8000' },
    /takes http:\/\/10\.0\.0\.7:8000 for its own/,
  ],
  ['upgrades that are refused', { upgrades: 'refused' }, /WebSockets do not reach the server \(status 400\)/],
  ['upgrades that are cut', { upgrades: 'none' }, /WebSockets do not reach the server/],
  ['nodes without stickiness', { sticky: false }, /not known to the second request/],
  ['a limit on bodies that are announced', { refusesAtOnce: true }, /refuses requests of 20 MB/],
  ['a limit on bodies', { largestBytes: 1_048_576 }, /refuses requests of 20 MB/],
  [
    'a clock that is behind',
    { date: new Date(Date.now() - 600_000).toUTCString() },
    /behind: tokens are refused/,
  ],
])('[DR7] %s in front of it is reported as such', async (_name, faults, sentence) => {
  const problems = failed(await checkOwnAddress(await server(faults)));
  expect(problems).toEqual([
    expect.objectContaining({
      verdict: 'fail',
      sentence: expect.stringMatching(sentence),
      remedy: expect.stringMatching(/./),
    }),
  ]);
});

test('[DR7] the missing forwarding header is named', async () => {
  for (const [change, header] of [
    [
      (url: URL) => {
        url.hostname = 'inside';
      },
      'X-Forwarded-Host',
    ],
    [
      (url: URL) => {
        url.protocol = 'https';
      },
      'X-Forwarded-Proto',
    ],
    [
      (url: URL) => {
        url.pathname = '/docs';
      },
      'X-Forwarded-Prefix',
    ],
  ] as const) {
    const faults: Faults = {};
    const base = await server(faults);
    const own = new URL(base);
    change(own);
    faults.own = own.href.replace(/\/$/, '');
    expect(failed(await checkOwnAddress(base))[0]?.remedy).toContain(header);
  }
});

test('[DR7] what came of a proxy is named, and whether it is believed', async () => {
  const headers = ['forwarded', 'x-forwarded-port', 'x-forwarded-ssl', 'front-end-https'];
  const found = async (own: string | undefined, forwarding: Faults['forwarding']) => {
    const findings = await checkOwnAddress(
      await server({ ...(own && { own }), ...(forwarding && { forwarding }) }),
    );
    return findings.find(({ sentence }) => sentence.includes('own'))!;
  };
  const named = 'Forwarded, X-Forwarded-Port, X-Forwarded-Ssl, Front-End-Https';
  const inside = 'http://inside:8000';
  expect((await found(undefined, { headers, believed: true })).sentence).toMatch(
    new RegExp(`links lead here; of a proxy's headers it saw ${named}$`),
  );
  expect(await found(inside, { headers, believed: true })).toMatchObject({
    sentence: expect.stringMatching(new RegExp(`lead there; of a proxy's headers it saw ${named}$`)),
    remedy: expect.stringContaining('X-Forwarded-Host'),
  });
  expect(await found(inside, { headers, believed: false })).toMatchObject({
    sentence: expect.stringMatching(new RegExp(`it saw ${named}, which it does not believe$`)),
    remedy: expect.stringContaining('TRUST_PROXY: what it sends is not believed'),
  });
  expect(await found(inside, { headers: [], believed: false })).toMatchObject({
    sentence: expect.stringContaining('no header of a proxy came to it'),
    remedy: expect.stringContaining('X-Forwarded-Host'),
  });
});

test('[DR7] a closed port and an unknown host are reported as such', async () => {
  const port = await freePort();
  for (const [base, sentence] of [
    [`http://127.0.0.1:${port}`, /nothing listens there \(ECONNREFUSED\)/],
    ['http://quire.invalid', /the name is not known/],
  ] as const) {
    expect(await checkOwnAddress(base)).toEqual([
      expect.objectContaining({ verdict: 'fail', sentence: expect.stringMatching(sentence) }),
    ]);
  }
});

test('[DR7] the address is the one that was given, else PUBLIC_URL, else the port of this machine', () => {
  expect(ownAddress('https://a.example/docs/', { publicUrl: 'https://b.example', port: 1 })).toBe(
    'https://a.example/docs',
  );
  expect(ownAddress(undefined, { publicUrl: 'https://b.example/', port: 1 })).toBe('https://b.example');
  expect(ownAddress(undefined, { publicUrl: undefined, port: 8000 })).toBe('http://127.0.0.1:8000');
});

test('[DR8] a document that can be fetched passes, with the token that the server would send', async () => {
  let header: string | undefined;
  const { base } = await serve((request, response) => {
    header = request.headers.authorization;
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('file');
  });
  expect(failed(await checkDownload(`${base}/a.docx`, loadConfig(secrets)))).toEqual([]);
  expect(header).toMatch(/^Bearer .+\..+\..+$/);
});

test.each<[string, RequestListener, RegExp, RegExp]>([
  ['a refusal', (_q, r) => r.writeHead(403).end(), /refused with status 403/, /token/],
  ['a missing file', (_q, r) => r.writeHead(404).end(), /no file \(status 404\)/, /document\.url/],
  ['a failure', (_q, r) => r.writeHead(500).end(), /status 500/, /200/],
  [
    'a page to sign in',
    (_q, r) => r.setHeader('content-type', 'text/html').end('<form>'),
    /gives a page/,
    /browser session/,
  ],
  [
    'a file that is too large',
    (_q, r) => r.writeHead(200, { 'content-length': '999999999' }).end(),
    /more than is allowed/,
    /MAX_DOWNLOAD_SIZE_BYTES/,
  ],
  [
    'a redirect for ever',
    (q, r) => r.writeHead(302, { location: q.url! }).end(),
    /redirects too often/,
    /last address/,
  ],
  [
    'an encoding that the file does not have',
    (_q, r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end('file'),
    /cannot be decompressed/,
    /Content-Encoding/,
  ],
  [
    'an encoding that cannot be undone',
    (_q, r) => r.writeHead(200, { 'content-encoding': 'zstd' }).end('file'),
    /unknown content encoding \(zstd\)/,
    /Content-Encoding/,
  ],
  [
    'half a file',
    (_q, r) => r.writeHead(200, { 'content-length': '100' }).write('half', () => r.destroy()),
    /connection is cut/,
    /./,
  ],
  ['a connection that is cut', (q) => q.socket.destroy(), /connection is cut/, /./],
])('[DR8] %s is reported as such', async (_name, listener, sentence, remedy) => {
  const { base } = await serve(listener);
  expect(failed(await checkDownload(`${base}/a.docx?sig=hidden`, loadConfig(secrets)))).toEqual([
    expect.objectContaining({
      sentence: expect.stringMatching(sentence),
      remedy: expect.stringMatching(remedy),
    }),
  ]);
});

test('[DR8] a redirect to another place is named without its secrets', async () => {
  const { base: storage } = await serve((_request, response) => response.end('file'));
  const { base } = await serve((_request, response) =>
    response.writeHead(302, { location: `${storage}/b.docx?sig=hidden` }).end(),
  );
  const problems = failed(
    await checkDownload(`${base}/a.docx`, loadConfig({ ...secrets, ALLOW_PRIVATE_IP_ADDRESS: 'true' })),
  );
  expect(problems).toEqual([
    expect.objectContaining({ verdict: 'warn', sentence: `It redirects to ${storage}/b.docx` }),
  ]);
});

test('[DR8] an address that the rules forbid is reported with the setting that allows it', async () => {
  const { base } = await serve((_request, response) => response.end('file'));
  const remedyOf = async (url: string, environment: Readonly<Record<string, string>>) => {
    const findings = await checkDownload(url, loadConfig({ ...token, ...environment }));
    expect(findings).toEqual([expect.objectContaining({ verdict: 'fail' })]);
    return findings[0]!.remedy;
  };
  const port = new URL(base).port;
  expect(await remedyOf(`${base}/a.docx`, { JWT_ENABLED: 'false' })).toContain(
    'ALLOW_PRIVATE_IP_ADDRESS=true',
  );
  expect(await remedyOf(`http://localhost:${port}/`, { JWT_ENABLED: 'false' })).toContain(
    'ALLOW_PRIVATE_IP_ADDRESS=true',
  );
  expect(await remedyOf('http://169.254.169.254/latest', {})).toContain('ALLOW_META_IP_ADDRESS');
  expect(await remedyOf(`${base}/a.docx`, { IP_FILTER: 'deny *' })).toContain('IP_FILTER');
  expect(await remedyOf('ftp://files.example/a.docx', {})).toContain('http://');
  expect(await remedyOf('http://files.invalid/a.docx', {})).toContain('host name');
});

test('[DR9] callbacks are posted with a token, and the answer is judged', async () => {
  const bodies: Record<string, unknown>[] = [];
  let reply: [number, string] = [200, '{"error":0}'];
  const { base } = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += String(chunk);
    });
    request.on('end', () => {
      bodies.push(JSON.parse(text) as Record<string, unknown>);
      response.writeHead(reply[0]).end(reply[1]);
    });
  });
  const check = () => checkCallback({ url: `${base}/callback`, base }, loadConfig(secrets));
  expect(failed(await check())).toEqual([
    expect.objectContaining({ sentence: expect.stringContaining('6 and 2') }),
  ]);
  expect(bodies[0]).toMatchObject({ key: 'quire-doctor', status: 4, token: expect.stringMatching(/\./) });
  for (const [answer, verdict, sentence] of [
    [[200, '{"error":1}'], 'warn', /\{"error":1\}/],
    [[200, '<html>'], 'fail', /not the JSON/],
    [[200, '{}'], 'fail', /not the JSON/],
    [[403, ''], 'fail', /refused with status 403/],
    [[500, '{"error":0}'], 'fail', /status 500/],
  ] as const) {
    reply = [answer[0], answer[1]];
    expect((await check())[0]).toMatchObject({ verdict, sentence: expect.stringMatching(sentence) });
  }
  const port = await freePort();
  expect(await checkCallback({ url: `http://127.0.0.1:${port}/`, base }, loadConfig(secrets))).toEqual([
    expect.objectContaining({ verdict: 'fail', sentence: expect.stringContaining('nothing listens there') }),
  ]);
});

test.each([
  ['CERT_HAS_EXPIRED', /expired/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /name of the certificate/],
])('[DR8] the TLS error %s is reported as such', (code, remedy) => {
  const error = new Error('fetch failed', { cause: Object.assign(new Error('tls'), { code }) });
  const { sentence, remedy: given } = networkFinding('https://a.example', error, 'none');
  expect(`${sentence} ${given}`).toMatch(remedy);
});

test('[DR10] WOPI: discovery that is not there, one that leads elsewhere and a host that is away are reported', async () => {
  const config = (more: Readonly<Record<string, string>> = {}) =>
    loadConfig({ ...token, WOPI_ENABLED: 'true', ...more });
  expect(await checkWopi(loadConfig(token), 'http://here')).toEqual([
    expect.objectContaining({ verdict: 'skip' }),
  ]);
  const { base: none } = await serve((_request, response) => response.writeHead(404).end());
  const away = `http://127.0.0.1:${await freePort()}/wopi`;
  const problems = failed(await checkWopi(config({ WOPI_HOSTS: away }), none));
  expect(problems.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining('status 404 and no discovery'),
    expect.stringContaining(`${away} cannot be reached`),
  ]);
  const { base } = await serve((_request, response) =>
    response.end('<wopi-discovery><action urlsrc="http://inside:8000/hosting/word?"/></wopi-discovery>'),
  );
  expect(failed(await checkWopi(config({ WOPI_HOSTS: base }), base))).toEqual([
    expect.objectContaining({ verdict: 'fail', remedy: `Set PUBLIC_URL=${base}.` }),
  ]);
  expect(failed(await checkWopi(config(), none)).at(-1)).toMatchObject({
    verdict: 'fail',
    remedy: expect.stringContaining('WOPI_HOSTS'),
  });
});
