import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CallbackAction, CallbackStatus, ForceSaveType } from '../../client/protocol/index.ts';
import { openBlobStore } from '../../platform/adapters/open-blob-store.ts';
import type { Config } from '../../platform/config.ts';
import type { HttpClient } from '../../platform/outgoing/http-client.ts';
import { postJson } from '../../platform/outgoing/post-json.ts';
import { safeAddress } from '../../platform/outgoing/request-error.ts';
import { discard, readBody } from '../../platform/outgoing/response-body.ts';
import type { Claims, Tokens } from '../../platform/secrets/tokens.ts';
import { FileLinks } from '../http/file-links.ts';
import { ask } from './ask.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { integratorTimeoutMs, withClient } from './integrator-check.ts';
import { writeProblem } from './machine-check.ts';
import { secretsOf } from './token-check.ts';

/** What to post to an integrator. */
export interface CallbackTrial {
  /** The integrator's address for callbacks. */
  url: string;
  /** Address of the server, where the integrator fetches the file. */
  base: string;
  /** The key of the document; unless given, one that no integrator knows. */
  key?: string | undefined;
  /** A file to deliver, by its path. */
  file?: string | undefined;
  /** Where the document is fetched: what is there is delivered unless `file` is given. */
  downloadUrl?: string | undefined;
}

/** A file as it is delivered. */
interface DeliveredFile {
  content: Buffer;
  fileType: string;
}

const trialKey = 'quire-doctor';
const trialUser = 'quire-doctor';
/** So much of an answer is shown. */
const shownChars = 200;

/**
 * Whether an integrator takes callbacks: status 4 (closed without changes), and status 6 and 2 (a forced and a last save) with a
 * file, which replaces the one that the integrator has. Without a file these two are not tried.
 */
export function checkCallback(trial: CallbackTrial, config: Config): Promise<Finding[]> {
  return withClient(
    config,
    async (http, tokens) => {
      const post = (body: Claims) => posted(http, tokens, trial.url, body, config);
      const key = trial.key ?? trialKey;
      const closed = closedFinding(await post({ key, status: CallbackStatus.closed }));
      if (closed.verdict === 'fail') return [closed];
      const file = await fileOf(trial, http, tokens, config);
      if (file === null) return [closed, untried];
      if ('verdict' in file) return [closed, file];
      const link = await linkTo(file, key, trial.base, config);
      if (typeof link !== 'string') return [closed, link];
      const saved = {
        ...{ key, filetype: file.fileType, url: link, users: [trialUser], history: {} },
        ...{ lastsave: new Date().toISOString(), notmodified: false },
      };
      const forced = await post({
        ...{ ...saved, status: CallbackStatus.forceSaved, forcesavetype: ForceSaveType.command },
        actions: [{ type: CallbackAction.forceSaveButton, userid: trialUser }],
      });
      const last = await post({
        ...{ ...saved, status: CallbackStatus.mustSave },
        actions: [{ type: CallbackAction.leave, userid: trialUser }],
      });
      return [
        closed,
        savedFinding('status 6 (a save while people edit)', forced),
        savedFinding('status 2 (the save after the last one left)', last),
      ];
    },
    trial.url,
  );
}

const untried = warn(
  'Whether it stores files was not tried: statuses 6 and 2 replace the file that the integrator has',
  'Add --download-url to deliver the file that is there, or --callback-file with any file, to the address of a document made for this.',
);

/** An answer of the integrator. */
interface Answer {
  status: number;
  body: unknown;
}

async function posted(
  http: HttpClient,
  tokens: Tokens | null,
  url: string,
  body: Claims,
  config: Config,
): Promise<Answer> {
  const signed = tokens ? await tokens.signCallback(body) : { headers: {}, body };
  const answer = await postJson(http, {
    url,
    ...signed,
    fromVerifiedToken: config.jwtEnabled,
    timeoutMs: integratorTimeoutMs,
  });
  if (answer.kind === 'failure') throw answer.error;
  return answer;
}

/** Why an answer is none that the server takes, whatever was posted; null where it is one. */
function formFinding({ status, body }: Answer, what: string): Finding | null {
  const error = (body as { error?: unknown } | undefined)?.error;
  if (status === 401 || status === 403) {
    return fail(
      `${what} is refused with status ${status}`,
      'Have the integrator check the token with the same secret, and ask for no session of a browser.',
    );
  }
  if (status !== 200 && status !== 204) {
    return fail(
      `${what} is answered with status ${status}${shown(body)}`,
      'Answer 200 with {"error":0}; see the log of the integrator.',
    );
  }
  if (typeof error !== 'number' && typeof error !== 'string') {
    return fail(
      `${what} is answered with something that is not the JSON that is expected`,
      'Answer {"error":0}, with nothing before or behind it.',
    );
  }
  return null;
}

function closedFinding(answer: Answer): Finding {
  const what = 'status 4 (closed without changes)';
  const wrong = formFinding(answer, what);
  if (wrong) return wrong;
  if (isAccepted(answer)) return ok(`It takes ${what}`);
  return warn(
    `${what} is answered${shown(answer.body)}`,
    'Right if it refuses documents that it does not know (name one with --callback-key); else see its log.',
  );
}

function savedFinding(what: string, answer: Answer): Finding {
  const wrong = formFinding(answer, what);
  if (wrong) return wrong;
  if (isAccepted(answer)) return ok(`It takes ${what} with a file`);
  return fail(
    `${what} with a file is refused${shown(answer.body)}`,
    'See the log of the integrator: it may not reach the address of the file, or not know the document (name one with --callback-key).',
  );
}

const isAccepted = ({ body }: Answer): boolean => Number((body as { error: unknown }).error) === 0;

/** What the integrator said, cut to a readable length. */
function shown(body: unknown): string {
  return body === undefined ? '' : `: ${JSON.stringify(body).slice(0, shownChars)}`;
}

/** The file to deliver; null where none was named. */
async function fileOf(
  { file, downloadUrl }: CallbackTrial,
  http: HttpClient,
  tokens: Tokens | null,
  config: Config,
): Promise<DeliveredFile | Finding | null> {
  if (file !== undefined) {
    const content = await readFile(file).catch((error: Error) => error);
    if (content instanceof Error) return fail(content.message, 'Correct --callback-file.');
    return { content, fileType: path.extname(file).slice(1).toLowerCase() || 'docx' };
  }
  if (downloadUrl === undefined) return null;
  const signal = AbortSignal.timeout(integratorTimeoutMs);
  const response = await http.send({
    ...{ url: downloadUrl, method: 'GET' as const, idleTimeoutMs: integratorTimeoutMs, signal },
    headers: tokens ? await tokens.downloadHeaders(downloadUrl) : {},
    fromVerifiedToken: config.jwtEnabled,
  });
  if (response.status !== 200) {
    discard(response);
    return fail(
      `There is no file to deliver: the document is answered with status ${response.status}`,
      'See the check of the download.',
    );
  }
  const content = await readBody(response, config.maxDownloadSizeBytes, signal);
  return { content, fileType: fileTypeIn(downloadUrl) };
}

/** The ending of the last name in an address: of its path, or of a parameter. */
function fileTypeIn(address: string): string {
  const { pathname, searchParams } = new URL(address);
  const names = [pathname, ...searchParams.values()].map((name) => path.extname(name).slice(1).toLowerCase());
  return names.find((ending) => /^[a-z][a-z0-9]{1,5}$/.test(ending)) ?? 'docx';
}

/**
 * Puts the file where the server finds it, and fetches it as the integrator will. It is left to the server to remove it, as all
 * files that nothing names: another document may have the same one.
 */
async function linkTo(
  { content, fileType }: DeliveredFile,
  docKey: string,
  baseUrl: string,
  config: Config,
): Promise<string | Finding> {
  const secrets = await secretsOf(config);
  if (secrets === null) {
    return fail('There is no secret to sign the address of a file with', 'Start the server once.');
  }
  const problem = config.blobStore === 'files' ? await writeProblem(config.dataDir) : null;
  if (problem) return problem;
  const store = await openBlobStore(config);
  const { hash } = await store.put(content);
  const link = new FileLinks(secrets, config).temporary(
    { docKey, hash, path: `output.${fileType}` },
    { baseUrl },
  );
  const place = safeAddress(link);
  const remedy = 'Start the server, and name the address that integrators reach: --url, or PUBLIC_URL.';
  const answer = await ask(link, { followsRedirects: true, timeoutMs: integratorTimeoutMs });
  if (answer instanceof Error)
    return fail(`The file for the integrator cannot be fetched: ${answer.message}`, remedy);
  if (answer.status === 200 && answer.content.equals(content)) return link;
  return fail(`The file for the integrator is answered with status ${answer.status} at ${place}`, remedy);
}
