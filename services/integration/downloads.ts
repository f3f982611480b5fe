import type { Request, Response, Router } from 'express';
import type { Logger } from 'pino';
import { ServiceError } from '../../client/protocol/index.ts';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Config } from '../../platform/config.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import { openedAs } from '../coauthoring/opened-as.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import { baseUrl } from '../http/base-url.ts';
import type { FileLinks } from '../http/file-links.ts';
import { type Judge, Routes } from '../http/routes.ts';
import { routingOfDocument } from '../http/routing.ts';
import type { DocumentConversions } from '../lifecycle/document-conversions.ts';
import type { SentFile, SentFiles } from '../lifecycle/sent-files.ts';
import { titledFile } from '../lifecycle/titled-file.ts';
import type { DownloadCommand } from './download-command.ts';
import type { PrintFiles } from './print-files.ts';
import type { SessionStanding } from './session-standing.ts';

export interface DownloadDependencies {
  config: Config;
  sessions: Judge<SessionStanding>;
  registry: DocumentRegistry;
  conversions: DocumentConversions;
  sealing: Sealing;
  sentFiles: SentFiles;
  links: FileLinks;
  printFiles: PrintFiles;
  log: Logger;
}

/** A request that was let in. */
interface Download {
  key: string;
  command: DownloadCommand;
  standing: SessionStanding;
  row: DocumentRow;
  request: Request;
}

/** What a client is answered: the link to the file, or the service error. */
type Answer =
  | { status: 'ok'; data: string; url: string; filetype: string }
  | { status: 'err'; data: number; message: string };

const commands: ReadonlySet<string> = new Set(['save', 'savefromorigin']);
/** Of this server's own editors: what the document can be downloaded as. */
const formatsCommand = 'formats';

const refused = (data: number, message: string): Answer => ({ status: 'err', data, message });

/**
 * `POST|GET /downloadas/{key}?cmd=<JSON>` (integration API, 11.2): the document as it is now, with every acknowledged
 * change, in its own format or another, as `{"type":"save","status":"ok","data":"<link>","url":"<link>","filetype":"docx"}`.
 * For people who are connected with the document and may download it, by their session token; 403 for everybody else.
 * What goes wrong with the file is `status` `err` with the service error as `data`.
 *
 * `{"c":"formats"}` asks what the document can be downloaded as now, or printed: `{"type":"formats","status":"ok",
 * "data":["docx","pdf"]}`, the document's own format first.
 *
 * An editor that sends the file as it sees it, in one part or more (`savetype`), is answered with the key for the next
 * part; the link comes over its connection as `documentOpen` when it is there (co-authoring protocol, 9.6).
 */
export function downloadsRouter(dependencies: DownloadDependencies): Router {
  const { sessions, conversions, sealing, log } = dependencies;
  const answer = async (request: Request, response: Response, standing: SessionStanding): Promise<void> => {
    const { session, command } = standing;
    const { key } = session;
    response.set('Cache-Control', 'no-store');
    const row = await standing.row();
    if (!row) return reply(response, command, refused(ServiceError.unknown, 'There is no such document'));
    if (command.command === formatsCommand) {
      const types = conversions.typesOf(row);
      const data = command.inline ? types.filter((type) => type === 'pdf') : types;
      return void response.json({ type: formatsCommand, status: 'ok', data });
    }
    if (!commands.has(command.command)) {
      return reply(response, command, refused(ServiceError.unknown, 'There is no such command'));
    }
    if (!session.knowsPassword && openedAs(row, sealing).isProtected) {
      const reason = 'The document is opened with a password, which was not given';
      return reply(response, command, refused(ServiceError.convertPasswordRequired, reason));
    }
    const download = { key, command, standing, row, request };
    if (command.part === 'none') return reply(response, command, await make(download, null, dependencies));
    await receive(download, response, dependencies).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      log.warn({ err: error, documentKey: key }, 'A file that an editor sent was not taken');
      reply(response, command, refused(ServiceError.convertLimits, 'The file is too large'));
    });
  };
  const routes = new Routes({ judges: { 'session token': sessions } });
  return routes.on('GET /downloadas/:key', answer).on('POST /downloadas/:key', answer).router;
}

const reply = (response: Response, { command }: DownloadCommand, answer: Answer): void =>
  void response.json({ type: command, ...answer });

/** Takes a part of the file that an editor sends; with the last one the file is made, and its link is sent after. */
async function receive(
  download: Download,
  response: Response,
  dependencies: DownloadDependencies,
): Promise<void> {
  const { key, command, standing, request } = download;
  const { sentFiles, registry, log } = dependencies;
  const { sessionId, connectionId } = (await standing.presence())!;
  const owner = `${key} ${sessionId}`;
  const isFirst = command.part === 'first' || command.part === 'only';
  const saveKey = isFirst ? await sentFiles.begin(owner) : (command.saveKey ?? '');
  if (!(await sentFiles.add(saveKey, owner, request))) {
    return reply(
      response,
      command,
      refused(ServiceError.unknown, 'The parts before this one did not arrive'),
    );
  }
  const sent =
    command.part === 'last' || command.part === 'only' ? await sentFiles.end(saveKey, owner) : null;
  response.json({ type: command.command, status: 'ok', data: saveKey });
  if (command.part === 'first' || command.part === 'middle') return;
  const { status, data, ...answer } = await make(download, sent, dependencies).catch(
    (error: unknown): Answer => {
      log.error({ err: error, documentKey: key }, 'A download failed');
      return refused(ServiceError.unknown, 'The file could not be made');
    },
  );
  const filetype = 'filetype' in answer ? { filetype: answer.filetype } : {};
  await registry.publish(key, {
    t: 'connection',
    connectionId,
    message: { type: 'documentOpen', data: { type: command.command, status, data, ...filetype } },
  });
}

async function make(
  download: Download,
  sent: SentFile | null,
  { conversions, ...dependencies }: DownloadDependencies,
): Promise<Answer> {
  const { command, row } = download;
  const { outputType, options, withoutPassword } = command;
  const of = command.command === 'savefromorigin' ? 'origin' : (sent ?? 'document');
  const outcome = await conversions.make({ row, of, toType: outputType, options, withoutPassword });
  if (!outcome.ok) return refused(outcome.errorCode, outcome.message);
  const url = await linkTo(outcome, download, dependencies);
  return { status: 'ok', data: url, url, filetype: outcome.fileType };
}

function linkTo(
  { hash, fileType }: Extract<ConversionOutcome, { ok: true }>,
  { key, command, row, request }: Download,
  { config, links, printFiles }: Omit<DownloadDependencies, 'conversions'>,
): Promise<string> | string {
  const base = { baseUrl: baseUrl(request, config), routing: routingOfDocument(key, row.routing) };
  // The title of a request counts where the editor sends the file as well.
  const title = command.part === 'none' ? row.title : (command.title ?? row.title);
  const fileName = titledFile(title, row.fileType, fileType);
  if (command.inline && fileType === 'pdf') return printFiles.linkTo({ docKey: key, hash, fileName }, base);
  return links.temporary({ docKey: key, hash, path: `output.${fileType}`, downloadName: fileName }, base);
}
