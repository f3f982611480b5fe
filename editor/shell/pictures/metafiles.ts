import { laterPart } from '../../kit/later.tsx';

const drawing = laterPart(() => import('./metafile-drawing.ts'));

/** The address of a metafile of Windows, as the server signs it. */
const address = /\.(?:emf|wmf)(?:[?#]|$)/i;

/**
 * Has the metafiles on a page drawn, which no browser shows: when the browser has given one up, which it tries only once it is
 * in sight, its picture is taken instead. What cannot be drawn either is given up again, as any broken picture is.
 */
export function drawMetafiles(): void {
  // Errors of pictures do not bubble.
  document.addEventListener('error', replace, { capture: true });
}

function replace(event: Event): void {
  const image = event.target;
  if (!event.isTrusted || !(image instanceof HTMLImageElement) || !address.test(image.src)) return;
  const { src } = image;
  event.stopImmediatePropagation();
  drawing
    .load()
    .then(({ drawnMetafile }) => drawnMetafile(src))
    .then(
      (drawn) => {
        // It may show another picture by now.
        if (image.src === src) image.src = drawn;
      },
      () => {
        if (image.src === src) image.dispatchEvent(new Event('error'));
      },
    );
}
