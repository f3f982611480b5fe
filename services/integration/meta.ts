import { Router } from 'express';
import { inboxRules } from '../../platform/config/token-rules.ts';
import type { Config } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';

/** A format that can be opened or converted, as `/meta/formats` lists it. */
export interface DescribedFormat {
  name: string;
  /** The editor for it: `word`, `cell`, `slide`, `pdf`, `diagram`, or nothing where there is none. */
  type: string;
  /** What can be done with files of it: `view`, `edit`, `lossy-edit`, `auto-convert`, `review`, `comment`. */
  actions: readonly string[];
  /** Types that it can be converted to. */
  convert: readonly string[];
  /** The same by the engine that does it, preferred ones first. */
  engines: Readonly<Record<string, readonly string[]>>;
  mime: readonly string[];
}

export interface MetaDependencies {
  config: Config;
  /** What there is at this moment: engines come and go. */
  formats: () => readonly DescribedFormat[];
}

/** Languages of the word processor. */
const languages = ['en', 'de', 'ar'];

/** `GET /meta/formats` and `GET /meta/config`: what this server can do and where (integration API, 11.5). */
export function metaRouter({ config, formats }: MetaDependencies): Router {
  const router = Router();
  const { header, prefix } = inboxRules(config);
  router.get('/meta/formats', (_request, response) => {
    response.json(formats());
  });
  router.get('/meta/config', (request, response) => {
    const base = baseUrl(request, config);
    response.json({
      authorization: { header, prefix },
      urls: {
        api: `${base}/web-apps/apps/api/documents/api.js`,
        command: `${base}/command`,
        converter: `${base}/converter`,
        docbuilder: `${base}/docbuilder`,
      },
      limits: { maxFileSize: config.maxDownloadSizeBytes },
      langs: languages,
    });
  });
  return router;
}
