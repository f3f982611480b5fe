import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BadRequest,
  badRequests,
  type JsonType,
  type Member,
  type RequestSchema,
  signJwt,
} from '../support/bad-requests.ts';
import { Scene, sceneSecret } from '../support/scene.ts';

let demanding: Scene;
let trusting: Scene;

beforeAll(async () => {
  const environment = { CONVERTER_PROCESSES: '1' };
  [demanding, trusting] = await Promise.all([
    Scene.open({ tokens: true, environment }),
    Scene.open({ environment }),
  ]);
});
afterAll(() => Promise.all([demanding?.close(), trusting?.close()]));

const optional = (good: unknown, accepts: readonly JsonType[], refuses: readonly unknown[] = []): Member => ({
  good,
  required: false,
  accepts: [...accepts, 'null'],
  refuses,
});
/** A text that some languages write as a number when it has digits alone. */
const word = (good: string, maxCharacters: number): Member => ({
  ...optional(good, ['text', 'number']),
  maxCharacters,
});
const number = (good: number) => optional(good, ['number', 'text'], [-1, 1.5, 1e9, 'x', '-1', '1.5']);
/** An empty list is an object without members, as PHP writes it. */
const object = (refuses: readonly unknown[] = []) =>
  optional({}, ['object', 'text', 'list'], ['x', '["x"]', '"x"', '{', ['x'], [[]], ...refuses]);

/** Every parameter of section 9.1. */
const schema = (scene: Scene): RequestSchema => ({
  url: {
    good: `${scene.integrator.address}/files/document.docx`,
    required: true,
    accepts: [],
    maxCharacters: 16_384,
    refuses: ['document.docx', 'file:///etc/passwd', 'ftp://storage.test/a', 'http://', 'javascript:1'],
  },
  key: {
    good: 'never-converted',
    required: true,
    accepts: ['text', 'number'],
    maxCharacters: 240,
    refuses: ['', 'a b', 'a/b', '../x', 'ключ', 'a\u0000'],
  },
  outputtype: { good: 'docx', required: true, accepts: [], maxCharacters: 16, refuses: ['exe', '.docx'] },
  filetype: {
    ...optional('docx', ['text'], ['exe', '.docx', 'png', '../x']),
    maxCharacters: 16,
  },
  async: optional(false, ['boolean', 'number'], [2, -1, 'x']),
  title: optional('Plan.docx', ['text', 'number']),
  password: word('a secret', 255),
  codePage: number(65_001),
  delimiter: number(4),
  delimiterChar: word('|', 8),
  region: word('en-US', 255),
  thumbnail: object([{ width: 0 }, { height: 'x' }, { aspect: 3 }, { first: 2 }]),
  spreadsheetLayout: object([
    { orientation: 'x' },
    { scale: 0 },
    { margins: { left: 'x' } },
    { pageSize: 7 },
  ]),
  documentLayout: object([{ isPrint: 'x' }]),
  documentRenderer: object([{ textAssociation: 'x' }]),
  pdf: object([{ form: 2 }, { pdfa: [] }]),
  watermark: object(),
  pdfLayout: object(),
});

const goodFor = (scene: Scene): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema(scene)).map(([name, { good }]) => [name, good]));

const unsigned = new Set(['unsigned', 'signed with another secret', 'expired', 'not yet valid']);

/** The number that is documented for what is wrong. A body without parameters lacks the token too. */
function documented({ fault, body }: BadRequest, areTokensDemanded: boolean): number {
  if (unsigned.has(fault.kind)) return -8;
  if (fault.kind !== 'malformed' || !areTokensDemanded) return -7;
  return isJson(body) ? -8 : -7;
}

const isJson = (body: string): boolean => {
  try {
    JSON.parse(body || '{}');
    return true;
  } catch {
    return false;
  }
};

async function refusal(scene: Scene, request: BadRequest, path: string): Promise<unknown> {
  const response = await fetch(scene.quire.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...request.headers },
    body: request.body,
  });
  return [response.status, await response.text()];
}

describe('bad requests for conversions', () => {
  const paths = fc.constantFrom('/converter', '/ConvertService.ashx');

  it('[CA7] whatever is wrong with a request, the reply is its documented error and nothing else', async () => {
    for (const [scene, secret] of [
      [demanding, sceneSecret],
      [trusting, null],
    ] as const) {
      await fc.assert(
        fc.asyncProperty(
          badRequests({ schema: schema(scene), secret, emptyIsAbsent: true }),
          paths,
          async (request, path) => {
            const error = documented(request, secret !== null);
            expect(await refusal(scene, request, path)).toEqual([200, `{"error":${error}}`]);
          },
        ),
        { numRuns: 200 },
      );
      expect(scene.integrator.downloadsOf('document.docx')).toBe(0);
      expect(scene.quire.errorText()).toBe('');
      const body = JSON.stringify(
        secret === null ? goodFor(scene) : { token: signJwt(goodFor(scene), secret) },
      );
      const good: BadRequest = { fault: { kind: 'malformed' }, headers: {}, body };
      expect(await refusal(scene, good, '/converter')).toEqual([
        200,
        expect.stringContaining('"endConvert":true'),
      ]);
    }
  });

  it('[CA7] a body that is too large is refused like every other wrong parameter', async () => {
    const token = signJwt({ key: 'k' }, sceneSecret);
    const body = JSON.stringify({ token, padding: 'x'.repeat(2_000_000) });
    expect(
      await refusal(demanding, { fault: { kind: 'malformed' }, headers: {}, body }, '/converter'),
    ).toEqual([200, '{"error":-7}']);
  });

  it('[CA7] a request that is sent a second time gets the reply of the first', async () => {
    const url = `${trusting.integrator.address}/files/nowhere.docx`;
    const body = JSON.stringify({
      token: signJwt({ ...goodFor(trusting), url, key: 'replayed' }, sceneSecret),
    });
    const request: BadRequest = { fault: { kind: 'of another use' }, headers: {}, body };
    const first = await refusal(demanding, request, '/converter');
    expect(first).toEqual([200, '{"error":-4}']);
    expect(await refusal(demanding, request, '/converter')).toEqual(first);
    expect(trusting.integrator.downloadsOf('nowhere.docx')).toBe(1);
  });
});
