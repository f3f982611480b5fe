import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WordSession } from '../../client/word/word-session.ts';
import { signJwt } from '../../test/support/bad-requests.ts';
import { ConverterProcess } from '../../test/support/converter-process.ts';
import { RestartablePostgres } from '../../test/support/fault-postgres.ts';
import { freePort } from '../../test/support/free-port.ts';
import { wordSource } from '../../test/support/histories/word-client.ts';
import { TestIntegrator } from '../../test/support/integrator.ts';
import { TestNginx } from '../../test/support/nginx.ts';
import { QuireProcess } from '../../test/support/quire-process.ts';
import { startRedis, type TestRedis } from '../../test/support/redis.ts';
import { TestS3 } from '../../test/support/s3-server.ts';
import { SteadyTypist } from '../../test/support/steady-typist.ts';
import { TestPrometheus } from './prometheus.ts';

const secret = 'the secret of the integrator of incidents, long enough';
/** Of the small disk: above what `QuireDiskAlmostFull` warns of. */
const diskMb = 2_600;

const openingMs = 20_000;
const savingMs = 60_000;

/** Fails after a time. */
const tooLate = async (afterMs: number): Promise<never> => {
  await delay(afterMs);
  throw new Error('not done in time');
};

export interface WorldSize {
  people: number;
  scrapeS: number;
  /** Where files are: a directory, a disk of its own that can be filled, or S3. */
  files: 'directory' | 'disk' | 's3';
}

interface WorldParts {
  integrator: TestIntegrator;
  postgres: RestartablePostgres;
  redis: TestRedis;
  s3: TestS3 | null;
  blobDir: string;
  environment: Readonly<Record<string, string>>;
  nodes: readonly QuireProcess[];
  nginx: TestNginx;
  prometheus: TestPrometheus;
  converter: ConverterProcess;
  size: WorldSize;
}

/**
 * Three nodes behind the nginx that is shipped, with PostgreSQL, Redis, a converter of its own with LibreOffice, Prometheus
 * with the rules that are shipped, and people who type, come and go.
 */
export class IncidentWorld {
  readonly parts: Readonly<WorldParts>;
  converter: ConverterProcess;
  readonly typists: SteadyTypist[] = [];
  /** What the integrator signs tokens with. */
  signsWith = secret;
  readonly #visits = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #number = 0;
  refusedVisits = 0;

  private constructor(parts: WorldParts) {
    this.parts = parts;
    this.converter = parts.converter;
  }

  static async start(size: WorldSize): Promise<IncidentWorld> {
    const [integrator, postgres, redis] = await Promise.all([
      TestIntegrator.start(),
      RestartablePostgres.start(),
      startRedis(),
    ]);
    const s3 = size.files === 's3' ? await TestS3.start() : null;
    const blobDir = await mkdtemp(path.join(os.tmpdir(), 'quire-incidents-'));
    if (size.files === 'disk')
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', blobDir]);
    const environment = {
      ...{ JWT_SECRET: secret, ALLOW_PRIVATE_IP_ADDRESS: 'true', EXAMPLE_ENABLED: 'false' },
      ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, DATABASE_POOL_SIZE: '8' },
      ...(s3 ? s3.environment : { BLOB_DIR: blobDir }),
      JWT_SESSION_SECRET: 'one secret for all nodes of a rehearsal',
      SECURE_LINK_SECRET: 'another secret for all of its nodes',
      CONVERTER_PROCESSES: '0',
      CLOSING_GRACE_MS: '1000',
    };
    const ports = await Promise.all(Array.from({ length: 3 }, freePort));
    const nodes: QuireProcess[] = [];
    for (const [at, port] of ports.entries()) {
      nodes.push(
        await QuireProcess.start({ ...environment, PORT: String(port), NODE_NAME: `quire-${at + 1}` }),
      );
    }
    const nginx = await TestNginx.start(ports);
    const targets = ports.map((port) => `127.0.0.1:${port}`);
    const prometheus = await TestPrometheus.start(targets, size.scrapeS);
    const converter = await ConverterProcess.start({ ...environment, LIBREOFFICE: 'auto' });
    return new IncidentWorld({
      ...{ integrator, postgres, redis, s3, blobDir, environment, nodes },
      ...{ nginx, prometheus, converter, size },
    });
  }

  async startConverter(): Promise<void> {
    this.converter = await ConverterProcess.start({ ...this.parts.environment, LIBREOFFICE: 'auto' });
  }

  /** What a page of the integrator gives an editor: its addresses and the signed token. */
  #page(
    key: string,
    userId: string,
  ): { url: string; key: string; sourceUrl: string; callbackUrl: string; token: string } {
    const { integrator, nginx } = this.parts;
    const sourceUrl = integrator.serve(`${key}.docx`, { bytes: wordSource() });
    const callbackUrl = integrator.callbackUrl(key);
    const claims = {
      document: { key, url: sourceUrl, fileType: 'docx', title: 'a.docx', permissions: { edit: true } },
      editorConfig: { callbackUrl, mode: 'edit', user: { id: userId, name: userId } },
    };
    return { url: nginx.address, key, sourceUrl, callbackUrl, token: signJwt(claims, this.signsWith) };
  }

  /** People who stay, in pairs, and one every two seconds who opens a document, types and leaves. */
  async populate(): Promise<void> {
    for (let number = 0; number < this.parts.size.people; number += 1) {
      const userId = `u${number}-`;
      const typist = new SteadyTypist({ ...this.#page(`stay-${Math.floor(number / 2)}`, userId), userId });
      await typist.client.open();
      this.typists.push(typist);
    }
    let turn = 0;
    this.#timer = setInterval(() => {
      for (let at = turn % 10; at < this.typists.length; at += 10) this.typists[at]!.type();
      if (turn % 10 === 0) this.#comeAndGo();
      turn += 1;
    }, 200);
  }

  #comeAndGo(): void {
    if (this.#visits.size > 60) return;
    this.#number += 1;
    const visit = this.#visit(this.#number).finally(() => this.#visits.delete(visit));
    this.#visits.add(visit);
  }

  /** Somebody opens a document in our word editor, writes a word and leaves; its file is made and delivered. */
  async #visit(number: number): Promise<void> {
    const userId = `v${number}-`;
    const { url, key, sourceUrl, callbackUrl, token } = this.#page(`visit-${number}`, userId);
    const session = new WordSession({
      ...{ url, key, token, clientId: userId },
      auth: {
        ...{ user: { id: userId, username: userId }, permissions: { edit: true }, mode: 'edit' },
        ...{ coEditingMode: 'fast', documentCallbackUrl: callbackUrl },
        openCmd: { format: 'docx', url: sourceUrl, title: 'a.docx' },
      },
      download: async (address) => (await fetch(address)).text(),
    });
    try {
      await Promise.race([session.open(), tooLate(openingMs)]);
      session.dispatch(session.state.tr.insertText('more ', 1));
      await Promise.race([session.saved(), tooLate(savingMs)]);
    } catch {
      this.refusedVisits += 1;
    } finally {
      await Promise.race([session.close().catch(() => undefined), delay(2_000)]);
    }
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    const closing = this.typists.map(({ client }) => client.close().catch(() => undefined));
    await Promise.race([Promise.all([...closing, ...this.#visits]), delay(5_000)]);
    await this.parts.prometheus.close();
    await this.parts.nginx.close();
    await Promise.all([...this.parts.nodes.map((node) => node.remove()), this.converter.remove()]);
    await Promise.all([
      this.parts.integrator.close(),
      this.parts.redis.stop(),
      this.parts.postgres.remove(),
      this.parts.s3?.close(),
    ]);
    if (this.parts.size.files === 'disk') execFileSync('umount', [this.parts.blobDir]);
    await rm(this.parts.blobDir, { recursive: true, force: true });
  }
}
