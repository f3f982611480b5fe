import type { ErrorRequestHandler, Request, Response, Router } from 'express';
import type { Logger } from 'pino';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { JobOwner } from '../../db/fair-queue.ts';
import { tenantOf } from '../../jobs/job.ts';
import { type ConversionQueue, QueueFullError } from '../../jobs/jobs.ts';
import type { Config } from '../../platform/config.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import type { Address } from '../http/address-rights.ts';
import { baseUrl } from '../http/base-url.ts';
import type { FileLinks } from '../http/file-links.ts';
import type { RequestBodies } from '../http/request-bodies.ts';
import { Routes } from '../http/routes.ts';
import { routingOf, routingOfDocument } from '../http/routing.ts';
import type { ConversionRequests, RequestedWork } from '../lifecycle/conversion-requests.ts';
import { fetching, type Progress, progressIn } from '../lifecycle/conversions.ts';
import { type ConversionParameters, conversionParameters } from './conversion-parameters.ts';
import {
  ConversionFailure,
  type ConversionReply,
  conversionFailureOf,
  type ReplyFormat,
  sendReply,
} from './conversion-reply.ts';
import type { ConversionPlan, ConversionWork } from './conversion-work.ts';
import { requestTokens, type SignedParameters } from './request-tokens.ts';

export interface ConversionDependencies {
  config: Config;
  tokens: Tokens;
  requests: Pick<ConversionRequests, 'run' | 'start' | 'progressOf'>;
  work: Pick<ConversionWork, 'plan' | 'run'>;
  queue: Pick<ConversionQueue, 'isFull' | 'placeOf'>;
  links: FileLinks;
  bodies: RequestBodies;
  log: Logger;
}

/** The paths, their routes, and the format in which they usually answer. */
const addresses = [
  { path: '/converter', usual: 'json', routes: ['POST /converter'] },
  {
    path: '/ConvertService.ashx',
    usual: 'xml',
    routes: ['POST /ConvertService.ashx', 'GET /ConvertService.ashx'],
  },
] as const satisfies { path: string; usual: ReplyFormat; routes: Address[] }[];

/**
 * The conversion API (integration API, section 9). What is asked for is named by its key and output type: the same
 * request again gets the same result, also the same failure. Every outcome is status 200.
 */
export function conversionRouter(dependencies: ConversionDependencies): Router {
  const { bodies, tokens } = dependencies;
  const routes = new Routes({ bodies, judges: { 'request token': requestTokens(tokens) } });
  for (const { path, usual, routes: ofPath } of addresses) {
    const answer = async (request: Request, response: Response, given: SignedParameters): Promise<void> => {
      sendReply(await replyTo(request, given, dependencies), usual, request, response);
    };
    // A body that cannot be read is a wrong parameter, not an error of the transport.
    const unreadable: ErrorRequestHandler = (error: Error, request, response, next) => {
      if (response.headersSent || !isBodyError(error)) next(error);
      else sendReply(failure(ConversionFailure.parameters), usual, request, response);
    };
    for (const route of ofPath) routes.on(route, answer);
    routes.router.use(path, unreadable);
  }
  return routes.router;
}

async function replyTo(
  request: Request,
  given: SignedParameters,
  dependencies: ConversionDependencies,
): Promise<ConversionReply> {
  const { log, tokens } = dependencies;
  try {
    if (given.kind === 'expired' || given.kind === 'invalid') return failure(ConversionFailure.token);
    const parameters = given.kind === 'ok' ? conversionParameters(given.claims) : null;
    if (!parameters) return failure(ConversionFailure.parameters);
    const plan = dependencies.work.plan(parameters);
    const issuer = tokens.areDemanded && given.kind === 'ok' ? given.claims.iss : undefined;
    const owner = typeof issuer === 'string' ? { tenant: issuer } : tenantOf(parameters.url);
    const outcome = 'ok' in plan ? plan : await outcomeOf({ plan, parameters, owner }, dependencies);
    if (outcome === null) {
      return { kind: 'unfinished', progress: await progressOf(nameOf(parameters), dependencies) };
    }
    if (outcome.ok) return finished(outcome, parameters, request, dependencies);
    const { key, outputType } = parameters;
    const { errorCode, message } = outcome;
    log.warn({ conversionKey: key, outputType, errorCode, reason: message }, 'A conversion failed');
    return failure(conversionFailureOf(errorCode));
  } catch (error) {
    if (error instanceof QueueFullError) {
      log.warn({ err: error }, 'A request for a conversion was refused');
      return failure(ConversionFailure.queue);
    }
    log.error({ err: error }, 'A request for a conversion failed');
    return failure(ConversionFailure.unknown);
  }
}

interface Asked {
  plan: ConversionPlan;
  parameters: ConversionParameters;
  owner: JobOwner;
}

/**
 * Null while an asynchronous conversion is under way. Asynchronous conversions and pictures of pages are not
 * interactive: nobody waits for them.
 * @throws QueueFullError
 */
function outcomeOf(
  { plan, parameters, owner }: Asked,
  { tokens, requests, work, queue }: ConversionDependencies,
): Promise<ConversionOutcome | null> {
  const name = nameOf(parameters);
  const { isAsync } = parameters;
  const isInteractive = !isAsync && plan.options.thumbnail === undefined;
  const convert: RequestedWork = (onRecord) =>
    work.run(plan, parameters, { vouched: tokens.areDemanded, isInteractive, owner, onRecord });
  if (!isAsync) return requests.run(name, convert);
  return requests.start(name, convert, async () => {
    if (await queue.isFull('batch')) throw new QueueFullError();
  });
}

/** How far a conversion is that has no outcome yet. */
async function progressOf(
  name: string,
  { requests, queue }: Pick<ConversionDependencies, 'requests' | 'queue'>,
): Promise<Progress> {
  const progress = await requests.progressOf(name);
  return progress ? progressIn(progress, queue) : fetching;
}

const nameOf = ({ key, outputType }: ConversionParameters): string => `conv_${key}_${outputType}`;

function finished(
  { hash, fileType }: Extract<ConversionOutcome, { ok: true }>,
  parameters: ConversionParameters,
  request: Request,
  { config, links }: ConversionDependencies,
): ConversionReply {
  const file = {
    docKey: nameOf(parameters),
    hash,
    path: `output.${fileType}`,
    downloadName: downloadName(parameters, fileType),
  };
  const routing = routingOfDocument(parameters.key, routingOf(request.originalUrl));
  const base = { baseUrl: baseUrl(request, config), routing };
  return { kind: 'finished', fileUrl: links.temporary(file, base), fileType };
}

/** The title with the extension of the result, in the place of the source's if it has that. */
function downloadName({ title, fileType: sourceType }: ConversionParameters, fileType: string): string {
  const name = title?.replace(/[/\\]/g, '_') ?? 'output';
  const lower = name.toLowerCase();
  if (lower.endsWith(`.${fileType}`)) return name;
  const stem =
    sourceType !== null && lower.endsWith(`.${sourceType}`) ? name.slice(0, -sourceType.length - 1) : name;
  return `${stem}.${fileType}`;
}

const failure = (error: number): ConversionReply => ({ kind: 'error', error });

/** Errors of reading a body say with which status they would be answered. */
const isBodyError = (error: Error & { status?: unknown }): boolean =>
  typeof error.status === 'number' && error.status < 500;
