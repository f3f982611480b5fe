import {
  type Attributes,
  context,
  type DiagLogger,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { within } from './within.ts';

/** What goes with a job so that its spans belong to the trace of who asked for it (W3C Trace Context). */
export type TraceCarrier = Record<string, string>;

const tracer = trace.getTracer('quire');
let isOn = false;
/** How long a stop waits for spans to be sent, milliseconds. */
const lastExportMs = 3_000;
/** A collector that is away is logged so often, milliseconds. */
const complainEveryMs = 60_000;

/**
 * Begins to send traces by OTLP over HTTP if an address is configured; what else the standard `OTEL_…` variables say
 * counts too (sampler, headers, service name, batches). Without an address nothing of OpenTelemetry's SDK is loaded and
 * nothing is recorded. Resolves with what sends the rest and ends it.
 */
export async function startTracing(
  config: Pick<Config, 'otlpEndpoint' | 'otlpTracesEndpoint'>,
  serviceName: string,
  log: Pick<Logger, 'warn'>,
): Promise<() => Promise<void>> {
  if (!config.otlpEndpoint && !config.otlpTracesEndpoint) return async () => undefined;
  const { traceProvider } = await import('./trace-provider.ts');
  const provider = traceProvider(serviceName);
  provider.register();
  diag.setLogger(complaints(log), DiagLogLevel.WARN);
  isOn = true;
  return async () => {
    isOn = false;
    // A collector that does not answer holds up nobody.
    await within(
      lastExportMs,
      provider.shutdown().catch(() => undefined),
    );
  };
}

/** What OpenTelemetry has to say, in our log. */
function complaints(log: Pick<Logger, 'warn'>): DiagLogger {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const say = (what: string) => {
    if (performance.now() - saidAtMs < complainEveryMs) return;
    saidAtMs = performance.now();
    log.warn({ reason: what.slice(0, 500) }, 'Traces could not be sent');
  };
  return { error: say, warn: say, info: () => undefined, debug: () => undefined, verbose: () => undefined };
}

/** Runs `work` within a span; what it throws marks the span as failed. `from` is the trace it belongs to. */
export function traced<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  from?: TraceCarrier,
): Promise<Result> {
  if (!isOn) return work();
  const parent = from ? propagation.extract(ROOT_CONTEXT, from) : context.active();
  return tracer.startActiveSpan(name, { attributes }, parent, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The message may hold addresses and names: the log has it, without secrets.
      span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error)?.name ?? 'Error' });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Traces one of every so many pieces of work: for work that happens often and is much the same each time. */
export class Sampled {
  readonly #name: string;
  readonly #every: number;
  #count = 0;

  constructor(name: string, every: number) {
    this.#name = name;
    this.#every = every;
  }

  around<Result>(attributes: Attributes, work: () => Promise<Result>): Promise<Result> {
    this.#count += 1;
    return this.#count % this.#every === 0 ? traced(this.#name, attributes, work) : work();
  }
}

/** Begins the span of a request and runs `next` within it; the caller ends it. Null when nothing is recorded. */
export function tracedRequest(name: string, attributes: Attributes, next: () => void): Span | null {
  if (!isOn) {
    next();
    return null;
  }
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes });
  context.with(trace.setSpan(context.active(), span), next);
  return span;
}

/** The trace that goes on here, to be taken along; undefined when there is none. */
export function currentTrace(): TraceCarrier | undefined {
  if (!isOn || !trace.getActiveSpan()) return undefined;
  const carrier: TraceCarrier = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}
