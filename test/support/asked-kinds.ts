import { openS3BlobStore } from '../../platform/adapters/s3/open-s3-blob-store.ts';
import { loadConfig } from '../../platform/config.ts';
import { KeyedMutex } from '../../platform/keyed-mutex.ts';
import { ask } from '../../services/doctor/ask.ts';
import { eventually } from './eventually.ts';
import { Scrape } from './scrape.ts';
import { docxOf, jsonOf, pngOf, sha256Of } from './sized-bodies.ts';
import { answerWithinMs, type StrangePlace, type StrangeWorld, wopiInfo } from './strange-world.ts';
import type { WireOutcome } from './wire-answers.ts';
import { openWopiPage } from './wopi-page.ts';

/** What a request of the server's came to, as its client sees it: `whole`, or what it was told in place of the body. */
type Seen = string;

/** A kind of requests that the server sends to strangers. */
export interface AskedKind {
  what: string;
  /** How often each answer is met. */
  times: number;
  /** The files that it fetches are of this type; null where it fetches none that a server of files could have. */
  fetches: 'docx' | 'png' | null;
  /** A body of so many bytes that is of use for it, where so many can be. */
  bodyOf(sizeBytes: number): Buffer;
  /** What is seen of a whole body of so many bytes; `whole` unless given. */
  ofWhole?(sizeBytes: number): Seen;
  /** What is seen of the other outcomes. */
  seen: Readonly<Record<Exclude<WireOutcome, 'whole' | 'either'>, RegExp>>;
  /** Whether the server itself asks, and says in its log why it got no body. */
  logs: boolean;
  /** Right answers that it does not take. */
  refuses?: RegExp;
  /** Answers that are wrong in what it does not look at: it takes them or not. */
  overlooks?: RegExp;
  /** Has the server ask, so many times at once. */
  ask(world: StrangeWorld, place: StrangePlace, times: number): Promise<Seen[]>;
}

/**
 * How often each answer is met. What chance decides, as which event of a connection comes first, it decides in the client
 * that all kinds share: it is tried often by the kind whose requests cost least, and where one costs a conversion, an
 * opening or four attempts with a second between them, that its error gets through is tried a few times.
 */
const [often, some, few] = [50, 5, 2];

const many = (times: number, ask: () => Promise<Seen>): Promise<Seen[]> =>
  Promise.all(Array.from({ length: times }, ask));

const seenOf = (bytes: Uint8Array, { body }: StrangePlace): Seen =>
  sha256Of(bytes) === sha256Of(body) ? 'whole' : `${bytes.length} other bytes`;

const fetched = async (url: unknown, place: StrangePlace): Promise<Seen> =>
  seenOf(new Uint8Array(await (await fetch(String(url))).arrayBuffer()), place);

/** The hash of what a document was opened from. */
async function sourceOf(world: StrangeWorld, key: string, { body }: StrangePlace): Promise<Seen> {
  const { rows } = await world.database.pool.query('SELECT source_hash FROM documents WHERE key = $1', [key]);
  return rows[0]?.source_hash === sha256Of(body) ? 'whole' : 'another source';
}

const opening: AskedKind = {
  what: 'the source of an opening',
  times: few,
  fetches: 'docx',
  logs: true,
  bodyOf: docxOf,
  ofWhole: (sizeBytes) => (sizeBytes > 1 ? 'whole' : '-86'),
  seen: { error: /^-81$/, status: /^-81$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const url = world.addressOf(place, 'docx');
      const { client, key, data } = await world.open(url, world.goodCallback);
      client.cut();
      return data.status === 'ok' ? sourceOf(world, key, place) : String(data.data);
    }),
};

const conversion: AskedKind = {
  what: 'the source of a conversion',
  times: few,
  fetches: 'docx',
  logs: true,
  bodyOf: docxOf,
  ofWhole: (sizeBytes) => (sizeBytes > 1 ? 'whole' : '-3'),
  seen: { error: /^-4$/, status: /^-4$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const [url, key] = [world.addressOf(place, 'docx'), world.newKey()];
      const answer = await world.post('/converter', { url, key, filetype: 'docx', outputtype: 'docx' });
      const { error, fileUrl } = (await answer.json()) as { error?: number; fileUrl?: string };
      return error === undefined ? fetched(fileUrl, place) : String(error);
    }),
};

const picture: AskedKind = {
  what: 'a picture by its address',
  times: some,
  fetches: 'png',
  logs: true,
  bodyOf: pngOf,
  ofWhole: (sizeBytes) => (sizeBytes < 100 ? '-102' : sizeBytes > 26_214_400 ? '-101' : 'whole'),
  seen: { error: /^-104$/, status: /^-104$/ },
  ask: async (world, place, times) => {
    const { client, key } = await world.open(world.goodSource, world.goodCallback);
    const url = world.addressOf(place, 'png');
    const seen = await many(times, async () => {
      const message = { c: 'imgurls', id: key, userid: 'ann', saveindex: 1, data: [url] };
      client.send({ type: 'openDocument', message });
      const { data } = await client.next(
        'documentOpen',
        (said) => said.data.type === 'imgurls',
        answerWithinMs,
      );
      const { urls } = data.data as unknown as { urls: { url: string; errorCode?: number }[] };
      const [{ url: link, errorCode }] = urls as [{ url: string; errorCode?: number }];
      return errorCode === undefined ? fetched(link, place) : String(errorCode);
    });
    client.cut();
    return seen;
  },
};

const page: AskedKind = {
  what: 'a file for the page of an editor',
  times: often,
  fetches: 'docx',
  logs: true,
  bodyOf: docxOf,
  seen: { error: /^(400|408|cut off)$/, status: /^([45]\d\d|206|999)$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const changesUrl = world.addressOf(place, 'zip');
      const claims = { version: 2, key: 'k', url: changesUrl, changesUrl };
      const answer = await world.post('/downloadfile/k', claims, { url: changesUrl });
      const bytes = await answer.arrayBuffer().catch(() => null);
      if (answer.status !== 200) return String(answer.status);
      return bytes === null ? 'cut off' : seenOf(new Uint8Array(bytes), place);
    }),
};

const inTurn = new KeyedMutex();

/** How many callbacks of closed documents were accepted, and refused. */
async function answeredCallbacks(world: StrangeWorld): Promise<{ accepted: number; refused: number }> {
  const metrics = await Scrape.of(world.quire.address);
  const of = (accepted: string) =>
    metrics.sum('quire_callback_duration_seconds_count', { accepted, status: '4' });
  return { accepted: of('true'), refused: of('false') };
}

/** A document whose own callback, that it is closed, was accepted and is counted. */
async function newClosedDocument(world: StrangeWorld): Promise<string> {
  const before = await answeredCallbacks(world);
  const key = await world.closedDocument();
  await eventually(
    () => answeredCallbacks(world),
    ({ accepted }) => accepted > before.accepted,
  );
  return key;
}

/** Documents for answers of which the log says nothing. */
const shared = new WeakMap<StrangeWorld, string>();

/** The document of a callback. The log says once why those of a document are refused: what is looked for has one of its own. */
async function documentOf(world: StrangeWorld, { answer }: StrangePlace): Promise<string> {
  if (answer.said) return newClosedDocument(world);
  const key = shared.get(world) ?? (await newClosedDocument(world));
  shared.set(world, key);
  return key;
}

const callback: AskedKind = {
  what: 'a callback',
  times: some,
  fetches: null,
  logs: true,
  bodyOf: (sizeBytes) => jsonOf({ error: 0 }, sizeBytes),
  ofWhole: (sizeBytes) => (sizeBytes > 1 && sizeBytes <= 65_536 ? 'whole' : 'refused'),
  seen: { error: /^refused$/, status: /^refused$/ },
  ask: (world, place, times) =>
    inTurn.run('callbacks', async () => {
      const key = await documentOf(world, place);
      const before = await answeredCallbacks(world);
      const url = world.addressOf(place, 'json');
      await many(times, async () => {
        await (await world.post('/command', { c: 'info', key, callback: url })).json();
        return 'asked';
      });
      const after = await eventually(
        () => answeredCallbacks(world),
        ({ accepted, refused }) => accepted + refused === before.accepted + before.refused + times,
        answerWithinMs,
      );
      return [
        ...Array<Seen>(after.accepted - before.accepted).fill('whole'),
        ...Array<Seen>(after.refused - before.refused).fill('refused'),
      ];
    }),
};

const checkFileInfo: AskedKind = {
  what: 'CheckFileInfo of a WOPI host',
  times: some,
  fetches: null,
  logs: true,
  bodyOf: (sizeBytes) => jsonOf(wopiInfo(1_000), sizeBytes),
  ofWhole: (sizeBytes) => (sizeBytes > 1 && sizeBytes <= 1_048_576 ? 'whole' : '502'),
  seen: { error: /^502$/, status: /^(200|404|502)$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const source = world.wopiSourceOf({ ...place, of: 'CheckFileInfo' });
      const { status } = await openWopiPage(world.quire.address, source, 'token', { mode: 'view' });
      return status === 200 ? 'whole' : String(status);
    }),
};

const getFile: AskedKind = {
  what: 'GetFile of a WOPI host',
  times: few,
  fetches: null,
  logs: true,
  bodyOf: docxOf,
  ofWhole: (sizeBytes) => (sizeBytes > 1 ? 'whole' : '-86'),
  seen: { error: /^-81$/, status: /^-81$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const source = world.wopiSourceOf({
        ...place,
        of: 'GetFile',
        toldBytes: Math.max(1, place.body.length),
      });
      const { key, token } = await openWopiPage(world.quire.address, source, 'token', { mode: 'view' });
      const { client, data } = await world.openWith(key, token, { mode: 'view' });
      client.cut();
      return data.status === 'ok' ? sourceOf(world, key, place) : String(data.data);
    }),
};

/** What a page says of the lock that it wanted. */
const noticeIn = (html: string): string => /The storage did not lock the file[^.]*/.exec(html)?.[0] ?? '';

const lock: AskedKind = {
  what: 'the lock of a WOPI host',
  times: some,
  fetches: null,
  logs: true,
  bodyOf: (sizeBytes) => jsonOf({}, sizeBytes),
  seen: { error: /^not locked$/, status: /^(whole|not locked)$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const source = world.wopiSourceOf({ ...place, of: 'LOCK', toldBytes: 1_000 });
      const { status, html } = await openWopiPage(world.quire.address, source, 'token');
      return status !== 200 ? String(status) : noticeIn(html) === '' ? 'whole' : 'not locked';
    }),
};

const putFile: AskedKind = {
  what: 'PutFile of a WOPI host',
  times: some,
  fetches: null,
  logs: true,
  bodyOf: (sizeBytes) => jsonOf({ LastModifiedTime: '2026-11-28T12:00:00Z' }, sizeBytes),
  // A page is opened whether or not the host took the beginning of an empty file; the log tells.
  seen: { error: /^whole$/, status: /^whole$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const source = world.wopiSourceOf({ ...place, of: 'PUT', toldBytes: 0 });
      const { status } = await openWopiPage(world.quire.address, source, 'token');
      return status === 200 ? 'whole' : String(status);
    }),
};

const doctor: AskedKind = {
  what: 'a check of the doctor',
  times: often,
  fetches: 'docx',
  logs: false,
  bodyOf: docxOf,
  seen: { error: /^error$/, status: /^(status|error)$/ },
  ask: (world, place, times) =>
    many(times, async () => {
      const answer = await ask(world.addressOf(place, 'docx'), { followsRedirects: true });
      if (answer instanceof Error) return 'error';
      return answer.status === 200 ? seenOf(answer.content, place) : 'status';
    }),
};

const bucket: AskedKind = {
  what: 'a blob in a bucket of S3',
  times: some,
  fetches: null,
  logs: false,
  bodyOf: docxOf,
  // Blobs are stored as they are, and the client of S3 follows no redirects.
  refuses: /compressed|redirect|locations/,
  overlooks: /^(gzip|brotli) that is none|encoding/,
  seen: { error: /^error$/, status: /^(error|whole)$/ },
  async ask(world, place, times) {
    const store = openS3BlobStore({
      ...loadConfig({ BLOB_STORE: 's3', S3_BUCKET: 'documents', S3_ATTEMPTS: '1', S3_TIMEOUT_MS: '2000' }),
      ...{ s3Endpoint: world.bucketOf(place), s3AccessKeyId: 'key', s3SecretAccessKey: 'a secret of tests' },
    });
    const hash = sha256Of(place.body);
    return many(times, () =>
      store.read(hash).then(
        (content) => seenOf(content, place),
        () => 'error',
      ),
    );
  },
};

/** What fetches files. */
export const askedFiles: readonly AskedKind[] = [opening, conversion, picture, page, doctor, bucket];

/** What asks integrators and WOPI hosts. */
export const askedHosts: readonly AskedKind[] = [callback, checkFileInfo, getFile, lock, putFile];
