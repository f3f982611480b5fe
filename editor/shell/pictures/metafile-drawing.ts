import type { DrawingAnswer } from './metafile-worker.ts';

/** How long a metafile may take, ms; the longest of some four hundred real ones took 5,000. */
const patienceMs = 20_000;
/** More than that is no drawing, bytes. */
const mostBytes = 32 * 2 ** 20;

/** What is drawn, by the addresses of metafiles. */
const drawn = new Map<string, Promise<string>>();
let last: Promise<unknown> = Promise.resolve();
let worker: Worker | null = null;

/**
 * The address of a picture that browsers show of the metafile at an address. They are drawn one after the other, in a worker, which
 * is ended with a metafile that takes too long.
 * @throws Error what is there cannot be drawn
 */
export function drawnMetafile(url: string): Promise<string> {
  let picture = drawn.get(url);
  if (!picture) {
    picture = last.then(async () => URL.createObjectURL(await draw(url)));
    last = picture.catch(() => undefined);
    drawn.set(url, picture);
  }
  return picture;
}

async function draw(url: string): Promise<Blob> {
  const response = await fetch(url);
  const bytes = await response.arrayBuffer();
  if (!response.ok || bytes.byteLength > mostBytes) throw new Error(`${url} is no metafile`);
  const svg = await answerOf(bytes);
  if (svg === null) throw new Error(`${url} cannot be drawn`);
  return new Blob([svg], { type: 'image/svg+xml' });
}

function answerOf(bytes: ArrayBuffer): Promise<DrawingAnswer> {
  worker ??= new Worker(new URL('./metafile-worker.ts', import.meta.url), { type: 'module' });
  const drawing = worker;
  return new Promise<DrawingAnswer>((resolve, reject) => {
    const giveUp = (): void => {
      drawing.terminate();
      worker = null;
      reject(new Error('the metafile was given up'));
    };
    const timer = setTimeout(giveUp, patienceMs);
    drawing.onmessage = ({ data }: MessageEvent<DrawingAnswer>) => {
      clearTimeout(timer);
      resolve(data);
    };
    drawing.onerror = () => {
      clearTimeout(timer);
      giveUp();
    };
    drawing.postMessage(bytes, [bytes]);
  });
}
