import { Router } from 'express';

/** Which kind of documents each editor of the ONLYOFFICE family is for, and the page of this server for it. */
const editors = {
  documenteditor: { documentType: 'word', page: 'word' },
  spreadsheeteditor: { documentType: 'cell', page: 'viewer' },
  presentationeditor: { documentType: 'slide', page: 'viewer' },
  pdfeditor: { documentType: 'pdf', page: 'viewer' },
  visioeditor: { documentType: 'diagram', page: 'viewer' },
} as const;

/** What the folder of a page says about how the document is shown. */
const types = { main: 'desktop', mobile: 'mobile', embed: 'embedded', forms: 'desktop' } as const;

const pattern = new RegExp(
  `^/web-apps/apps/(${Object.keys(editors).join('|')})/(${Object.keys(types).join('|')})/index(?:_loader)?\\.html$`,
);

/**
 * The addresses at which the editors of the family have their pages (integration API, 3.2), for those who ask for them
 * without `api.js`, such as load tests: they lead to this server's page of that kind, or to the one that shows what has no
 * editor. The way there is relative, so that sub-path and version prefix stay.
 */
export function editorPagesRouter(): Router {
  const router = Router();
  router.get(pattern, (request, response) => {
    const [app, folder] = [request.params[0], request.params[1]] as [
      keyof typeof editors,
      keyof typeof types,
    ];
    const { documentType, page } = editors[app];
    const query = new URLSearchParams(/\?(.*)$/s.exec(request.url)?.[1]);
    query.set('documentType', documentType);
    if (!query.has('type')) query.set('type', types[folder]);
    response.set('Cache-Control', 'no-cache').redirect(302, `../../quire/${page}/index.html?${query}`);
  });
  return router;
}
