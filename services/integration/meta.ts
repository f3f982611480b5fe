import type { Router } from 'express';
import type { ConversionTable } from '../../converter/formats/conversion-table.ts';
import { usualType } from '../../model/usual-type.ts';
import { inboxRules } from '../../platform/config/token-rules.ts';
import type { Config } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';
import { forwardingHeadersOf } from '../http/forwarded.ts';
import { Routes } from '../http/routes.ts';
import type { Format } from './editor-formats.ts';

/** A format that can be opened or converted, as `/meta/formats` lists it. */
interface DescribedFormat {
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
  const routes = new Routes();
  const { header, prefix } = inboxRules(config);
  routes.on('GET /meta/formats', (_request, response) => {
    response.json(formats());
  });
  routes.on('GET /meta/config', (request, response) => {
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
      // What a proxy in front sends, for those who set it up.
      forwarding: {
        headers: forwardingHeadersOf(request.headers),
        believed: config.trustProxy.includes(request.socket.remoteAddress),
      },
    });
  });
  return routes.router;
}

const ooxmlFormat = /^(?:doc|xls|ppt|dot|xlt|pot|pps)[xm]$/;

/** The formats that editors open, and those that can only be converted, by name. */
export function describedFormats(
  served: readonly Format[],
  conversions: Pick<ConversionTable, 'sources' | 'targetsOf' | 'byEngine'>,
): DescribedFormat[] {
  const opened = served.map((format) => ({
    name: format.extension,
    type: format.kind,
    actions: actionsOf(format),
    ...convertible(usualType(format.extension), conversions),
    mime: format.mimeTypes,
  }));
  const names = new Set(opened.map(({ name }) => name));
  const converted = conversions
    .sources()
    .filter((name) => !names.has(name))
    .map((name) => ({ name, type: '', actions: [], ...convertible(name, conversions), mime: [] }));
  return [...opened, ...converted].sort((one, other) => (one.name < other.name ? -1 : 1));
}

const convertible = (name: string, conversions: Pick<ConversionTable, 'targetsOf' | 'byEngine'>) => ({
  convert: conversions.targetsOf(name),
  engines: Object.fromEntries(conversions.byEngine(name)),
});

/** Formats of others hold less than an editor can do; what cannot be written is saved as another format. */
function actionsOf({ extension, view, edit, convertTo }: Format): string[] {
  if (edit)
    return ooxmlFormat.test(extension) ? ['view', 'edit', 'review', 'comment'] : ['view', 'lossy-edit'];
  return [...(view ? ['view'] : []), ...(convertTo === null ? [] : ['auto-convert'])];
}
