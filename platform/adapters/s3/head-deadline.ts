import type { S3Client } from '@aws-sdk/client-s3';
import { Deadline } from '../../outgoing/limits.ts';

/** Slower than this no request is sent, bytes in a millisecond. */
const slowestBytesPerMs = 10;

/**
 * Limits how long a client waits for the head of an answer, in each attempt: three times the longest silence, and the time
 * that sending takes on the slowest network. What is no silence, as interim answers without end, and a change of the protocol,
 * of which Node tells that client nothing, would be waited for without an end.
 */
export function limitWaitForHead(client: S3Client, timeoutMs: number): void {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options) => {
    const sentBytes = Number(request.headers['content-length'] ?? 0);
    const parent = (options as { abortSignal?: unknown } | undefined)?.abortSignal;
    const waitMs = 3 * timeoutMs + sentBytes / slowestBytesPerMs;
    const deadline = new Deadline(waitMs, parent instanceof AbortSignal ? parent : undefined);
    const { signal } = deadline;
    const late = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      return await Promise.race([handle(request, { ...options, abortSignal: signal }), late]);
    } finally {
      deadline.release();
    }
  };
}
