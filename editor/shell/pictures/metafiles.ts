import { drawnMetafile } from './metafile-drawing.ts';

/** The address of a metafile of Windows, as the server signs it. */
const address = /\.(?:emf|wmf)(?:[?#]|$)/i;

/**
 * Has the metafiles on the page drawn, which no browser shows: when the browser has given one up, which it tries only once it is
 * in sight, its picture is taken instead. What cannot be drawn either is given up again, as any broken picture is.
 */
export function drawMetafiles(): void {
  // Errors of pictures do not bubble.
  document.addEventListener('error', replaceGivenUp, { capture: true });
  for (const image of document.images) {
    if (image.complete && image.naturalWidth === 0 && address.test(image.src)) replace(image);
  }
}

function replaceGivenUp(event: Event): void {
  const image = event.target;
  if (!event.isTrusted || !(image instanceof HTMLImageElement) || !address.test(image.src)) return;
  event.stopImmediatePropagation();
  replace(image);
}

function replace(image: HTMLImageElement): void {
  const { src } = image;
  // It may show another picture by then.
  drawnMetafile(src).then(
    (drawn) => {
      if (image.src === src) image.src = drawn;
    },
    () => {
      if (image.src === src) image.dispatchEvent(new Event('error'));
    },
  );
}
