import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type RequestHandler } from 'express';
import { describe, expect, test } from 'vitest';
import { RequestBodies } from './request-bodies.ts';
import { type Judge, Routes, refused } from './routes.ts';

/** What a router answers, without a server: the status, and the text. */
async function answerOf(router: RequestHandler, method: string, url: string, body?: string) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url });
  if (body !== undefined) {
    request.headers['content-length'] = String(body.length);
    request.push(body);
    request.push(null);
  }
  const response = new ServerResponse(request);
  const texts: string[] = [];
  const ended = new Promise<void>((resolve) => {
    response.end = ((text?: string | Buffer) => {
      texts.push(String(text ?? ''));
      resolve();
      return response;
    }) as typeof response.end;
  });
  const app = express()
    .use(router)
    .use((_request, unknown) => void unknown.sendStatus(404));
  app(request, response);
  await ended;
  return [response.statusCode, texts.join('')];
}

const bodies = new RequestBodies(() => '127.0.0.1');

describe('routes', () => {
  const seen: unknown[] = [];
  const judge: Judge<string> = ({ query, body }, { shows, needs }) => {
    seen.push([shows, needs ?? [], body]);
    return query.token === 'good' ? { found: 'Ann' } : refused(403, 'not allowed');
  };

  test('[AT23] the guard asks what the row says before the handler, which learns what was found', async () => {
    const handled: unknown[] = [];
    const { router } = new Routes({ judges: { 'session token': judge } }).on(
      'POST /savefile/:key',
      ({ params }, response, name) => {
        handled.push([params.key, name]);
        response.json({ done: true });
      },
    );
    seen.length = 0;
    expect(await answerOf(router, 'POST', '/savefile/k?token=bad')).toEqual([403, '{"error":"not allowed"}']);
    expect(handled).toEqual([]);
    expect(await answerOf(router, 'POST', '/savefile/k?token=good')).toEqual([200, '{"done":true}']);
    expect(handled).toEqual([['k', 'Ann']]);
    const asked = ['session token', ['mayEdit', 'isNotDropped'], undefined];
    expect(seen).toEqual([asked, asked]);
    expect((await answerOf(router, 'GET', '/savefile/k?token=good'))[0]).toBe(404);
  });

  test('[AT23] no larger body is read than the row says, and a streamed one is left to the handler', async () => {
    const { router } = new Routes({ bodies, judges: { 'WOPI page token': judge, 'session token': judge } })
      .on('POST /hosting/wopi/rename', ({ body }, response) => response.json(body))
      .on('POST /upload/:key{/*rest}', ({ body }, response) => response.json({ isRead: body !== undefined }));
    const most = 65_536;
    const ofSize = (size: number) => JSON.stringify({ name: 'x'.repeat(size - 11) });
    const rename = '/hosting/wopi/rename?token=good';
    expect(await answerOf(router, 'POST', rename, ofSize(most))).toEqual([200, ofSize(most)]);
    seen.length = 0;
    expect((await answerOf(router, 'POST', rename, ofSize(most + 1)))[0]).toBe(413);
    expect(seen).toEqual([]);
    expect(await answerOf(router, 'POST', '/upload/k?token=good', 'x')).toEqual([200, '{"isRead":false}']);
  });

  test('[AT23] a route without a row, or with a proof that nobody judges, does not compile', () => {
    const answer = () => undefined;
    // @ts-expect-error There is no such row.
    const unknown = () => new Routes().on('GET /other', answer);
    // @ts-expect-error Nobody judges session tokens here.
    const unjudged = () => new Routes().on('POST /savefile/:key', answer);
    // @ts-expect-error The row has no such method.
    const otherMethod = () => new Routes().on('POST /baseurl', answer);
    const known = () => new Routes().on('GET /baseurl', answer);
    expect([unknown, unjudged, otherMethod, known]).toHaveLength(4);
    expect(unjudged).toThrow('Who judges the session token');
    expect(() => new Routes({ judges: { 'request token': judge } }).on('POST /command', answer)).toThrow(
      'Who reads the bodies',
    );
  });
});
