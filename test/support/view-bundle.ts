import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { openDocx } from '../../converter/engines/ooxml/docx/docx-engine.ts';

const pageFile = 'editor/word/view/testing/view-page.ts';

/** The page's source: compiled for a benchmark, this file is a folder further away from it. */
function entryPoint(): string {
  const roots = ['../../', '../../../'].map((root) =>
    fileURLToPath(new URL(root + pageFile, import.meta.url)),
  );
  const found = roots.find((path) => existsSync(path));
  if (!found) throw new Error(`there is no ${pageFile}`);
  return found;
}

/** Script and style sheet of the page `editor/word/view/testing/view-page.ts`, for a browser. */
export async function bundleViewPage(): Promise<{ script: string; style: string }> {
  const result = await build({
    entryPoints: [entryPoint()],
    bundle: true,
    platform: 'browser',
    format: 'iife',
    outdir: 'memory',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    logLevel: 'silent',
  });
  const textOf = (ending: string) => result.outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css') };
}

/** The model of a docx, and its pictures as addresses that hold them. */
export function shownDocx(bytes: Uint8Array): { json: unknown; media: Record<string, string> } {
  const source = openDocx(bytes);
  const media: Record<string, string> = {};
  for (const [path, content] of source.media()) {
    media[path] = `data:${mediaType(path)};base64,${Buffer.from(content).toString('base64')}`;
  }
  return { json: source.model(), media };
}

function mediaType(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return `image/${{ jpg: 'jpeg', svg: 'svg+xml' }[ending] ?? ending}`;
}
