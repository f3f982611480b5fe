import { Router } from 'express';
import { type KindName, kindNames } from '../../model/kinds.ts';
import type { Config } from '../../platform/config.ts';
import { protocolVersion } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';
import type { Format } from '../integration/editor-formats.ts';
import { discoveryXml } from './discovery.ts';
import type { ProofKeys } from './proof-keys.ts';

/** Colour and letter of the icons of each editor's files. */
const icons: Readonly<Record<KindName, readonly [colour: string, letter: string]>> = {
  word: ['#1f5fd6', 'W'],
  cell: ['#1a7f4b', 'X'],
  slide: ['#c4511f', 'P'],
  pdf: ['#b3261e', 'F'],
  diagram: ['#6247aa', 'V'],
};

export interface DiscoveryDependencies {
  config: Config;
  keys: ProofKeys;
  formats: () => readonly Format[];
}

/** `/hosting/discovery`, `/hosting/capabilities` and what they refer to (integration API, 13.1). */
export function discoveryRouter({ config, keys, formats }: DiscoveryDependencies): Router {
  const router = Router();
  router.get('/hosting/discovery', (request, response) => {
    const xml = discoveryXml(baseUrl(request, config), formats(), keys);
    response.type('text/xml').send(xml);
  });
  router.get('/hosting/capabilities', (_request, response) => {
    response.json({
      'convert-to': { available: !config.wopiConvertFrom.isEmpty, endpoint: '/lool/convert-to' },
      hasMobileSupport: true,
      hasProxyPrefix: false,
      hasTemplateSaveAs: false,
      hasTemplateSource: true,
      productVersion: protocolVersion.version,
    });
  });
  router.get('/hosting/icons/:name', (request, response, next) => {
    const kind = kindNames.find((one) => `${one}.svg` === request.params.name);
    if (!kind) return next();
    response.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(iconOf(kind));
  });
  return router;
}

function iconOf(kind: KindName): string {
  const [colour, letter] = icons[kind];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="${colour}"/><text x="12" y="17" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
}
