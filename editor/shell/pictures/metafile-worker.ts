import { svgOfMetafile } from './metafile-svg.ts';

/** What the worker answers to the bytes of a metafile: an SVG, or null where it cannot be drawn. */
export type DrawingAnswer = string | null;

/** What is used of a worker's own scope. */
interface WorkerScope {
  onmessage: ((event: { readonly data: ArrayBuffer }) => void) | null;
  postMessage(answer: DrawingAnswer): void;
}
const scope = globalThis as unknown as WorkerScope;

scope.onmessage = ({ data }) => {
  svgOfMetafile(data).then(
    (svg) => scope.postMessage(svg),
    () => scope.postMessage(null),
  );
};
