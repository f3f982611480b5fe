import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { QuireError } from '../../platform/quire-error.ts';
import type { RefusalBody, RefusalCode } from '../api.ts';

const statuses: Readonly<Record<RefusalCode, number>> = {
  'bad-request': 400,
  'not-allowed': 403,
  'other-site': 403,
  'not-found': 404,
  'too-large': 413,
  'too-many': 409,
  'empty-file': 422,
  'unknown-type': 415,
  'wrong-content': 422,
  'protected-file': 422,
  'bad-title': 422,
  'still-open': 409,
  'server-unreachable': 502,
  internal: 500,
};

/** A request is refused for a reason that the client may know. */
export class Refusal extends QuireError<RefusalCode> {
  readonly status: number;

  constructor(code: RefusalCode, message: string) {
    super(code, message, { level: 'info' });
    this.status = statuses[code];
  }
}

/** Answers errors as JSON; what is no refusal is logged, and the answer says nothing of it. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (error: Error & { status?: number }, request, response, _next) => {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal') log.error({ err: error, path: request.path }, 'A request failed');
    if (response.headersSent) return void response.destroy();
    const body: RefusalBody = { error: { code: refusal.code, message: refusal.message } };
    response.status(refusal.status).json(body);
  };
}

function refusalOf(error: Error & { status?: number }): Refusal {
  if (error instanceof Refusal) return error;
  // Express and its body parser name the status of what a client did wrong.
  if (error.status === 413) return new Refusal('too-large', 'The request is too large.');
  if (error.status !== undefined && error.status < 500) {
    return new Refusal('bad-request', 'The request is malformed.');
  }
  return new Refusal('internal', 'Something went wrong here.');
}
