import type { IncomingHttpHeaders } from 'node:http';
import { HttpClient } from '../../platform/outgoing/http-client.ts';
import { Deadline } from '../../platform/outgoing/limits.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import { readBody } from '../../platform/outgoing/response-body.ts';

/** What is asked of an address. */
interface Question {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
  /** Whether redirects are followed; false unless set, so that what a proxy says is seen. */
  followsRedirects?: boolean;
  /** 10 s unless set. */
  timeoutMs?: number;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  content: Buffer;
}

/** The largest answer of those that checks look into, bytes: scripts, lists of formats, and files that they have put there. */
const maxAnswerBytes = 256 * 1_048_576;

/**
 * Asks an address that the operator named, wherever it leads. What goes wrong is an answer as well: whatever a proxy or a
 * storage sends, a check tells of it.
 */
export async function ask(
  url: string,
  { method = 'GET', headers, body, followsRedirects = false, timeoutMs = 10_000 }: Question = {},
): Promise<Answer | RequestError> {
  const http = HttpClient.forOperator();
  const deadline = new Deadline(timeoutMs);
  const { signal } = deadline;
  try {
    const response = await http.send({
      ...{ url, method, headers, body, followsRedirects, signal },
      ...{ fromVerifiedToken: false, idleTimeoutMs: timeoutMs },
    });
    const content = await readBody(response, maxAnswerBytes, signal);
    return { status: response.status, headers: response.headers, content };
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  } finally {
    deadline.release();
    await http.close();
  }
}
