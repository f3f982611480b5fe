import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';

const run = promisify(execFile);

/** What a reader that is not LibreOffice finds in a file. */
export interface FoundContent {
  /** What of it is text, marks and all. */
  readonly text: string;
  /** Pictures that lie in it; undefined where that cannot be told. */
  readonly pictures?: number | undefined;
  /** Pages, sheets or slides; undefined where that cannot be told. */
  readonly parts?: number | undefined;
  /** What the file says that it is; undefined where it says nothing. */
  readonly calledType?: string | undefined;
}

const mainTypes: Readonly<Record<string, string>> = {
  docx: 'vnd.openxmlformats-officedocument.wordprocessingml.document',
  docm: 'vnd.ms-word.document.macroEnabled',
  dotx: 'vnd.openxmlformats-officedocument.wordprocessingml.template',
  dotm: 'vnd.ms-word.template.macroEnabledTemplate',
  xlsx: 'vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'vnd.ms-excel.sheet.macroEnabled',
  xltx: 'vnd.openxmlformats-officedocument.spreadsheetml.template',
  xltm: 'vnd.ms-excel.template.macroEnabled',
  pptx: 'vnd.openxmlformats-officedocument.presentationml.presentation',
  pptm: 'vnd.ms-powerpoint.presentation.macroEnabled',
  ppsx: 'vnd.openxmlformats-officedocument.presentationml.slideshow',
  ppsm: 'vnd.ms-powerpoint.slideshow.macroEnabled',
  potx: 'vnd.openxmlformats-officedocument.presentationml.template',
  potm: 'vnd.ms-powerpoint.template.macroEnabled',
};

const openTypes: Readonly<Record<string, string>> = {
  odt: 'text',
  ott: 'text-template',
  ods: 'spreadsheet',
  ots: 'spreadsheet-template',
  odp: 'presentation',
  otp: 'presentation-template',
  odg: 'graphics',
  otg: 'graphics-template',
};

/** Where the parts of packages lie that are counted. */
const countedParts = /^(?:xl\/worksheets\/sheet|ppt\/slides\/slide)\d+\.xml$/;
const countedElements = /<(?:draw:page|table:table) /g;

/** Reads a file by what the standards say of it: packages, flat files, PDF by poppler, binary ones by their bytes. */
export async function contentOf(bytes: Uint8Array, type: string): Promise<FoundContent> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type === 'pdf' || type === 'pdfa') return inPdf(buffer);
  if (buffer.subarray(0, 2).toString() === 'PK') return inPackage(bytes);
  if (buffer.readUInt16BE(0) === 0xd0cf) return inBinary(buffer);
  const text = buffer.toString('utf8');
  if (type.startsWith('fod')) {
    const pictures = text.match(/<office:binary-data>/g)?.length ?? 0;
    return { text, pictures, parts: text.match(countedElements)?.length };
  }
  if (type === 'rtf') return { text: unescapedRtf(text), pictures: text.match(/\\pict/g)?.length ?? 0 };
  if (type === 'html') return { text, pictures: text.match(/src="data:image\/png/g)?.length ?? 0 };
  return { text };
}

function inPackage(bytes: Uint8Array): FoundContent {
  const files = unzipSync(bytes);
  const textOf = (name: string) => Buffer.from(files[name] ?? []).toString('utf8');
  const names = Object.keys(files);
  const text = names
    .filter((name) => /\.(?:xml|xhtml)$/.test(name))
    .map(textOf)
    .join('\n');
  const pictures = names.filter(
    (name) => /\.(?:png|jpe?g|gif|bmp)$/i.test(name) && !/thumbnail/i.test(name),
  ).length;
  if (files['[Content_Types].xml']) {
    const main = /application\/([^"]*)\.main\+xml/.exec(textOf('[Content_Types].xml'))?.[1];
    const calledType = Object.keys(mainTypes).find((type) => mainTypes[type] === main) ?? main;
    const parts = names.filter((name) => countedParts.test(name)).length;
    return { text, pictures, parts: parts || undefined, calledType };
  }
  const mime = textOf('mimetype');
  const open = mime.replace('application/vnd.oasis.opendocument.', '');
  const calledType =
    mime === 'application/epub+zip'
      ? 'epub'
      : Object.keys(openTypes).find((type) => openTypes[type] === open);
  return { text, pictures, parts: textOf('content.xml').match(countedElements)?.length, calledType };
}

async function inPdf(buffer: Buffer): Promise<FoundContent> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'quire-read-pdf-'));
  try {
    const file = path.join(directory, 'read.pdf');
    await writeFile(file, buffer);
    const [text, info, images] = await Promise.all(
      (
        [
          ['pdftotext', [file, '-']],
          ['pdfinfo', [file]],
          ['pdfimages', ['-list', file]],
        ] as const
      ).map(async ([program, args]) => (await run(program, args)).stdout),
    );
    return {
      text: text!,
      parts: Number(/Pages:\s+(\d+)/.exec(info!)![1]),
      pictures: images!.trim().split('\n').length - 2,
      calledType: buffer.includes('pdfaid:part') ? 'pdfa' : 'pdf',
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Texts lie in binary files with one or two bytes for a letter. */
function inBinary(buffer: Buffer): FoundContent {
  return {
    text: `${buffer.toString('latin1')}\n${buffer.toString('utf16le')}\n${buffer.toString('utf16le', 1)}`,
  };
}

const unescapedRtf = (text: string): string =>
  text
    .replaceAll(/\\u(\d+)\\'[0-9a-f]{2}/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\\'([0-9a-f]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** Width and height of a picture in pixels, by the header of its kind; undefined when it is not of that kind. */
export function pictureSize(bytes: Uint8Array, type: string): [number, number] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.toString('latin1', 0, 4);
  if (type === 'png' && start === '\x89PNG') return [buffer.readUInt32BE(16), buffer.readUInt32BE(20)];
  if (type === 'gif' && start === 'GIF8') return [buffer.readUInt16LE(6), buffer.readUInt16LE(8)];
  if (type === 'bmp' && start.startsWith('BM'))
    return [buffer.readInt32LE(18), Math.abs(buffer.readInt32LE(22))];
  if (type !== 'jpg' || buffer.readUInt16BE(0) !== 0xffd8) return undefined;
  for (let at = 2; at + 9 < buffer.length; at += 2 + buffer.readUInt16BE(at + 2)) {
    const marker = buffer[at + 1]!;
    if (marker >= 0xc0 && marker <= 0xc2) return [buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5)];
  }
  return undefined;
}
