import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signJwt } from '../support/bad-requests.ts';
import { buildDocx } from '../support/docx-fixture.ts';
import { eventually } from '../support/eventually.ts';
import { Scene, sceneSecret } from '../support/scene.ts';
import { needsX2t, realX2t } from '../support/x2t.ts';

type Parameters = Record<string, unknown>;

let scene: Scene;
let keys = 0;

beforeAll(async () => {
  const x2t: Record<string, string> = realX2t ? { X2T_DIR: realX2t.directory, X2T_UNCONFINED: 'true' } : {};
  scene = await Scene.open({
    tokens: true,
    environment: { CONVERTER_PROCESSES: '1', MAX_DOWNLOAD_SIZE_BYTES: '1000000', ...x2t },
  });
});
afterAll(() => scene?.close());

const source = (name = 'document.docx') => `${scene.integrator.address}/files/${name}`;

const wanted = (more: Parameters = {}): Parameters => {
  keys += 1;
  return { url: source(), key: `conversion-${keys}`, filetype: 'docx', outputtype: 'docx', ...more };
};

const signed = (parameters: Parameters): Parameters => ({ token: signJwt(parameters, sceneSecret) });

interface Asked {
  path?: string;
  headers?: Record<string, string>;
}

async function post(body: unknown, { path = '/converter', headers = {} }: Asked = {}): Promise<Response> {
  const response = await fetch(scene.quire.address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response;
}

/** The reply to a signed request. */
async function convert(parameters: Parameters, asked?: Asked): Promise<Parameters> {
  return (await (await post(signed(parameters), asked)).json()) as Parameters;
}

async function fileOf(reply: Parameters): Promise<Uint8Array> {
  const response = await fetch(String(reply.fileUrl));
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

describe('the conversion API', () => {
  it('[CA1] [CA8] the new address answers in JSON, the old one in XML, also to GET; Accept decides before both', async () => {
    const parameters = wanted({ title: 'Plan & more.docx' });
    const json = await post(signed(parameters));
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const reply = (await json.json()) as Parameters;
    expect(reply).toEqual({
      fileUrl: expect.stringMatching(
        new RegExp(
          `^${scene.quire.address}/cache/files/data/conv_${parameters.key}_docx/\\w+/output\\.docx/Plan%20%26%20more\\.docx\\?md5=\\S+&shardkey=${parameters.key}&filename=Plan\\+%26\\+more\\.docx$`,
        ),
      ),
      fileType: 'docx',
      percent: 100,
      endConvert: true,
    });
    expect(await fileOf(reply)).toEqual(buildDocx({ paragraphs: ['First', 'Second'] }));

    const old = { path: '/ConvertService.ashx' };
    const xml = await post(signed(parameters), old);
    expect(xml.headers.get('content-type')).toMatch(/^text\/xml; charset=UTF-8$/i);
    const text = await xml.text();
    expect(text).toMatch(
      /^<\?xml version="1\.0" encoding="utf-8"\?>\n<FileResult><FileUrl>[^<]+<\/FileUrl><FileType>docx<\/FileType><Percent>100<\/Percent><EndConvert>True<\/EndConvert><\/FileResult>$/,
    );
    const url = /<FileUrl>(.*)<\/FileUrl>/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect(new URL(url).pathname).toBe(new URL(String(reply.fileUrl)).pathname);
    expect(text).not.toMatch(/&(?!amp;)/);

    const got = await fetch(
      `${scene.quire.address}/9.3.0-tag/ConvertService.ashx?token=${signed(parameters).token}`,
    );
    expect(got.headers.get('content-type')).toContain('text/xml');
    expect(await got.text()).toContain('<EndConvert>True</EndConvert>');
    expect((await fetch(`${scene.quire.address}/converter`)).status).toBe(404);

    for (const [path, accept, type] of [
      ['/converter', 'application/xml', 'text/xml'],
      ['/converter', 'text/xml', 'text/xml'],
      ['/converter', '*/*', 'application/json'],
      ['/converter', 'text/html', 'application/json'],
      ['/ConvertService.ashx', 'application/json', 'application/json'],
      ['/ConvertService.ashx', 'application/json, text/javascript, */*; q=0.01', 'application/json'],
      ['/ConvertService.ashx', '*/*', 'text/xml'],
    ] as const) {
      const response = await post(signed(parameters), { path, headers: { accept } });
      expect([path, accept, response.headers.get('content-type')?.split(';')[0]]).toEqual([
        path,
        accept,
        type,
      ]);
    }
  });

  it('[CA2] errors stand alone, in either format', async () => {
    expect(await (await post({})).text()).toBe('{"error":-8}');
    expect(await (await post(signed({}), { path: '/ConvertService.ashx' })).text()).toBe(
      '<?xml version="1.0" encoding="utf-8"?>\n<FileResult><Error>-7</Error></FileResult>',
    );
  });

  it('[CA6] the token may be in body or header, flat or below payload or query; without a good one it is -8', async () => {
    const parameters = wanted();
    const header = (claims: object, secret = sceneSecret) => ({
      headers: { authorization: `Bearer ${signJwt({ ...claims }, secret)}` },
    });
    const replies = [
      await post(signed(parameters)),
      await post(signed({ payload: parameters })),
      await post(parameters, header({ payload: parameters })),
      await post({}, header({ payload: parameters, query: { shardkey: 'x' } })),
      await post(parameters, header({ query: parameters })),
      await post({ ...parameters, token: signed(parameters).token }, header({}, 'another secret')),
    ];
    for (const reply of replies) expect(await reply.json()).toMatchObject({ endConvert: true });
    const now = Math.floor(Date.now() / 1000);
    for (const [body, asked] of [
      [parameters, {}],
      [{ ...parameters, token: '' }, {}],
      [{ ...parameters, token: signJwt(parameters, 'another secret') }, header({ payload: parameters })],
      [parameters, header({ payload: parameters }, 'another secret')],
      [signed({ ...parameters, exp: now - 100 }), {}],
      [signed({ ...parameters, nbf: now + 1_000 }), {}],
    ] as const) {
      expect(await (await post(body, asked)).json()).toEqual({ error: -8 });
    }
  });

  it('[CA6] what is not signed does not count', async () => {
    const parameters = wanted();
    const body = { ...signed(parameters), url: 'http://127.0.0.1:1/other', outputtype: 'exe', title: 'x' };
    const reply = (await (await post(body)).json()) as Parameters;
    expect(new URL(String(reply.fileUrl)).searchParams.get('filename')).toBe('output.docx');
  });

  it('[CA8] the title names the result, with the extension of the result', async () => {
    for (const [title, name] of [
      ['Plan.docx', 'Plan.docx'],
      ['Plan.DOCX', 'Plan.DOCX'],
      ['Plan v1.2', 'Plan v1.2.docx'],
      ['Plan.pdf', 'Plan.pdf.docx'],
      ['../../etc/passwd', '.._.._etc_passwd.docx'],
      ['Übersicht 計画', 'Übersicht 計画.docx'],
      [undefined, 'output.docx'],
    ]) {
      const reply = await convert(wanted({ title }));
      expect(new URL(String(reply.fileUrl)).searchParams.get('filename')).toBe(name);
    }
  });

  it('[CA14] the source is asked for with a token of this server', async () => {
    scene.integrator.serve('guarded.docx', { bytes: buildDocx({ paragraphs: ['Guarded'] }) });
    const url = source('guarded.docx');
    expect(await convert(wanted({ url }))).toMatchObject({ endConvert: true });
    const { authorization } = scene.integrator.headersOf('guarded.docx')!;
    const [, claims] = String(authorization).replace('Bearer ', '').split('.');
    expect(JSON.parse(Buffer.from(claims!, 'base64url').toString())).toMatchObject({ payload: { url } });
  });

  it('[CA15] links begin with the address the request was made to and carry what it was routed by', async () => {
    const parameters = wanted();
    const reply = await convert(parameters, {
      path: '/converter?shardKey=node-7&WOPISrc=http%3A%2F%2Fhost%2Ffile',
      headers: {
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'docs.test',
        'x-forwarded-prefix': '/office',
      },
    });
    const url = new URL(String(reply.fileUrl));
    expect(url.href.startsWith('https://docs.test/office/cache/files/data/')).toBe(true);
    expect([url.searchParams.get('shardkey'), url.searchParams.get('WOPISrc')]).toEqual([
      'node-7',
      'http://host/file',
    ]);
  });

  it('[CA9] the same key and type get the same result, failures too; the source is fetched once', async () => {
    scene.integrator.serve('once.docx', { bytes: buildDocx({ paragraphs: ['Once'] }) });
    const parameters = wanted({ url: source('once.docx') });
    const replies = await Promise.all([convert(parameters), convert(parameters), convert(parameters)]);
    scene.integrator.serve('once.docx', { bytes: buildDocx({ paragraphs: ['Other'] }) });
    replies.push(await convert({ ...parameters, url: source('nowhere.docx') }));
    expect(scene.integrator.downloadsOf('once.docx')).toBe(1);
    for (const reply of replies) {
      expect(new URL(String(reply.fileUrl)).pathname).toBe(new URL(String(replies[0]!.fileUrl)).pathname);
    }
    const failing = wanted({ url: source('later.docx') });
    expect(await convert(failing)).toEqual({ error: -4 });
    scene.integrator.serve('later.docx', { bytes: buildDocx({ paragraphs: ['Later'] }) });
    expect(await convert(failing)).toEqual({ error: -4 });
    expect(await convert({ ...failing, key: `${failing.key}-new` })).toMatchObject({ endConvert: true });
  });

  it('[CA10] an asynchronous request is answered at once, and again until its file is there', async () => {
    let release: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    scene.integrator.serve('slow.docx', { bytes: buildDocx({ paragraphs: ['Slow'] }), until });
    const parameters = wanted({ url: source('slow.docx'), async: true });
    const first = await post(signed(parameters));
    expect(await first.json()).toMatchObject({ percent: 0, endConvert: false });
    const xml = await post(signed(parameters), { path: '/ConvertService.ashx' });
    expect(await xml.text()).toContain(
      '<FileResult><FileUrl></FileUrl><FileType></FileType><Percent>0</Percent><EndConvert>False</EndConvert></FileResult>',
    );
    release();
    const reply = await eventually(
      () => convert(parameters),
      ({ endConvert }) => endConvert === true,
    );
    expect(strFromU8(unzipSync(await fileOf(reply))['word/document.xml']!)).toContain('Slow');
    expect(scene.integrator.downloadsOf('slow.docx')).toBe(1);

    const failing = wanted({ url: source('nowhere.docx'), async: true });
    expect(await convert(failing)).toMatchObject({ percent: 0, endConvert: false });
    await eventually(
      () => convert(failing),
      (answer) => answer.error === -4,
    );
  });

  it('[CA11] a source that cannot be fetched is -4, one that is too large -10', async () => {
    scene.integrator.serve('refused.docx', { status: 403 });
    scene.integrator.serve('huge.docx', { bytes: new Uint8Array(1_000_001) });
    expect(await convert(wanted({ url: source('refused.docx') }))).toEqual({ error: -4 });
    expect(await convert(wanted({ url: 'http://127.0.0.1:1/closed.docx' }))).toEqual({ error: -4 });
    expect(await convert(wanted({ url: 'http://169.254.169.254/latest/meta-data' }))).toEqual({ error: -4 });
    expect(await convert(wanted({ url: source('huge.docx') }))).toEqual({ error: -10 });
  });

  it('[CA12] a damaged file and a type that no engine here makes are -3, a family without a fitting type is -9', async () => {
    scene.integrator.serve('damaged.docx', { bytes: Buffer.from('no document') });
    expect(await convert(wanted({ url: source('damaged.docx') }))).toEqual({ error: -3 });
    expect(await convert(wanted({ outputtype: 'xlsx' }))).toEqual({ error: -3 });
    const before = scene.integrator.downloadsOf('document.docx');
    expect(await convert(wanted({ filetype: 'key', outputtype: 'fb2' }))).toEqual({ error: -3 });
    expect(await convert(wanted({ filetype: 'hwp', outputtype: 'ooxml' }))).toEqual({ error: -9 });
    expect(await convert(wanted({ filetype: undefined, url: source('document') }))).toEqual({ error: -9 });
    expect(scene.integrator.downloadsOf('document.docx')).toBe(before);
    expect(await convert(wanted({ filetype: undefined }))).toMatchObject({ fileType: 'docx' });
    expect(await convert(wanted({ outputtype: 'ooxml' }))).toMatchObject({ fileType: 'docx' });
  });

  it('[CA16] nothing of an address, a password or a token comes into a reply or the log', async () => {
    const password = 'the-password-of-this-test';
    const url = `${source('secret.docx')}?signature=the-signature-of-this-test`;
    const parameters = wanted({ url, password });
    expect(await convert(parameters)).toEqual({ error: -4 });
    for (const secret of [password, 'the-signature-of-this-test', String(signed(parameters).token)]) {
      expect(scene.quire.logText()).not.toContain(secret);
    }
  });

  it('[CA17] scripts of the document builder are refused under their key: there is nothing that runs them', async () => {
    const ask = async (body: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${scene.quire.address}/docbuilder`, { method: 'POST', body, headers });
      return [response.status, await response.json()];
    };
    const request = { key: 'build-1', url: source('script.docbuilder'), async: false };
    const newKey = expect.stringMatching(/^bld_[-0-9a-f]{36}$/);
    expect(await ask(JSON.stringify(signed(request)))).toEqual([200, { key: 'build-1', error: -3 }]);
    expect(await ask(JSON.stringify(signed({ url: request.url })))).toEqual([
      200,
      { key: newKey, error: -3 },
    ]);
    expect(await ask(JSON.stringify(signed({ ...request, key: 'a/b' })))).toEqual([
      200,
      { key: newKey, error: -7 },
    ]);
    expect(await ask(JSON.stringify(request))).toEqual([200, { key: newKey, error: -8 }]);
    const script = 'builder.CreateFile("docx");';
    expect(await ask(script)).toEqual([200, { key: newKey, error: -8 }]);
    const authorization = `Bearer ${signJwt({ payload: { key: 'build-2' } }, sceneSecret)}`;
    expect(await ask(script, { authorization })).toEqual([200, { key: 'build-2', error: -3 }]);
  });
});

describe.skipIf(!realX2t)(`the conversion API, ${needsX2t}`, () => {
  const magic = (bytes: Uint8Array, count: number) => strFromU8(bytes.slice(0, count), true);

  it('[CA13] documents become PDF, pictures and files of other programs', async () => {
    const asPdf = await convert(wanted({ outputtype: 'pdf', region: 'en-US', title: 'Plan.docx' }));
    expect(new URL(String(asPdf.fileUrl)).searchParams.get('filename')).toBe('Plan.pdf');
    const pdf = await fileOf(asPdf);
    expect(magic(pdf, 5)).toBe('%PDF-');
    const odt = await convert(wanted({ outputtype: 'odf' }));
    expect(odt.fileType).toBe('odt');
    scene.integrator.serve('other.odt', { bytes: await fileOf(odt) });
    const back = await convert(wanted({ url: source('other.odt'), filetype: 'odt', outputtype: 'ooxml' }));
    expect(back.fileType).toBe('docx');
    expect(strFromU8(unzipSync(await fileOf(back))['word/document.xml']!)).toContain('Second');
    const thumbnail = { aspect: 1, first: true, width: 120, height: 160 };
    const png = await fileOf(await convert(wanted({ outputtype: 'png', thumbnail })));
    expect(magic(png, 4).slice(1)).toBe('PNG');
  });

  it('[CA13] code page and delimiter of a table count', async () => {
    scene.integrator.serve('table.csv', { bytes: Buffer.from('M\xfcller;1,5\n', 'latin1') });
    const parameters = wanted({ url: source('table.csv'), filetype: 'csv', outputtype: 'xlsx' });
    const table = await convert({ ...parameters, codePage: 1252, delimiter: 2 });
    const parts = unzipSync(await fileOf(table));
    const cells = strFromU8(parts['xl/worksheets/sheet1.xml']!).matchAll(/<t>([^<]*)<\/t>/g);
    expect([...cells].map(([, text]) => text)).toEqual(['Müller', '1,5']);
  });
});
