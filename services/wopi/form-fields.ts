import express, { type Request, type RequestHandler } from 'express';
import { formTypes } from '../http/request-bodies.ts';

/** Reads the body of a form with a file, for {@link formOf}, of somebody who may send one. */
export const readFileForm = (limit: number): RequestHandler =>
  express.raw({ type: [...formTypes], limit, inflate: false });

/** The fields and files of a form; null when the body is no form. */
export async function formOf(request: Request): Promise<FormData | null> {
  const body: unknown = request.body;
  const type = request.headers['content-type'];
  if (!Buffer.isBuffer(body) || type === undefined) return null;
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData();
  } catch {
    return null;
  }
}

/** The text fields of a form, and before them those of the query, by their names in lower case. */
export async function fieldsOf(request: Request): Promise<ReadonlyMap<string, string>> {
  const fields = new Map<string, string>();
  const query = new URL(request.url, 'http://localhost').searchParams;
  for (const [name, value] of query) fields.set(name.toLowerCase(), value);
  for (const [name, value] of (await formOf(request)) ?? []) {
    if (typeof value === 'string') fields.set(name.toLowerCase(), value);
  }
  return fields;
}
