import { z } from 'zod';
import { protocolVersion } from '../../../platform/config.ts';
import { commandParameters } from '../command-parameters.ts';
import { conversionSchema } from '../conversion-parameters.ts';
import { type Resource, resources } from './resources.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as Json;
  return rest;
};

/** Where tokens are demanded, a body is this or `{token}` with the same as claims. */
const signed = { type: 'object', properties: { token: { type: 'string' } }, required: ['token'] };

const access: Readonly<Record<Resource['access'], Json[]>> = {
  anybody: [],
  token: [{ integratorToken: [] }],
  session: [{ sessionToken: [] }],
  link: [],
  local: [],
  host: [],
};

/** The HTTP interface of the server as an OpenAPI document, made from the schemas that requests are read by. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  for (const resource of resources) {
    for (const path of [resource.path, resource.alias ?? resource.path]) {
      paths[path] = Object.fromEntries(
        resource.methods.map((method) => [method, operation(resource, method, path)]),
      );
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quire',
      version: protocolVersion.version,
      description:
        'The HTTP interface for integrators, editors and operators; the version is that of the integration API. Every address also works behind a version prefix, ' +
        '`/{x.y.z}-{tag}`. The conversation of editors goes over sockets and is not described here.',
    },
    paths,
    components: {
      schemas: {
        Command: { oneOf: [...Object.keys(commandParameters).map((name) => ref(commandName(name))), signed] },
        ...Object.fromEntries(
          Object.entries(commandParameters).map(([name, schema]) => [
            commandName(name),
            schemaOf(schema.extend({ c: z.literal(name) })),
          ]),
        ),
        Conversion: { oneOf: [schemaOf(conversionSchema), signed] },
      },
      securitySchemes: {
        integratorToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Signed with `JWT_SECRET`; claims as in the body, or under `payload`.',
        },
        sessionToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'Given to editors when they sign in.',
        },
      },
    },
  };
}

function operation(resource: Resource, method: string, path: string): Json {
  const { summary, query = {}, answers, body } = resource;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...inQuery];
  const local = resource.access === 'local' ? ' For callers on the same machine.' : '';
  return {
    summary: summary + local,
    ...(access[resource.access].length > 0 ? { security: access[resource.access] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body && method === 'post' ? { requestBody: { content: contentOf(body) } } : {}),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, description]) => [status, { description }]),
    ),
  };
}

function contentOf(body: NonNullable<Resource['body']>): Json {
  switch (body) {
    case 'command':
      return { 'application/json': { schema: ref('Command') } };
    case 'conversion':
      return { 'application/json': { schema: ref('Conversion') } };
    case 'json':
      return { 'application/json': { schema: { type: 'object' } } };
    case 'bytes':
      return { 'application/octet-stream': {} };
    case 'form':
      return { 'multipart/form-data': { schema: { type: 'object' } } };
  }
}

const commandName = (command: string): string => `Command_${command}`;
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
