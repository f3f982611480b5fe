import type { HttpClient } from './http-client.ts';
import { Deadline } from './limits.ts';
import { RequestError } from './request-error.ts';
import { readJson } from './response-body.ts';

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

/**
 * Posts JSON and reads a JSON answer of any status; it may be posted twice. It never throws for what the other side does.
 */
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
      isRepeatable: true,
      idleTimeoutMs: posted.timeoutMs,
      signal,
    });
    return {
      kind: 'answer',
      status: response.status,
      body: await readJson(response, maxAnswerBytes, signal),
    };
  } catch (err) {
    if (err instanceof RequestError) return { kind: 'failure', error: err };
    throw err;
  } finally {
    deadline.release();
  }
}
