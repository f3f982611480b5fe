import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { hasS3Server, TestS3 } from '../../../test/support/s3-server.ts';
import { loadConfig } from '../../config.ts';
import { BlobDamagedError } from '../../ports/blob-store.ts';
import { openS3BlobStore } from './open-s3-blob-store.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'quire-s3-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function open(environment: Readonly<Record<string, string>>) {
  return openS3BlobStore(loadConfig({ DATA_DIR: directory, ...environment }));
}

describe.skipIf(!hasS3Server)('S3 blob store (needs versitygw)', () => {
  let s3: TestS3;
  let settings: Record<string, string>;
  let client: S3Client;
  beforeAll(async () => {
    s3 = await TestS3.start();
    client = new S3Client({
      region: 'us-east-1',
      endpoint: s3.endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
    });
  });
  afterAll(async () => {
    client.destroy();
    await s3.close();
  });
  beforeEach(() => {
    settings = { ...s3.environment, S3_PREFIX: `${randomUUID()}/` };
  });

  test('[OS1] a stream larger than one request is stored in parts and read back', async () => {
    const store = open(settings);
    const chunks = Array.from({ length: 30 }, () => randomBytes(1_000_000));
    const whole = Buffer.concat(chunks);
    expect(await store.put(Readable.from(chunks))).toEqual({ hash: sha256(whole), sizeBytes: 30_000_000 });
    expect((await store.read(sha256(whole))).equals(whole)).toBe(true);
    const range = await buffer((await store.open(sha256(whole), { start: 9_999_990, end: 10_000_009 }))!);
    expect(range.equals(whole.subarray(9_999_990, 10_000_010))).toBe(true);
    expect(readdirSync(path.join(directory, 'unsent-blobs'))).toEqual([]);
  });

  test('[OS2] a sweep ends uploads that were interrupted', async () => {
    const store = open(settings);
    const Key = `${settings.S3_PREFIX}blobs/${sha256(Buffer.from('x'))}`;
    await client.send(new CreateMultipartUploadCommand({ Bucket: s3.bucket, Key }));
    expect(await store.sweep(3_600_000)).toBe(0);
    expect(await store.sweep(-60_000)).toBe(1);
    expect(await store.sweep(-60_000)).toBe(0);
  });

  test('[OS3] what is old and named nowhere is removed, and comes back when it is missed after all', async () => {
    const store = open(settings);
    const [named, unnamed] = [await store.put(Buffer.from('named')), await store.put(Buffer.from('unnamed'))];
    const unreferenced = async (hashes: readonly string[]) => hashes.filter((one) => one !== named.hash);
    expect(await store.prune(3_600_000, unreferenced)).toBe(0);
    expect(await store.prune(-60_000, unreferenced)).toBe(1);
    expect((await listOf(store)).map(({ hash }) => hash)).toEqual([named.hash]);
    expect((await store.read(unnamed.hash)).toString()).toBe('unnamed');
    expect(await store.prune(-60_000, async () => [])).toBe(0);
    expect((await listOf(store)).length).toBe(2);
  });

  test('[OS3] what nobody has missed for as long again is deleted for good', async () => {
    const store = open(settings);
    const { hash } = await store.put(Buffer.from('unnamed'));
    const all = async (hashes: readonly string[]) => hashes;
    expect(await store.prune(-60_000, all)).toBe(1);
    expect(await store.prune(-60_000, all)).toBe(0);
    expect(await store.sizeOf(hash)).toBeUndefined();
  });

  test('[OS3] what is named again before it is deleted for good comes back', async () => {
    const store = open(settings);
    const { hash } = await store.put(Buffer.from('late'));
    await store.prune(-60_000, async (hashes) => hashes);
    await store.prune(-60_000, async () => []);
    expect(await listOf(store)).toEqual([{ hash, sizeBytes: 4 }]);
  });

  test('[OS4] a direct link gives the blob with its type and name, from the address that clients know', async () => {
    const store = open({
      ...settings,
      S3_LINKS: 'direct',
      S3_PUBLIC_ENDPOINT: s3.endpoint.replace('127.0.0.1', 'localhost'),
    });
    const { hash } = await store.put(Buffer.from('content'));
    const headers = { contentType: 'text/plain', contentDisposition: 'attachment; filename="a.txt"' };
    const link = await store.directLinks!.linkTo(hash, headers, 60);
    expect(new URL(link).hostname).toBe('localhost');
    const response = await fetch(link);
    expect([response.status, await response.text()]).toEqual([200, 'content']);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('content-disposition')).toBe(headers.contentDisposition);
    const signature = new URL(link).searchParams.get('X-Amz-Signature')!;
    const another = (signature.startsWith('0') ? '1' : '0') + signature.slice(1);
    expect((await fetch(link.replace(signature, another))).status).toBe(403);
    expect(
      new URL(await store.directLinks!.linkTo(hash, headers, 9_999)).searchParams.get('X-Amz-Expires'),
    ).toBe('900');
    expect(open(settings).directLinks).toBeUndefined();
  });

  test('[OS5] errors name their cause', async () => {
    const failure = (changed: Readonly<Record<string, string>>) =>
      open({ ...settings, S3_ATTEMPTS: '1', ...changed })
        .put(Buffer.from('x'))
        .then(
          () => null,
          (error: Error) => error,
        );
    expect(await failure({ S3_BUCKET: 'no-such-bucket' })).toMatchObject({
      code: 'no-bucket',
      status: 503,
    });
    expect(await failure({ S3_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject({
      code: expect.stringMatching(/credentials|denied/),
    });
    expect(await failure({ S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` })).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('documents at http://127.0.0.1'),
    });
    expect(await failure({ S3_ENDPOINT: 'http://storage.invalid' })).toMatchObject({
      code: 'unreachable',
    });
    for (const read of [(store: ReturnType<typeof open>) => store.sizeOf(sha256(Buffer.from('x')))]) {
      const store = open({ ...settings, S3_BUCKET: 'no-such-bucket' });
      await expect(read(store)).rejects.toMatchObject({ code: 'no-bucket' });
    }
  });

  test('[OS8] a store that was away is used again as soon as it answers', async () => {
    const own = await TestS3.start();
    try {
      const store = open({ ...own.environment, S3_ATTEMPTS: '1' });
      const { hash } = await store.put(Buffer.from('before'));
      await own.pause();
      await expect(store.read(hash)).rejects.toMatchObject({ code: 'unreachable' });
      await expect(store.put(Buffer.from('during'))).rejects.toMatchObject({ code: 'unreachable' });
      await own.resume();
      expect((await store.read(hash)).toString()).toBe('before');
      await store.put(Buffer.from('during'));
    } finally {
      await own.close();
    }
  });

  const listOf = async (store: ReturnType<typeof open>) => {
    const listed = [];
    for await (const blob of store.all()) listed.push(blob);
    return listed;
  };
});

describe('S3 blob store, with servers that misbehave', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      await new Promise((done) => server.close(done).closeAllConnections());
    }
  });

  async function openAt(listener: RequestListener, more: Readonly<Record<string, string>> = {}) {
    const server = createServer(listener).listen(0, '127.0.0.1');
    servers.push(server);
    await new Promise((done) => server.once('listening', done));
    const { port } = server.address() as AddressInfo;
    return open({
      ...{
        BLOB_STORE: 's3',
        S3_BUCKET: 'documents',
        S3_ACCESS_KEY_ID: 'key',
        S3_SECRET_ACCESS_KEY: 'secret',
      },
      ...{ S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_ATTEMPTS: '1', ...more },
    });
  }
  const xml = (code: string) =>
    `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`;

  test.each([
    ['RequestTimeTooSkewed', 403, 'clock'],
    ['InvalidAccessKeyId', 403, 'credentials'],
    ['SignatureDoesNotMatch', 403, 'credentials'],
    ['AccessDenied', 403, 'denied'],
    ['AuthorizationHeaderMalformed', 400, 'region'],
    ['SlowDown', 503, 'overloaded'],
    ['EntityTooLarge', 400, 'refused'],
  ])('[OS5] the answer %s is told as its cause', async (code, status, failure) => {
    const store = await openAt((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml(code)),
    );
    await expect(store.read(sha256(Buffer.from('x')))).rejects.toMatchObject({ code: failure });
  });

  test('[OS5] a server that says nothing is given up in time, before and within an answer', async () => {
    let begins = false;
    const store = await openAt(
      (_request, response) => {
        if (begins) response.writeHead(200, { 'content-length': '100' }).write('half');
      },
      { S3_TIMEOUT_MS: '150' },
    );
    const hash = sha256(Buffer.from('x'));
    await expect(store.read(hash)).rejects.toMatchObject({ code: 'timeout' });
    begins = true;
    await expect(store.read(hash)).rejects.toMatchObject({
      code: expect.stringMatching(/timeout|unreachable/),
    });
  });

  test.each([
    ['interim answers without end', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['a change of the protocol', 'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('[OS5] a server that gives %s and no answer is given up in time', async (_what, said) => {
    const store = await openAt(
      ({ socket }) => {
        const saying = setInterval(() => socket.write(said), 50);
        socket.once('close', () => clearInterval(saying));
      },
      { S3_TIMEOUT_MS: '150' },
    );
    await expect(store.read(sha256(Buffer.from('x')))).rejects.toMatchObject({ code: 'timeout' });
  });

  test.each<[string, string, RegExp]>([
    ['nothing and ends', '', /it gives no whole answer: the connection is cut \(ECONNRESET\)$/],
    ['no HTTP', '220 mail.test ESMTP\r\n', /it does not speak HTTP \(HPE_INVALID_CONSTANT\)$/],
    ['half an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf', /the connection is cut/],
    ['a redirect', 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n', /it answers with status 302$/],
  ])('[OS5] of a server that says %s people are told so', async (_what, said, told) => {
    const store = await openAt(({ socket }) => socket.end(said), { S3_ATTEMPTS: '1' });
    await expect(store.read(sha256(Buffer.from('x')))).rejects.toThrow(told);
  });

  test('[OS9] a request that fails in passing is sent again, also when its answer breaks off', async () => {
    const content = Buffer.from('content');
    let requests = 0;
    const store = await openAt(
      (_request, response) => {
        requests += 1;
        if (requests === 1)
          response.writeHead(503, { 'content-type': 'application/xml' }).end(xml('SlowDown'));
        else if (requests === 2)
          response.writeHead(200, { 'content-length': '7' }).write('con', () => response.destroy());
        else response.writeHead(200, { 'content-length': '7' }).end(content);
      },
      { S3_ATTEMPTS: '3' },
    );
    expect(await store.read(sha256(content))).toEqual(content);
  });

  test('[OS12] objects are sent with hash and encryption, signed with the key of the environment if there is no other', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key-of-the-environment');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'its secret');
    const requests: { method?: string; url?: string; headers: Record<string, unknown> }[] = [];
    const store = await openAt(
      ({ method, url, headers }, response) => {
        requests.push({ ...(method && { method }), ...(url && { url }), headers });
        response.writeHead(method === 'HEAD' ? 404 : 200).end();
      },
      {
        ...{ S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '', S3_PREFIX: 'here/' },
        ...{ S3_ENCRYPTION: 'aws:kms', S3_KMS_KEY_ID: 'key-1' },
      },
    );
    try {
      const { hash } = await store.put(Buffer.from('content'));
      const put = requests.find(({ method }) => method === 'PUT')!;
      expect(new URL(put.url!, 'http://here').pathname).toBe(`/documents/here/blobs/${hash}`);
      expect(put.headers).toMatchObject({
        authorization: expect.stringContaining('Credential=key-of-the-environment/'),
        'x-amz-checksum-sha256': Buffer.from(hash, 'hex').toString('base64'),
        'x-amz-server-side-encryption': 'aws:kms',
        'x-amz-server-side-encryption-aws-kms-key-id': 'key-1',
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('[BL9] bytes that are not the ones that were stored are reported as damaged', async () => {
    const store = await openAt((_request, response) => response.end('c0ntent'));
    await expect(store.read(sha256(Buffer.from('content')))).rejects.toThrow(BlobDamagedError);
  });
});
