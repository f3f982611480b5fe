import type * as z from 'zod/mini';
import { type ClientMessage, clientSchemas } from './client-messages.ts';
import { fieldBounds } from './limits.ts';
import { type ServerMessage, serverSchemas } from './server-messages.ts';

/**
 * What a received value turned out to be. `unknown-type`: a type this protocol does not have, which both
 * sides ignore. `invalid`: not an object, no type, or a known type whose fields are wrong; `detail` names
 * the first wrong field and never repeats what the peer sent.
 */
export type Parsed<Message> =
  | { ok: true; message: Message }
  | { ok: false; reason: 'unknown-type' | 'invalid'; type?: string; detail: string };

type Schemas = ReadonlyMap<string, z.ZodMiniType>;

const clientSchemasByType: Schemas = new Map(Object.entries(clientSchemas));
const serverSchemasByType: Schemas = new Map(Object.entries(serverSchemas));

function parse(value: unknown, schemas: Schemas): Parsed<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, reason: 'invalid', detail: 'a message must be a JSON object' };
  }
  const type = (value as { type?: unknown }).type;
  if (typeof type !== 'string' || type.length > fieldBounds.type) {
    return { ok: false, reason: 'invalid', detail: 'a message must have a type' };
  }
  const schema = schemas.get(type);
  if (!schema) return { ok: false, reason: 'unknown-type', type, detail: 'unknown message type' };
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, message: result.data };
  const issue = result.error.issues[0];
  const field = issue?.path.map(String).join('.') || 'message';
  return {
    ok: false,
    reason: 'invalid',
    type,
    detail: `${field.slice(0, 200)}: ${issue?.code ?? 'invalid'}`,
  };
}

/** Checks a parsed JSON value that came from a client. Unknown fields are dropped. Never throws. */
export function parseClientMessage(value: unknown): Parsed<ClientMessage> {
  return parse(value, clientSchemasByType) as Parsed<ClientMessage>;
}

/** Checks a parsed JSON value that came from a server. Unknown fields are dropped. Never throws. */
export function parseServerMessage(value: unknown): Parsed<ServerMessage> {
  return parse(value, serverSchemasByType) as Parsed<ServerMessage>;
}
