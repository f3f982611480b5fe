import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Request, Response, Router } from 'express';
import type { ConversionOptions, ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import type { JobOwner } from '../../db/fair-queue.ts';
import { QueueFullError } from '../../jobs/jobs.ts';
import { usualType } from '../../model/usual-type.ts';
import type { Config } from '../../platform/config.ts';
import { cleanText, shortFileName } from '../../platform/foreign-text.ts';
import type { BlobStore } from '../../platform/ports/blob-store.ts';
import { callerAddress, onlyListed } from '../http/caller.ts';
import { Routes } from '../http/routes.ts';
import { contentTypeOf } from '../integration/files.ts';
import { formOf, readFileForm } from './form-fields.ts';

/** Conversions from one format to another, and which there are. */
export interface FileConverter {
  table: Pick<ConversionTable, 'handles' | 'resolveTarget'>;
  /** @throws QueueFullError */
  convert(request: {
    sourceHash: string;
    fromType: string;
    toType: string;
    options?: ConversionOptions;
    isInteractive?: boolean;
    owner?: JobOwner;
  }): Promise<ConversionOutcome>;
}

export interface ConvertToDependencies {
  config: Config;
  blobs: BlobStore;
  converter: FileConverter;
}

const formOverheadBytes = 1_048_576;
const longestPassword = 255;
/** Of a file in an answer, characters. */
const longestFileName = 255;

/**
 * `POST /cool/convert-to/{format}` and its older name (integration API, 10.2): answers with the converted file, or with
 * status 400 and the reason. These requests are not signed: they are taken only from addresses that the operator has
 * named.
 */
export function convertToRouter(dependencies: ConvertToDependencies): Router {
  const { config } = dependencies;
  const read = promisify(readFileForm(config.maxDownloadSizeBytes + formOverheadBytes));
  const answer = async (request: Request, response: Response): Promise<void> => {
    await read(request, response);
    await convert(dependencies, request, response);
  };
  const reason = 'This address may not use convert-to: WOPI_CONVERT_FROM names those that may.';
  const judges = { 'listed address': onlyListed(config.wopiConvertFrom, config, reason) };
  const routes = new Routes({ judges });
  for (const name of ['lool', 'cool'] as const)
    routes.on(`POST /${name}/convert-to`, answer).on(`POST /${name}/convert-to/:format`, answer);
  return routes.router;
}

async function convert(
  { config, blobs, converter }: ConvertToDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const refuse = (reason: string) => void response.status(400).type('text/plain').send(reason);
  const form = await formOf(request);
  if (!form) return refuse('The body is no form with a file.');
  const file = [...form.values()].find((value) => typeof value !== 'string');
  if (!file || typeof file === 'string' || file.size === 0) return refuse('There is no file in the form.');
  if (file.size > config.maxDownloadSizeBytes) return refuse('The file is too large.');
  const field = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const fromType = usualType(/\.([0-9A-Za-z]{1,10})$/.exec(file.name)?.[1]?.toLowerCase() ?? '');
  const wanted = (String(request.params.format ?? '') || field('format')).toLowerCase();
  const isPdfA = wanted === 'pdf' && /^PDF\/A/i.test(field('PDFVer'));
  const toType = converter.table.resolveTarget(fromType, isPdfA ? 'pdfa' : wanted);
  if (toType === null || !converter.table.handles(fromType, toType)) {
    return refuse(`Files of type ${fromType || '(none)'} cannot be converted to ${wanted || '(none)'}.`);
  }
  const { hash } = await blobs.put(new Uint8Array(await file.arrayBuffer()));
  const result = await converter
    .convert({
      ...{ sourceHash: hash, fromType, toType, options: optionsOf(field) },
      isInteractive: true,
      // Nobody signs these requests: who sends them is all that is known.
      owner: { tenant: callerAddress(request, config) ?? '' },
    })
    .catch((error: unknown) => {
      if (error instanceof QueueFullError) return null;
      throw error;
    });
  if (!result) {
    return void response
      .status(503)
      .set('Retry-After', '10')
      .type('text/plain')
      .send(new QueueFullError().message);
  }
  if (!result.ok) return refuse(result.message);
  const bytes = await blobs.open(result.hash);
  if (!bytes) return refuse('The result is not there any more.');
  const stem = cleanText(file.name.replace(/\.[^.]*$/, '').replace(/["\\/]/g, '_'));
  const name = shortFileName(`${stem || 'document'}.${result.fileType}`, longestFileName);
  response
    .set('Content-Type', contentTypeOf(name))
    .set('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`);
  await pipeline(bytes, response);
}

function optionsOf(field: (name: string) => string): ConversionOptions {
  const password = field('PasswordToOpen').slice(0, longestPassword);
  const savePassword = field('Password').slice(0, longestPassword);
  const region = field('lang');
  const isWholeSheet = field('FullSheetPreview').toLowerCase() === 'true';
  return {
    ...(password ? { password } : {}),
    ...(savePassword ? { savePassword } : {}),
    ...(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(region) ? { region } : {}),
    ...(isWholeSheet ? { spreadsheetLayout: { fitToWidth: 1, fitToHeight: 1 } } : {}),
  };
}
