import type { Config } from '../../platform/config.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import { postJson } from '../../platform/outgoing/post-json.ts';
import type { Routing } from '../../platform/ports/document-lifecycle.ts';
import type { Claims, Tokens } from '../../platform/secrets/tokens.ts';
import { traced } from '../../platform/tracing.ts';
import { withRouting } from '../http/routing.ts';

/** Whether a callback was accepted; `reason` is for logs and people. `final`: it is not worth trying again. */
export type CallbackOutcome = { accepted: true } | { accepted: false; reason: string; final?: boolean };

/** Hears how each callback went: its status, whether it was accepted, and how long it took. */
export type AnswerListener = (status: number, accepted: boolean, elapsedMs: number) => void;

/** The application that owns the documents, as far as callbacks go (integration API, section 7). */
export class Integrator {
  readonly #http: HttpClient;
  readonly #tokens: Tokens;
  readonly #config: Pick<Config, 'jwtEnabled' | 'callbackTimeoutMs' | 'callbackRouting'>;
  readonly #onAnswer: AnswerListener;

  constructor(
    http: HttpClient,
    tokens: Tokens,
    config: Pick<Config, 'jwtEnabled' | 'callbackTimeoutMs' | 'callbackRouting'>,
    onAnswer: AnswerListener = () => undefined,
  ) {
    this.#http = http;
    this.#tokens = tokens;
    this.#config = config;
    this.#onAnswer = onAnswer;
  }

  /**
   * Posts a callback to the address as it was given, since it may be signed; with `CALLBACK_ROUTING` the routing is added.
   * Only status 200 or 204 with a JSON body whose `error` is 0 is an acceptance. With tokens on, those of commands included,
   * the address came in a verified token and may be a private one (integration API, 15.1).
   */
  async call(url: string, routing: Routing, body: Claims): Promise<CallbackOutcome> {
    const startedAt = performance.now();
    const status = Number(body.status);
    const outcome = await traced(
      'callback',
      { 'quire.document': String(body.key), 'quire.status': status },
      () => this.#post(url, routing, body),
    );
    this.#onAnswer(status, outcome.accepted, performance.now() - startedAt);
    return outcome;
  }

  async #post(url: string, routing: Routing, body: Claims): Promise<CallbackOutcome> {
    const { jwtEnabled, callbackTimeoutMs, callbackRouting } = this.#config;
    if (!URL.canParse(url)) return { accepted: false, reason: 'the callback address is malformed' };
    const signed = await this.#tokens.signCallback(body);
    const answer = await postJson(this.#http, {
      url: callbackRouting ? withRouting(url, routing) : url,
      ...signed,
      fromVerifiedToken: jwtEnabled && this.#tokens.areDemanded,
      timeoutMs: callbackTimeoutMs,
    });
    if (answer.kind === 'failure') return { accepted: false, reason: answer.error.message };
    const error = (answer.body as { error?: unknown } | null | undefined)?.error;
    if ((answer.status === 200 || answer.status === 204) && (error === 0 || error === '0')) {
      return { accepted: true };
    }
    const said = error === undefined ? 'no error member' : `error ${JSON.stringify(error).slice(0, 100)}`;
    return { accepted: false, reason: `status ${answer.status} with ${said}` };
  }
}
