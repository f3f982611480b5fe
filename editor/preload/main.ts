import { kinds, pageOf } from '../../model/kinds.ts';

/** What a page needs to start, in the order of the page. */
function partsOf(page: Document): string[] {
  const elements = page.querySelectorAll('script[src], link[rel=modulepreload], link[rel=stylesheet]');
  return Array.from(elements, (element) => element.getAttribute('src') ?? element.getAttribute('href') ?? '');
}

/** Has the browser keep an editor's page and its parts, so that it starts sooner when it is opened. */
async function preload(page: string): Promise<void> {
  const address = new URL(`../${page}/index.html`, location.href);
  const response = await fetch(address);
  const document = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const part of partsOf(document)) {
    await fetch(new URL(part, address), { priority: 'low' }).then((loaded) => loaded.arrayBuffer());
  }
}

for (const page of kinds.edited.map(pageOf)) {
  // What does not come now comes when the editor is opened.
  await preload(page).catch(() => undefined);
}
