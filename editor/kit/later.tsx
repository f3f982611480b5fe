import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../strings/strings.ts';
import { notify } from './notices.tsx';
import { isOfGoneVersion, tellOtherVersion } from './other-version.ts';

/** Code that is downloaded behind the first look at a page. */
export interface LaterPart<Part> {
  /** Null until it is there. */
  readonly loaded: Part | null;
  /** Downloads it, if it is not there yet; after a failure the next call tries again. */
  load(): Promise<Part>;
  /** The same for somebody who waits for it: where it fails they are told, and it is null. */
  loadOrTell(): Promise<Part | null>;
}

/** After an upgrade no later attempt helps either. */
async function tellNotLoaded(): Promise<void> {
  if (await isOfGoneVersion()) tellOtherVersion();
  else notify({ text: t('page.notLoaded'), kind: 'warning', topic: 'part' });
}

const parts: LaterPart<unknown>[] = [];

/** Code that the page does without at first. It is downloaded when it is needed, or by `loadParts`. */
export function laterPart<Part>(download: () => Promise<Part>): LaterPart<Part> {
  let loaded: Part | null = null;
  let loading: Promise<Part> | null = null;
  let hasFailed = false;
  const start = async () => {
    try {
      if (hasFailed) await retryStyles();
      loaded = await download();
      return loaded;
    } catch (error) {
      hasFailed = true;
      loading = null;
      throw error;
    }
  };
  const part: LaterPart<Part> = {
    get loaded() {
      return loaded;
    },
    load() {
      loading ??= start();
      return loading;
    },
    loadOrTell: () =>
      part.load().catch(() => {
        void tellNotLoaded();
        return null;
      }),
  };
  parts.push(part);
  return part;
}

let retrying: Promise<void> | null = null;

/** The bundler's code asks for a style sheet once only: those that failed are asked for again, by parts that retry at once together. */
function retryStyles(): Promise<void> {
  retrying ??= loadFailedStyles().finally(() => {
    retrying = null;
  });
  return retrying;
}

/** A link that is still loading looks as if it had failed: it stays until the new one is there, for somebody waits for it. */
async function loadFailedStyles(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => sheet === null,
  );
  await Promise.all(
    failed.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const done = new Promise<void>((resolve, reject) => {
        again.onload = () => {
          if (link.sheet === null) link.remove();
          resolve();
        };
        again.onerror = () => {
          again.remove();
          reject(new Error(`${again.href} was not loaded`));
        };
      });
      link.after(again);
      return done;
    }),
  );
}

/** Downloads what is not there yet, one part after the other while nothing else is to be done; failures are tried again when needed. */
export async function loadParts(): Promise<void> {
  for (const part of parts) {
    if (part.loaded !== null) continue;
    await new Promise<void>((resolve) => {
      // Safari has no such callback.
      if (typeof requestIdleCallback === 'function') requestIdleCallback(() => resolve(), { timeout: 2_000 });
      else setTimeout(resolve, 200);
    });
    await part.load().catch(() => undefined);
  }
}

/**
 * A part for a component, which is drawn again when the part is there; null until then. It is asked for while `wanted` is neither
 * false nor null, and again with each other `wanted` where that failed.
 */
export function useLaterPart<Part>(
  part: LaterPart<Part>,
  wanted: unknown = true,
  onFail: () => void = () => undefined,
): Part | null {
  const [isDrawn, setDrawn] = useState(part.loaded !== null);
  useEffect(() => {
    if (isDrawn || wanted === false || wanted === null) return undefined;
    let isOpen = true;
    // It may have come since the drawing, for somebody else: nobody would draw it.
    part.load().then(
      () => isOpen && setDrawn(true),
      () => isOpen && onFail(),
    );
    return () => {
      isOpen = false;
    };
  }, [wanted]);
  return part.loaded;
}

/**
 * A component that is downloaded when it is first shown, or by `loadParts`: a dialog, panel or menu. Where that fails people are
 * told, and it is closed, so that they can open it again.
 */
export function later<Props extends { readonly onClose: () => void }>(
  download: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const part = laterPart(download);
  return function Later(props: Props) {
    const Part = useLaterPart(part, true, () => {
      void tellNotLoaded();
      props.onClose();
    });
    return Part ? <Part {...props} /> : null;
  };
}
