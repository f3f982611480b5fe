import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from './free-port.ts';
import { goProgram } from './go-program.ts';
import { listening } from './listening.ts';

const program = goProgram('versitygw');

/** Whether this machine has the S3 server of the tests; without it, tests that need one are skipped, which vitest says. */
export const hasS3Server = program !== undefined;

/** A server of S3 (versitygw on a scratch directory) with one bucket. It checks keys, signatures and times as AWS does. */
export class TestS3 {
  readonly bucket = 'documents';
  readonly accessKeyId = 'test-access-key';
  readonly secretAccessKey = 'a secret of tests';
  readonly #directory: string;
  readonly #port: number;
  #child: ChildProcess | null = null;

  private constructor(directory: string, port: number) {
    this.#directory = directory;
    this.#port = port;
  }

  static async start(): Promise<TestS3> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-test-s3-'));
    const s3 = new TestS3(directory, await freePort());
    await s3.resume();
    await s3.createBucket(s3.bucket);
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The settings with which a server uses this bucket. */
  get environment(): Record<string, string> {
    return {
      BLOB_STORE: 's3',
      S3_ENDPOINT: this.endpoint,
      S3_BUCKET: this.bucket,
      S3_ACCESS_KEY_ID: this.accessKeyId,
      S3_SECRET_ACCESS_KEY: this.secretAccessKey,
    };
  }

  async createBucket(name: string): Promise<void> {
    const { accessKeyId, secretAccessKey } = this;
    const client = new S3Client({
      region: 'us-east-1',
      endpoint: this.endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    await client.send(new CreateBucketCommand({ Bucket: name }));
    client.destroy();
  }

  /** Ends the server: from now on nothing listens on its port. */
  async pause(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = null;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Starts the server on what it stored before. */
  async resume(): Promise<void> {
    const child = spawn(
      program!,
      ['--port', `127.0.0.1:${this.#port}`, '--quiet', 'posix', this.#directory],
      {
        env: { ...process.env, ROOT_ACCESS_KEY: this.accessKeyId, ROOT_SECRET_KEY: this.secretAccessKey },
        stdio: 'ignore',
      },
    );
    this.#child = child;
    await listening('The S3 server', this.#port, child);
  }

  async close(): Promise<void> {
    await this.pause();
    await rm(this.#directory, { recursive: true, force: true });
  }
}
