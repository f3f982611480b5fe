import type { Request, Response } from 'express';
import { ServiceError } from '../../client/protocol/index.ts';
import { escapeText } from '../../converter/engines/ooxml/package/xml-text.ts';
import type { Progress } from '../lifecycle/conversions.ts';

/** Error numbers of the conversion API (integration API, 9.4). */
export const ConversionFailure = {
  unknown: -1,
  timeout: -2,
  notMade: -3,
  download: -4,
  password: -5,
  queue: -6,
  parameters: -7,
  token: -8,
  undetermined: -9,
  limits: -10,
} as const;

const byServiceError: ReadonlyMap<number, number> = new Map([
  [ServiceError.unknown, ConversionFailure.unknown],
  [ServiceError.taskQueue, ConversionFailure.queue],
  [ServiceError.taskResult, ConversionFailure.queue],
  [ServiceError.convertDownload, ConversionFailure.download],
  [ServiceError.convertTimeout, ConversionFailure.timeout],
  [ServiceError.convertDrmUnsupported, ConversionFailure.password],
  [ServiceError.convertParams, ConversionFailure.parameters],
  [ServiceError.convertPasswordRequired, ConversionFailure.password],
  [ServiceError.convertWrongPassword, ConversionFailure.password],
  [ServiceError.convertLimits, ConversionFailure.limits],
  [ServiceError.convertDetect, ConversionFailure.undetermined],
  [ServiceError.convertCellLimits, ConversionFailure.limits],
  [ServiceError.convertDeadLetter, ConversionFailure.timeout],
  [ServiceError.uploadSize, ConversionFailure.limits],
]);

/** The number that the conversion API gives for a service error; `notMade` for those without one of their own. */
export const conversionFailureOf = (serviceError: number): number =>
  byServiceError.get(serviceError) ?? ConversionFailure.notMade;

/** What is answered to a request for a conversion: where the result is, that it is not there yet, or an error. */
export type ConversionReply =
  | { kind: 'finished'; fileUrl: string; fileType: string }
  | { kind: 'unfinished'; progress: Progress }
  | { kind: 'error'; error: number };

export type ReplyFormat = 'json' | 'xml';

const typesOf = {
  json: ['application/json'],
  xml: ['text/xml', 'application/xml'],
} as const satisfies Record<ReplyFormat, readonly string[]>;

/**
 * Sends a reply (integration API, 9.2): in the format that `Accept` prefers, in the usual one of the address where it
 * has no preference; always with status 200.
 */
export function sendReply(
  reply: ConversionReply,
  usual: ReplyFormat,
  request: Request,
  response: Response,
): void {
  response.set('Cache-Control', 'no-store').vary('Accept');
  if (formatOf(request, usual) === 'json') return void response.json(jsonOf(reply));
  response.set('Content-Type', 'text/xml; charset=UTF-8').send(xmlOf(reply));
}

function formatOf(request: Request, usual: ReplyFormat): ReplyFormat {
  const other = usual === 'json' ? 'xml' : 'json';
  const accepted = request.accepts([...typesOf[usual], ...typesOf[other]]);
  if (!accepted) return usual;
  return (typesOf.json as readonly string[]).includes(accepted) ? 'json' : 'xml';
}

function jsonOf(reply: ConversionReply): Record<string, unknown> {
  switch (reply.kind) {
    case 'error':
      return { error: reply.error };
    case 'unfinished':
      return {
        percent: reply.progress.percent,
        endConvert: false,
        quireProgress: progressOf(reply.progress),
      };
    case 'finished':
      return { fileUrl: reply.fileUrl, fileType: reply.fileType, percent: 100, endConvert: true };
  }
}

/** Only in JSON: readers of XML expect five elements. */
const progressOf = ({ stage, ahead }: Progress) => (ahead === undefined ? { stage } : { stage, ahead });

function xmlOf(reply: ConversionReply): string {
  const isFinished = reply.kind === 'finished';
  const members =
    reply.kind === 'error'
      ? { Error: String(reply.error) }
      : {
          FileUrl: isFinished ? reply.fileUrl : '',
          FileType: isFinished ? reply.fileType : '',
          Percent: isFinished ? '100' : String(reply.progress.percent),
          EndConvert: isFinished ? 'True' : 'False',
        };
  const elements = Object.entries(members).map(([name, text]) => `<${name}>${escapeText(text)}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<FileResult>${elements.join('')}</FileResult>`;
}
