import type * as PdfJs from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import type * as PdfJsViewer from 'pdfjs-dist/web/pdf_viewer.mjs';

export type PdfDocument = PdfJs.PDFDocumentProxy;
export type PdfLoading = PdfJs.PDFDocumentLoadingTask;

/** PDF.js: what reads and draws, and what makes pages to scroll through of it. */
export interface PdfLibrary {
  readonly core: typeof PdfJs;
  readonly viewer: typeof PdfJsViewer;
}

let loaded: Promise<PdfLibrary> | null = null;

/** Loads PDF.js when a document is first shown. The viewer finds the core as a global of the page. */
export function loadPdfLibrary(): Promise<PdfLibrary> {
  loaded ??= (async () => {
    const core = await import('pdfjs-dist');
    core.GlobalWorkerOptions.workerSrc = new URL(workerAddress, location.href).href;
    return { core, viewer: await import('pdfjs-dist/web/pdf_viewer.mjs') };
  })();
  return loaded;
}

/** Bytes that are asked for at once of a file that is fetched in parts. */
const partBytes = 262_144;

/**
 * Begins to read a PDF. It is not trusted: nothing in it is run, no code is made of its fonts and functions, and forms in
 * XML are not looked at. Of a large file only what is shown is fetched, where the server gives parts.
 */
export function loadPdf({ core }: PdfLibrary, url: string): PdfLoading {
  // Fonts, character maps and decoders that PDFs take for granted; the build puts them there.
  const files = new URL(`../assets/pdfjs-${core.version}/`, location.href).href;
  return core.getDocument({
    url,
    rangeChunkSize: partBytes,
    disableAutoFetch: true,
    disableStream: true,
    isEvalSupported: false,
    enableXfa: false,
    cMapUrl: `${files}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${files}standard_fonts/`,
    wasmUrl: `${files}wasm/`,
    iccUrl: `${files}iccs/`,
    maxImageSize: 100_000_000,
    verbosity: core.VerbosityLevel.ERRORS,
  });
}
