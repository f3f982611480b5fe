import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/**
 * What whoever asked gets: the `whole` body; an `error`; the `status` of the answer, which has no body for them; or
 * `either` of the first two, where HTTP lets nobody tell.
 */
export type WireOutcome = 'whole' | 'error' | 'status' | 'either';

/** One request, answered byte by byte. */
export interface WireReply {
  socket: Socket;
  /** What the answer is about. */
  body: Buffer;
  /** Of this request, and of one that is answered as it should be. */
  address: string;
  goodAddress: string;
}

/** How a server of a stranger answers. */
export interface WireAnswer {
  what: string;
  outcome: WireOutcome;
  /** What the log says of an error. */
  said?: RegExp;
  /** Whether the log names the address that it leads to, and not that which was asked. */
  leadsAway?: boolean;
  write(reply: WireReply): unknown;
}

const close = 'Connection: close';
const chunked = 'Transfer-Encoding: chunked';
const lengthOf = ({ length }: Buffer): string => `Content-Length: ${length}`;
const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');
const headOf = (status: string, ...lines: string[]): string => head(...lines).replace('200 OK', status);
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const lastChunk = '0\r\n\r\n';
/** Later than whoever reads has got what was sent before, on any machine that is not stopped. */
const lateMs = 30;

/** The body in two chunks; without one where it is empty. */
function chunks({ length }: Buffer, body: Buffer): Buffer[] {
  const middle = Math.ceil(length / 3);
  return [body.subarray(0, middle), body.subarray(middle)].filter((part) => part.length > 0).map(chunk);
}

function send(socket: Socket, ...parts: (string | Buffer)[]): void {
  for (const part of parts) socket.write(part);
}

/** Ways to say where a body ends. */
const framings: [what: string, isKept: boolean, write: (reply: WireReply, ...more: string[]) => void][] = [
  ['its length', true, ({ socket, body }, ...more) => send(socket, head(lengthOf(body), ...more), body)],
  [
    'chunks',
    true,
    ({ socket, body }, ...more) => send(socket, head(chunked, ...more), ...chunks(body, body), lastChunk),
  ],
  ['the end of its connection', false, ({ socket, body }) => send(socket, head(close), body)],
  [
    'the end of its connection in HTTP/1.0',
    false,
    ({ socket, body }) => send(socket, 'HTTP/1.0 200 OK\r\n\r\n', body),
  ],
];

/** Right answers: bodies of any size, in every framing, with every end of their connection. */
export const framedAnswers: WireAnswer[] = framings.flatMap(([what, isKept, write]) => [
  ...(isKept
    ? [{ what: `${what}, kept alive`, outcome: 'whole' as const, write: (reply: WireReply) => write(reply) }]
    : []),
  {
    what: `${what}, closed at once`,
    outcome: 'whole' as const,
    write: (reply: WireReply) => {
      write(reply, close);
      reply.socket.end();
    },
  },
  {
    what: `${what}, closed late`,
    outcome: 'whole' as const,
    write: async (reply: WireReply) => {
      write(reply, close);
      await sleep(lateMs);
      reply.socket.end();
    },
  },
]);

const interim = (status: string, count = 1) => `HTTP/1.1 ${status}\r\n\r\n`.repeat(count);
const whole = (what: string, write: WireAnswer['write']): WireAnswer => ({ what, outcome: 'whole', write });

/** The best quality, which is the default, takes a fifth of a second. */
const quickBrotli = (body: Buffer): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Right answers that are unusual. */
export const unusualAnswers: WireAnswer[] = [
  ...['100 Continue', '102 Processing', '103 Early Hints'].map((status) =>
    whole(`behind ${status}, unasked`, ({ socket, body }) =>
      send(socket, interim(status), head(lengthOf(body)), body),
    ),
  ),
  whole('behind a thousand of 103', ({ socket, body }) =>
    send(socket, interim('103 Early Hints', 1_000), head(lengthOf(body)), body),
  ),
  whole('in many small writes', async ({ socket, body }) => {
    socket.write(head(lengthOf(body)));
    for (let at = 0; at < body.length; at += 4_001) {
      socket.write(body.subarray(at, at + 4_001));
      if (at % 7 === 0) await sleep(1);
    }
  }),
  whole('more than its length', ({ socket, body }) => send(socket, head(lengthOf(body)), body, 'more')),
  // In one packet: nobody can tell what comes later from the answer to the next request.
  whole('another answer that nobody asked for', ({ socket, body }) =>
    socket.write(
      Buffer.concat([
        Buffer.from(head(lengthOf(body))),
        body,
        Buffer.from(`${head('Content-Length: 4')}evil`),
      ]),
    ),
  ),
  whole('more behind its last chunk', ({ socket, body }) =>
    send(socket, head(chunked), chunk(body), lastChunk, 'more'),
  ),
  whole('with a trailer', ({ socket, body }) =>
    send(socket, head(chunked, 'Trailer: X-After'), chunk(body), '0\r\nX-After: 1\r\n\r\n'),
  ),
  whole('then reset', async ({ socket, body }) => {
    send(socket, head(lengthOf(body)), body);
    await sleep(lateMs);
    socket.resetAndDestroy();
  }),
  whole('said to be kept and closed', ({ socket, body }) => {
    send(socket, head(lengthOf(body), 'Connection: keep-alive', 'Keep-Alive: timeout=60'), body);
    socket.end();
  }),
  ...(
    [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', quickBrotli],
    ] as const
  ).map(([name, compress]) =>
    whole(`compressed by ${name}, unasked`, ({ socket, body }) => {
      const small = compress(body);
      send(socket, head(`Content-Encoding: ${name}`, lengthOf(small)), small);
    }),
  ),
  whole('compressed without a head, which deflate may be', ({ socket, body }) => {
    const small = deflateRawSync(body);
    send(socket, head('Content-Encoding: deflate', lengthOf(small)), small);
  }),
  whole('compressed twice', ({ socket, body }) => {
    const small = quickBrotli(gzipSync(body));
    send(socket, head('Content-Encoding: gzip, br', lengthOf(small)), small);
  }),
  ...['none', 'aws-chunked', 'UTF-8'].map((name) =>
    whole(`with ${name} for an encoding`, ({ socket, body }) =>
      send(socket, head(`Content-Encoding: ${name}`, lengthOf(body)), body),
    ),
  ),
  ...['301', '302', '303', '307', '308'].map((status) => ({
    // A redirect that makes another request of what was posted is no answer to it.
    ...whole(`a redirect of ${status}`, ({ socket, goodAddress }) =>
      send(socket, headOf(status, `Location: ${goodAddress}`, 'Content-Length: 0')),
    ),
    ...(status === '303' && { outcome: 'either' as const }),
  })),
  whole('a redirect with a large body, closed', ({ socket, goodAddress, body }) => {
    send(socket, headOf('307 Moved', `Location: ${goodAddress}`, close), body);
    socket.end();
  }),
  whole('two locations', ({ socket, goodAddress }) =>
    send(
      socket,
      headOf('307 Moved', `Location: ${goodAddress}`, 'Location: http://127.0.0.1:1/', 'Content-Length: 0'),
    ),
  ),
];

const cut = /the connection is cut|ends in the middle/;
const wrong = (what: string, said: RegExp, write: WireAnswer['write']): WireAnswer => ({
  ...{ what, outcome: 'error', said, write },
});
const half = (body: Buffer): Buffer => body.subarray(0, Math.floor(body.length / 2));
const improper = /no proper HTTP|does not speak HTTP/;
const encodingWrong = /cannot be decompressed|unknown content encoding/;

/** Answers that end too early, in every place. */
const cutAnswers: WireAnswer[] = [
  wrong('nothing, closed', cut, ({ socket }) => socket.end()),
  wrong('nothing, reset', cut, ({ socket }) => socket.resetAndDestroy()),
  wrong('half a head, closed', cut, ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')),
  wrong('half a head, reset', cut, async ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Le');
    await sleep(lateMs);
    socket.resetAndDestroy();
  }),
  wrong('only an interim answer, closed', cut, ({ socket }) => socket.end(interim('100 Continue'))),
  wrong('less than its length, closed', cut, ({ socket, body }) => {
    send(socket, head(lengthOf(body)), half(body));
    socket.end();
  }),
  wrong('less than its length, said to be closed', cut, ({ socket, body }) => {
    send(socket, head(lengthOf(body), close), half(body));
    socket.end();
  }),
  wrong('less than its length, closed late', cut, async ({ socket, body }) => {
    send(socket, head(lengthOf(body), close), half(body));
    await sleep(lateMs);
    socket.end();
  }),
  wrong('less than its length, reset', cut, async ({ socket, body }) => {
    send(socket, head(lengthOf(body)), half(body));
    await sleep(lateMs);
    socket.resetAndDestroy();
  }),
  wrong('a length and nothing, closed', cut, ({ socket, body }) => socket.end(head(lengthOf(body)))),
  wrong('chunks without the last, closed', cut, ({ socket, body }) => {
    send(socket, head(chunked), chunk(body));
    socket.end();
  }),
  wrong('chunks without the last, said to be closed', cut, ({ socket, body }) => {
    send(socket, head(chunked, close), chunk(body));
    socket.end();
  }),
  wrong('half a chunk, closed', cut, ({ socket, body }) => {
    send(socket, head(chunked, close), half(chunk(body)));
    socket.end();
  }),
  wrong('half a chunk, reset', cut, async ({ socket, body }) => {
    send(socket, head(chunked), half(chunk(body)));
    await sleep(lateMs);
    socket.resetAndDestroy();
  }),
  {
    ...wrong('a reset in a body that ends with its connection', cut, async ({ socket, body }) => {
      send(socket, head(close), half(body));
      await sleep(lateMs);
      socket.resetAndDestroy();
    }),
    // libuv says "end" of some resets.
    outcome: 'either',
  },
];

/** Answers that are not what HTTP allows, or more than is taken. */
const improperAnswers: WireAnswer[] = [
  wrong('a greeting of SMTP', improper, ({ socket }) => socket.end('220 mail.test ESMTP\r\n')),
  wrong('an alert of TLS', improper, ({ socket }) => socket.end(Buffer.from('15030100020246', 'hex'))),
  wrong('random bytes', improper, ({ socket }) => socket.end(Buffer.alloc(100_000, 0x8f))),
  wrong('headers of 20 KB', /headers are larger/, ({ socket, body }) =>
    send(socket, head(`X-Long: ${'a'.repeat(20_000)}`, lengthOf(body)), body),
  ),
  wrong('a thousand headers', /headers are larger/, ({ socket, body }) =>
    send(
      socket,
      head(...Array.from({ length: 1_000 }, (_, index) => `X-Header-${index}: a value`), lengthOf(body)),
      body,
    ),
  ),
  wrong('two lengths', improper, ({ socket, body }) =>
    send(socket, head(lengthOf(body), 'Content-Length: 1'), body),
  ),
  wrong('a length and chunks', improper, ({ socket, body }) =>
    send(socket, head(lengthOf(body), chunked), chunk(body), lastChunk),
  ),
  wrong('a length that is none', improper, ({ socket, body }) =>
    send(socket, head('Content-Length: all'), body),
  ),
  wrong('a negative length', improper, ({ socket, body }) => send(socket, head('Content-Length: -1'), body)),
  wrong('a length beyond all numbers', improper, ({ socket, body }) =>
    send(socket, head(`Content-Length: ${'9'.repeat(30)}`), body),
  ),
  wrong('a size of a chunk that is none', improper, ({ socket, body }) =>
    send(socket, head(chunked), 'zz\r\n', body),
  ),
  wrong('a size of a chunk beyond all numbers', improper, ({ socket, body }) =>
    send(socket, head(chunked), `${'f'.repeat(30)}\r\n`, body),
  ),
  wrong('lines that end with a line feed alone', improper, ({ socket, body }) =>
    send(socket, head(lengthOf(body)).replaceAll('\r', ''), body),
  ),
  wrong('another protocol', /another protocol/, ({ socket }) =>
    send(socket, headOf('101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket')),
  ),
  wrong('gzip that is none', encodingWrong, ({ socket, body }) =>
    send(socket, head('Content-Encoding: gzip', lengthOf(body)), body),
  ),
  wrong('gzip that is cut', /compressed body ends in the middle/, ({ socket, body }) => {
    const small = half(gzipSync(body));
    send(socket, head('Content-Encoding: gzip', lengthOf(small)), small);
  }),
  wrong('brotli that is none', encodingWrong, ({ socket, body }) =>
    send(socket, head('Content-Encoding: br', lengthOf(body)), body),
  ),
  wrong('an encoding that cannot be undone', encodingWrong, ({ socket, body }) =>
    send(socket, head('Content-Encoding: zstd', lengthOf(body)), body),
  ),
  wrong('two encodings that it is not in', encodingWrong, ({ socket, body }) =>
    send(socket, head('Content-Encoding: gzip, br', lengthOf(body)), body),
  ),
];

const status = (what: string, write: WireAnswer['write']): WireAnswer => ({ what, outcome: 'status', write });

/** Answers that are no files, and redirects to nowhere. */
const refusals: WireAnswer[] = [
  status('204 with a body', ({ socket, body }) =>
    send(socket, headOf('204 No Content', lengthOf(body)), body),
  ),
  status('304 with a body', ({ socket, body }) => send(socket, headOf('304 Same', lengthOf(body)), body)),
  status('206 unasked', ({ socket, body }) =>
    send(socket, headOf('206 Part', 'Content-Range: bytes 0-9/20', lengthOf(body)), body),
  ),
  status('404 with a large page, closed', ({ socket, body }) => {
    send(socket, headOf('404 Gone', close), body);
    socket.end();
  }),
  status('500 that is cut', ({ socket, body }) => {
    send(socket, headOf('500 Broken', lengthOf(body)), half(body));
    socket.end();
  }),
  status('999', ({ socket, body }) => send(socket, headOf('999 What', lengthOf(body)), body)),
  status('302 without a location', ({ socket }) => send(socket, headOf('302 Found', 'Content-Length: 0'))),
  wrong('a redirect to itself', /redirects too often/, ({ socket, address }) =>
    send(socket, headOf('307 Moved', `Location: ${address}`, 'Content-Length: 0')),
  ),
  wrong('a redirect to no address', /malformed|neither http nor https/, ({ socket }) =>
    send(socket, headOf('307 Moved', 'Location: http://[', 'Content-Length: 0')),
  ),
  wrong('a redirect to another protocol', /neither http nor https/, ({ socket }) =>
    send(socket, headOf('307 Moved', 'Location: file:///etc/passwd', 'Content-Length: 0')),
  ),
  {
    ...wrong(
      'a redirect to where nothing listens',
      /127\.0\.0\.1:1\/ .*nothing listens there/,
      ({ socket }) => send(socket, headOf('307 Moved', 'Location: http://127.0.0.1:1/', 'Content-Length: 0')),
    ),
    leadsAway: true,
  },
];

export const wrongAnswers: WireAnswer[] = [...cutAnswers, ...improperAnswers, ...refusals];

/** Answers that stop and never go on. Whoever asks has to give up by themselves. */
export const stoppingAnswers: WireAnswer[] = [
  wrong('nothing, for ever', /did not answer in time/, () => undefined),
  wrong('half a head, for ever', /did not answer in time/, ({ socket }) =>
    socket.write('HTTP/1.1 200 OK\r\nCont'),
  ),
  wrong('interim answers, for ever', /did not answer in time/, async ({ socket }) => {
    while (!socket.destroyed) {
      socket.write(interim('102 Processing'));
      await sleep(5_000);
    }
  }),
  wrong('half its length, for ever', /did not answer in time/, ({ socket, body }) =>
    send(socket, head(lengthOf(body)), half(body)),
  ),
  wrong('half a chunk, for ever', /did not answer in time/, ({ socket, body }) =>
    send(socket, head(chunked), half(chunk(body))),
  ),
];
