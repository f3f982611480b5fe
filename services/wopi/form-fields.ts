import express, { type Request, type RequestHandler } from 'express';

/** Largest form of a page: a token and a few options, bytes. */
const formBytes = 1_048_576;

/** Reads the body of a form of either kind, up to a size, for {@link fieldsOf} and {@link formOf}. */
export const readForm = (limit: number = formBytes): RequestHandler =>
  express.raw({ type: ['multipart/form-data', 'application/x-www-form-urlencoded'], limit });

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
