import {
  type CallbackEntry,
  type DocumentSummary,
  type ExampleSettings,
  personHeader,
  type RefusalBody,
  type RefusalCode,
  type VersionSummary,
} from '../../example/api.ts';
import { QuireError } from '../../platform/quire-error.ts';
import { type StringKey, t } from '../strings/strings.ts';
import { maxFileBytes } from './settings.ts';

/** The server refused, or could not be reached. The message is for people, in their language. */
export class ServerError extends QuireError<RefusalCode | 'network'> {
  constructor(code: RefusalCode | 'network') {
    const message = t(texts[code], { size: Math.floor(maxFileBytes() / 1_048_576) });
    super(code, message, { retryable: code === 'network' });
  }
}

const texts: Readonly<Record<RefusalCode | 'network', StringKey>> = {
  network: 'example.errorNetwork',
  'bad-request': 'example.errorInternal',
  'not-allowed': 'example.errorNotAllowed',
  'other-site': 'example.errorOtherSite',
  'not-found': 'example.errorNotFound',
  'too-large': 'example.errorTooLarge',
  'too-many': 'example.errorTooMany',
  'empty-file': 'example.errorEmptyFile',
  'unknown-type': 'example.errorUnknownType',
  'wrong-content': 'example.errorWrongContent',
  'protected-file': 'example.errorProtectedFile',
  'bad-title': 'example.errorBadTitle',
  'still-open': 'example.errorStillOpen',
  'server-unreachable': 'example.errorServerUnreachable',
  internal: 'example.errorInternal',
};

/** What is told about one document. */
export interface DocumentDetails {
  document: DocumentSummary;
  /** The newest first. */
  versions: VersionSummary[];
  callbacks: CallbackEntry[];
}

type Json = Record<string, unknown>;

/** Addresses are relative to the page, wherever the example is mounted. */
const documents = 'api/documents';

async function ask<Answer>(method: string, path: string, body?: Json, person?: string): Promise<Answer> {
  const headers = {
    ...(person !== undefined && { [personHeader]: person }),
    ...(body && { 'content-type': 'application/json' }),
  };
  let response: Response;
  try {
    response = await fetch(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  } catch {
    throw new ServerError('network');
  }
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) throw refusalIn(answer);
  return answer as Answer;
}

function refusalIn(answer: unknown): ServerError {
  const code = (answer as RefusalBody | null)?.error?.code;
  return new ServerError(code !== undefined && code in texts ? code : 'internal');
}

/** The server of the example. All of it rejects with {@link ServerError}. */
export const server = {
  settings: () => ask<ExampleSettings>('GET', 'api/settings'),
  list: async () => (await ask<{ documents: DocumentSummary[] }>('GET', documents)).documents,
  details: (id: string) => ask<DocumentDetails>('GET', `${documents}/${id}`),

  create: (person: string, template: string, title: string) =>
    ask<DocumentSummary>('POST', documents, { template, title }, person),
  saveCopy: (person: string, copy: { url: string; title: string; fileType: string }) =>
    ask<DocumentSummary>('POST', `${documents}/copy`, copy, person),
  rename: (person: string, id: string, title: string) =>
    ask<DocumentSummary>('PATCH', `${documents}/${id}`, { title }, person),
  delete: (person: string, id: string) =>
    ask<DocumentSummary>('DELETE', `${documents}/${id}`, undefined, person),
  undelete: (person: string, id: string) =>
    ask<DocumentSummary>('POST', `${documents}/${id}/undelete`, undefined, person),
  restore: (person: string, id: string, version: number) =>
    ask<DocumentSummary>('POST', `${documents}/${id}/versions/${version}/restore`, undefined, person),

  config: (id: string, opening: Record<string, string>) =>
    ask<Json>('GET', `${documents}/${id}/config?${new URLSearchParams(opening)}`),
  history: (id: string) => ask<Json>('GET', `${documents}/${id}/history`),
  historyData: (id: string, version: number) => ask<Json>('GET', `${documents}/${id}/history/${version}`),
};

/** The address that downloads a version. */
export function fileAddress(id: string, version: number): string {
  return `${documents}/${id}/versions/${version}/file`;
}

/** Uploads a file. `onProgress` hears the part that has gone out, from 0 to 1. */
export function uploadFile(
  person: string,
  file: File,
  onProgress: (part: number) => void,
): Promise<DocumentSummary> {
  return new Promise((resolve, reject) => {
    // fetch tells nothing of how far an upload is.
    const request = new XMLHttpRequest();
    request.open('POST', `${documents}/upload?${new URLSearchParams({ name: file.name })}`);
    request.setRequestHeader(personHeader, person);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      if (request.status < 300) resolve(request.response as DocumentSummary);
      else reject(refusalIn(request.response));
    };
    request.onerror = () => reject(new ServerError('network'));
    request.send(file);
  });
}
