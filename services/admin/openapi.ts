import { packageVersion } from '../../platform/package-root.ts';
import { adminErrorStatus } from './admin-error.ts';

type Json = Record<string, unknown>;

/** The REST API of the administration as an OpenAPI document. */
export function adminOpenApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const resource of adminResources) {
    paths[resource.path] = { ...paths[resource.path], [resource.method]: operation(resource) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quire administration',
      version: packageVersion,
      description:
        'For operators, on a port of its own (`ADMIN_PORT`). Times are ISO 8601 in UTC; names that end in `Ms` are milliseconds. `silent` names nodes that did not answer, and `missing` what else did not answer within a moment: `database`, `queue`, `nodes`, `files`; what comes from there is null or left out.',
    },
    servers: [{ url: '/admin/api' }],
    paths,
    components: {
      schemas: {
        Error: {
          type: 'object',
          properties: {
            error: {
              type: 'object',
              properties: {
                code: { enum: Object.keys(adminErrorStatus) },
                message: { type: 'string' },
                part: { enum: ['database', 'redis', 'files', 'converters'] },
              },
              required: ['code', 'message'],
            },
          },
          required: ['error'],
        },
      },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The password, `ADMIN_TOKEN`, `ADMIN_READ_TOKEN`, or the token that was generated.',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'quire-admin' },
      },
    },
  };
}

function operation({ path, summary, access, query = {}, body, answers }: AdminResource): Json {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => parameter(name!, 'path'));
  const inQuery = Object.entries(query).map(([name, text]) => parameter(name, 'query', text));
  const parameters = [...inPath, ...inQuery];
  const onlyOperators = access === 'full' ? ' For operators, not for who may only look.' : '';
  return {
    summary: summary + onlyOperators,
    ...(access === 'anybody' ? {} : { security: [{ token: [] }, { session: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { content: { 'application/json': { schema: schemaOf(body) } } } } : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, description]) => [status, { description }]),
      ),
      default: {
        description:
          '`{error: {code, message}}`; codes of no one address: `bad-request`, `not-signed-in`, `read-only`, `other-site`, `too-many-attempts`, `unavailable` (503: `part` does not answer, and nothing was done), `unanswered` (504: it did not answer in time; it may have been done), `internal`.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

const parameter = (name: string, place: 'path' | 'query', description?: string): Json => ({
  name,
  in: place,
  ...(description === undefined ? { required: true } : { description }),
  schema: { type: 'string' },
});

const schemaOf = (members: Readonly<Record<string, string>>): Json => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, description]) => [name, { type: 'string', description }]),
  ),
});

/** One address of the administration's REST API, in words. */
interface AdminResource {
  /** Below `/admin/api`. */
  path: string;
  method: 'get' | 'post' | 'put' | 'delete';
  summary: string;
  /** Who may call it: `anybody`, people who may look (`read`), or operators (`full`). */
  access: 'anybody' | 'read' | 'full';
  /** Parameters of the query by name. */
  query?: Readonly<Record<string, string>>;
  /** Members of the JSON body by name. */
  body?: Readonly<Record<string, string>>;
  /** Statuses beside 400, 401, 403, 429 and 500, which any of them may have. */
  answers: Readonly<Record<number, string>>;
}

const page = { limit: 'At most so many; 1 to 200, 50 unless given.', offset: 'From this one on.' };
const search = { search: 'Part of a key or of a title.' };
const since = {
  samplesSince: 'Milliseconds since 1970: only younger samples are sent; a node keeps those of five minutes.',
};
const noDocument = { 404: '`unknown-document`.' };
const noSave = { 404: '`unknown-save`.' };
const noNode = { 404: '`unknown-node`.', 504: '`node-silent`: it may have heard all the same.' };
const reason = { reason: 'The reason that they see.' };

/** Every address of the administration. */
export const adminResources: readonly AdminResource[] = [
  {
    path: '/session',
    method: 'post',
    summary: 'Signs in; the cookie of the answer is the session. Needs the header `X-Quire-Admin: 1`.',
    access: 'anybody',
    body: { password: 'The password, or a token.', name: 'What the log is to call you.' },
    answers: { 200: '`{role, name, nodeId, version}`.' },
  },
  {
    path: '/session',
    method: 'delete',
    summary: 'Signs out. Needs the header `X-Quire-Admin: 1`.',
    access: 'anybody',
    answers: { 204: 'Done.' },
  },
  {
    path: '/session',
    method: 'get',
    summary: 'Who you are.',
    access: 'read',
    answers: { 200: '`{role, name, nodeId, version}`; `role` is `full` or `read`.' },
  },
  {
    path: '/overview',
    method: 'get',
    summary: 'Everything at a glance: documents by state, saves, queue, nodes with their last samples.',
    access: 'read',
    query: since,
    answers: {
      200: '`{unsaved, nodeId, documents, unsavedSince, saves, queue, nodes, silent, missing}`. `unsaved`: `{total, documents}`, of which the integrator lacks changes, with `since`, `why` (`edited`, `closing`, `making`, `failing`, `delivering`, `refused`, `forgotten`), `lastError` and `nextAttemptAt`; those that something keeps from being stored come first.',
    },
  },
  {
    path: '/documents',
    method: 'get',
    summary: 'Documents, with who is in them and on which node.',
    access: 'read',
    query: {
      ...search,
      state: '`all`, or states with commas between them; those in use unless given.',
      order: '`recent`, `unsaved` or `key`.',
      ...page,
    },
    answers: { 200: '`{total, documents, silent, missing}`.' },
  },
  {
    path: '/documents/{key}',
    method: 'get',
    summary: 'One document: its state, people, locks, save-lock queue, and saves.',
    access: 'read',
    answers: { 200: '`{document, people, locks, saveTurns, saves, silent, missing}`.', ...noDocument },
  },
  {
    path: '/documents/{key}/force-save',
    method: 'post',
    summary: 'Saves a document while people go on editing it.',
    access: 'full',
    answers: {
      202: '`{state}`: `started`, or `joined` where a save was on its way.',
      ...noDocument,
      409: '`nothing-to-save`, `not-readable`.',
    },
  },
  {
    path: '/documents/{key}/close',
    method: 'post',
    summary: 'Disconnects everybody; what was saved is assembled and delivered.',
    access: 'full',
    body: reason,
    answers: { 202: '`{disconnected, silent}`.', ...noDocument },
  },
  {
    path: '/documents/{key}/disconnect',
    method: 'post',
    summary: 'Disconnects one person, or one connection, from a document.',
    access: 'full',
    body: { userId: "The integrator's id of the person.", connectionId: 'One connection.', ...reason },
    answers: { 200: '`{disconnected, silent}`.', ...noDocument },
  },
  {
    path: '/documents/{key}/hand-back',
    method: 'post',
    summary: 'Redelivers what is kept in forgotten storage; it stays there until it is accepted.',
    access: 'full',
    answers: {
      202: '`{state}`: `delivering`, or `assembling` where there was no file yet.',
      ...noDocument,
      409: '`not-forgotten`, `in-use`, `no-address`, `not-readable`.',
    },
  },
  {
    path: '/saves',
    method: 'get',
    summary: 'Saves, the newest first: where they are, why they failed, and what of them is kept.',
    access: 'read',
    query: {
      ...search,
      phase:
        '`making`, `delivering`, `waiting`, `forgotten`, `delivered`, `abandoned`, `superseded`, with commas between them.',
      ...page,
    },
    answers: {
      200: '`{total, saves, assembling, missing}`; `assembling`: documents whose last save is being made.',
    },
  },
  {
    path: '/saves/{id}',
    method: 'get',
    summary: 'One save.',
    access: 'read',
    answers: { 200: 'As in the list.', ...noSave },
  },
  {
    path: '/saves/{id}/retry',
    method: 'post',
    summary: 'Tries a save again now, whether it waits, was given up or is forgotten.',
    access: 'full',
    answers: {
      202: '`{state}`: `due`, `delivering`, `assembling`, `started`, `joined`.',
      ...noSave,
      409: '`not-waiting`, `under-way`, `nothing-to-save`, `in-use`, `no-address`, `not-readable`.',
    },
  },
  {
    path: '/saves/{id}/{part}',
    method: 'get',
    summary: 'Downloads the `file`, the `base` or the `changes` (a ZIP archive) of a save.',
    access: 'full',
    answers: { 200: 'The bytes.', 404: '`unknown-save`, `no-file`.' },
  },
  {
    path: '/saves/{id}',
    method: 'delete',
    summary: 'Discards what is kept in forgotten storage. The work is lost then.',
    access: 'full',
    query: { confirm: 'The key of the document, once more.' },
    answers: { 200: '`{discarded}`.', ...noSave, 409: '`not-forgotten`, `not-confirmed`.' },
  },
  {
    path: '/queue',
    method: 'get',
    summary: 'The queue of the converters by kind, its jobs, failures, workers, and conversions.',
    access: 'read',
    answers: {
      200: '`{isPaused, waiting, active, delayed, kinds, jobs, failed, workers, conversions, missing}`.',
    },
  },
  {
    path: '/queue/pause',
    method: 'post',
    summary: 'Begins nothing new of the queue, on any node.',
    access: 'full',
    answers: { 200: '`{isPaused, waiting, active, delayed}`.' },
  },
  {
    path: '/queue/resume',
    method: 'post',
    summary: 'Goes on with the queue.',
    access: 'full',
    answers: { 200: '`{isPaused, waiting, active, delayed}`.' },
  },
  {
    path: '/queue/{kind}/pause',
    method: 'post',
    summary:
      'Begins nothing new of one kind of jobs, on any node: `open`, `convert`, `assemble`, `force-save`, `export` or `checkpoint`.',
    access: 'full',
    answers: { 200: '`{kind, isPaused}`.', 400: '`bad-request`: no such kind.' },
  },
  {
    path: '/queue/{kind}/resume',
    method: 'post',
    summary: 'Goes on with one kind of jobs.',
    access: 'full',
    answers: { 200: '`{kind, isPaused}`.', 400: '`bad-request`: no such kind.' },
  },
  {
    path: '/nodes',
    method: 'get',
    summary: 'Nodes with version, start, connections, caches, and samples of their health.',
    access: 'read',
    query: since,
    answers: { 200: '`{nodeId, nodes, silent, missing}`.' },
  },
  {
    path: '/history',
    method: 'get',
    summary:
      'The last two hours of each node, every 15 seconds: sessions, saves, processor, memory, event loop, parts that do not work, jobs, the oldest unsaved change.',
    access: 'read',
    query: { since: 'Milliseconds since 1970: only younger moments are answered.' },
    answers: {
      200: '`{nodes, silent, missing}`. A node: `{nodeId, name, atMs, moments}`, where `atMs` and each list of `moments` (`sessions`, `savesPerS`, `savesP99Ms`, `cpuPercent`, `rssBytes`, `loopDelayP99Ms`, `loopDelayMaxMs`, `gcLongestMs`, `heapUsedBytes`, `cacheHitPercent`, `partsDown`, `jobsWaiting`, `jobsActive`, `jobsDelayed`, `unsavedS`, `jobsDonePerMin`, `jobsFailedPerMin`, `jobMeanMs`) have one value a moment. Gone with the process.',
    },
  },
  {
    path: '/nodes/{id}/drain',
    method: 'put',
    summary: 'Takes a node out of service: its clients go to the other nodes while they go on editing.',
    access: 'full',
    answers: { 202: '`{isDraining, connectionsLeft}`.', ...noNode },
  },
  {
    path: '/nodes/{id}/drain',
    method: 'delete',
    summary: 'Lets a node take clients again.',
    access: 'full',
    answers: { 200: '`{isDraining, connectionsLeft}`.', ...noNode },
  },
  {
    path: '/configuration',
    method: 'get',
    summary: 'The settings in force on the node that is asked; of secrets whether they are set.',
    access: 'read',
    answers: { 200: '`{settings}`.' },
  },
];
