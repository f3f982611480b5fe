import { packageVersion } from '../../platform/package-root.ts';
import { adminErrorStatus } from './admin-error.ts';
import { type AdminResource, adminResources } from './resources.ts';

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
        'For operators, on a port of its own (`ADMIN_PORT`). Times are ISO 8601 in UTC; names that end in `Ms` are milliseconds. `silent` names nodes that did not answer.',
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
          '`{error: {code, message}}`; codes of no one address: `bad-request`, `not-signed-in`, `read-only`, `other-site`, `too-many-attempts`, `internal`.',
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
