import { type Request, type Response, Router } from 'express';
import type { Logger } from 'pino';
import { ServiceError } from '../../client/protocol/index.ts';
import type { ConversionOutcome } from '../../converter/formats/conversion.ts';
import type { DocumentRow } from '../../db/document-row.ts';
import type { Documents } from '../../db/documents.ts';
import type { Config } from '../../platform/config.ts';
import { RequestError } from '../../platform/outgoing/request-error.ts';
import type { Sealing } from '../../platform/secrets/sealing.ts';
import type { Tokens } from '../../platform/secrets/tokens.ts';
import { mayDownload } from '../coauthoring/auth/identity.ts';
import { readSessionClaims } from '../coauthoring/auth/session-credentials.ts';
import type { Participant } from '../coauthoring/document/participants.ts';
import { isDocumentKey } from '../coauthoring/gateway/document-path.ts';
import { openedAs } from '../coauthoring/opened-as.ts';
import type { DocumentRegistry } from '../coauthoring/registry.ts';
import { baseUrl } from '../http/base-url.ts';
import type { FileLinks } from '../http/file-links.ts';
import { routingOfDocument } from '../http/routing.ts';
import type { DocumentConversions } from '../lifecycle/document-conversions.ts';
import type { SentFile, SentFiles } from '../lifecycle/sent-files.ts';
import { type DownloadCommand, downloadCommand } from './download-command.ts';
import type { PrintFiles } from './print-files.ts';
import { sessionTokenOf } from './request-tokens.ts';

export interface DownloadDependencies {
  config: Config;
  tokens: Tokens;
  documents: Documents;
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
  downloader: Downloader;
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
  const { documents, conversions, sealing, log } = dependencies;
  const answer = async (request: Request, response: Response): Promise<void> => {
    const command = downloadCommand(request.query.cmd);
    if (!command) return void response.status(400).json({ error: 'cmd is not a JSON object' });
    const downloader = await downloaderOf(request, command, dependencies);
    if (!downloader) return void response.status(403).json({ error: 'not allowed' });
    const key = String(request.params.key);
    response.set('Cache-Control', 'no-store');
    const row = await documents.find(key);
    if (!row) return reply(response, command, refused(ServiceError.unknown, 'There is no such document'));
    if (command.command === formatsCommand) {
      const types = conversions.typesOf(row);
      const data = command.inline ? types.filter((type) => type === 'pdf') : types;
      return void response.json({ type: formatsCommand, status: 'ok', data });
    }
    if (!commands.has(command.command)) {
      return reply(response, command, refused(ServiceError.unknown, 'There is no such command'));
    }
    if (!downloader.knowsPassword && openedAs(row, sealing).isProtected) {
      const reason = 'The document is opened with a password, which was not given';
      return reply(response, command, refused(ServiceError.convertPasswordRequired, reason));
    }
    const download = { key, command, downloader, row, request };
    if (command.part === 'none') return reply(response, command, await make(download, null, dependencies));
    await receive(download, response, dependencies).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
      log.warn({ err: error, documentKey: key }, 'A file that an editor sent was not taken');
      reply(response, command, refused(ServiceError.convertLimits, 'The file is too large'));
    });
  };
  const router = Router();
  router.route('/downloadas/:key').get(answer).post(answer);
  return router;
}

const reply = (response: Response, { command }: DownloadCommand, answer: Answer): void =>
  void response.json({ type: command, ...answer });

/** Takes a part of the file that an editor sends; with the last one the file is made, and its link is sent after. */
async function receive(
  download: Download,
  response: Response,
  dependencies: DownloadDependencies,
): Promise<void> {
  const { key, command, downloader, request } = download;
  const { sentFiles, registry, log } = dependencies;
  const owner = `${key} ${downloader.sessionId}`;
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
    connectionId: downloader.connectionId,
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
  const fileName = fileNameOf(title, row.fileType, fileType);
  if (command.inline && fileType === 'pdf') return printFiles.linkTo({ docKey: key, hash, fileName }, base);
  return links.temporary({ docKey: key, hash, path: `output.${fileType}`, downloadName: fileName }, base);
}

/** The title, with the extension of the file in place of that of the document, or behind it where it has none. */
function fileNameOf(title: string, ownType: string, fileType: string): string {
  const name = title.replace(/[/\\]/g, '_') || 'document';
  if (name.toLowerCase().endsWith(`.${fileType}`)) return name;
  const isOwn = name.toLowerCase().endsWith(`.${ownType}`) && name.length > ownType.length + 1;
  return `${isOwn ? name.slice(0, -ownType.length - 1) : name}.${fileType}`;
}

/** Somebody who may have a file, and where that is said. */
interface Downloader extends Pick<Participant, 'sessionId' | 'connectionId'> {
  /** Whether this session has given the password of the document. */
  knowsPassword: boolean;
}

/**
 * Who asks for a download: somebody who is connected with this document now, on any node, by the session token, and may
 * download it, or print it where a PDF to be shown is wanted. Null for everybody else. The token alone lives longer
 * than the right to what others write meanwhile.
 */
async function downloaderOf(
  request: Request,
  command: DownloadCommand,
  { tokens, registry }: { tokens: Tokens; registry: DocumentRegistry },
): Promise<Downloader | null> {
  const { key } = request.params;
  if (!isDocumentKey(key)) return null;
  const verified = await tokens.verifySession(sessionTokenOf(request) ?? command.tokenSession);
  if (verified.kind !== 'ok') return null;
  const session = readSessionClaims(verified.claims);
  if (session?.key !== key || !allows(session.permissions, command)) return null;
  const isAsking = ({
    userIndex,
    sessionTimeConnectMs,
  }: Pick<Participant, 'userIndex' | 'sessionTimeConnectMs'>) =>
    userIndex === session.userIndex && sessionTimeConnectMs === session.connectedAtMs;
  const member = [...(registry.find(key)?.document.members.values() ?? [])].find(isAsking);
  const { knowsPassword } = session;
  if (member) return { sessionId: member.sessionId, connectionId: member.peer.id, knowsPassword };
  const elsewhere = (await registry.participantsIn(key)).find(isAsking);
  if (!elsewhere) return null;
  return { sessionId: elsewhere.sessionId, connectionId: elsewhere.connectionId, knowsPassword };
}

/**
 * Somebody who may not download may still have the right to print: then they get a PDF that is shown, and nothing else.
 */
function allows(permissions: unknown, { inline, outputType }: DownloadCommand): boolean {
  const { print } = (permissions ?? {}) as { print?: unknown };
  return mayDownload(permissions) || (print === true && inline && outputType === 'pdf');
}
