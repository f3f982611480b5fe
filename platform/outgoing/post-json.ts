import type { HttpClient, OutgoingResponse } from './http-client.ts';
import { Deadline } from './limits.ts';
import { asRequestError, RequestError } from './request-error.ts';

/** A JSON body to post. */
export interface PostRequest {
  url: string;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
  fromVerifiedToken: boolean;
  /** Longest until the whole answer is there, and longest pause within it, milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** What came back. `body` is undefined when it is not JSON or longer than 64 KiB. */
export type PostOutcome =
  | { kind: 'answer'; status: number; body: unknown }
  | { kind: 'failure'; error: RequestError };

const maxAnswerBytes = 65_536;

/** Posts JSON and reads a JSON answer of any status. It never throws for what the other side does. */
export async function postJson(client: HttpClient, posted: PostRequest): Promise<PostOutcome> {
  const deadline = new Deadline(posted.timeoutMs, posted.signal);
  const { signal } = deadline;
  try {
    const response = await client.send({
      url: posted.url,
      method: 'POST',
      headers: { ...posted.headers, 'content-type': 'application/json' },
      body: JSON.stringify(posted.body),
      fromVerifiedToken: posted.fromVerifiedToken,
      idleTimeoutMs: posted.timeoutMs,
      signal,
    });
    return { kind: 'answer', status: response.status, body: parsed(await readShort(response, signal)) };
  } catch (err) {
    if (err instanceof RequestError) return { kind: 'failure', error: err };
    throw err;
  } finally {
    deadline.release();
  }
}

/** The body as text, or undefined when it is too long. */
async function readShort(response: OutgoingResponse, signal: AbortSignal): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of response.body) {
      chunks.push(chunk as Buffer);
      sizeBytes += (chunk as Buffer).byteLength;
      if (sizeBytes > maxAnswerBytes) return undefined;
    }
  } catch (err) {
    throw asRequestError(err, response.url, signal);
  } finally {
    response.body.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    // A byte order mark, which some servers begin their answers with, is no JSON.
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
