import type { Router } from 'express';
import { type KindName, kindNames } from '../../model/kinds.ts';
import { type Config, protocolVersion } from '../../platform/config.ts';
import { baseUrl } from '../http/base-url.ts';
import { Routes } from '../http/routes.ts';
import { appNames, type Format } from '../integration/editor-formats.ts';
import { escapeXml } from './escape-xml.ts';
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
  const routes = new Routes();
  routes.on('GET /hosting/discovery', (request, response) => {
    const xml = discoveryXml(baseUrl(request, config), formats(), keys);
    response.type('text/xml').send(xml);
  });
  routes.on('GET /hosting/capabilities', (_request, response) => {
    response.json({
      'convert-to': { available: !config.wopiConvertFrom.isEmpty, endpoint: '/lool/convert-to' },
      hasMobileSupport: true,
      hasProxyPrefix: false,
      hasTemplateSaveAs: false,
      hasTemplateSource: true,
      productVersion: protocolVersion.version,
    });
  });
  routes.on('GET /hosting/icons/:name', (request, response, _found, next) => {
    const kind = kindNames.find((one) => `${one}.svg` === request.params.name);
    if (!kind) return next();
    response.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(iconOf(kind));
  });
  return routes.router;
}

function iconOf(kind: KindName): string {
  const [colour, letter] = icons[kind];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="${colour}"/><text x="12" y="17" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle" fill="#fff">${letter}</text></svg>`;
}

/** What a host may put into the address of a page (integration API, 13.1). */
const placeholders =
  '<rs=DC_LLCC&><dchat=DISABLE_CHAT&><embed=EMBEDDED&><fs=FULLSCREEN&><hid=HOST_SESSION_ID&><rec=RECORDING&>' +
  '<sc=SESSION_CONTEXT&><thm=THEME_ID&><ui=UI_LLCC&><wopisrc=WOPI_SOURCE&>&';

interface Action {
  name: string;
  path: string;
  marker: string;
  requires: string | null;
  isDefault: boolean;
  targetExtension?: string;
}

const writing = 'locks,update';

/** The discovery of `GET /hosting/discovery`: every format that can be served, under `base`, and the public keys. */
export function discoveryXml(
  base: string,
  formats: readonly Format[],
  keys: Pick<ProofKeys, 'published'>,
): string {
  const actionsOf = (format: Format, extension: string): string[] =>
    actionsFor(format).map((action) => actionXml(base, action, extension));
  const kinds = kindNames.filter((kind) => formats.some((format) => format.kind === kind));
  const apps = kinds.map((kind) =>
    appXml(
      appNames[kind],
      formats
        .filter((format) => format.kind === kind)
        .flatMap((format) => actionsOf(format, format.extension)),
      iconAddress(base, kind),
    ),
  );
  const byMimeType = formats.flatMap((format) =>
    format.mimeTypes.map((mimeType) => appXml(mimeType, actionsOf(format, ''), null)),
  );
  const capabilities = appXml(
    'Capabilities',
    [
      `<action ext="" name="getinfo" requires="${writing}" urlsrc="${escapeXml(`${base}/hosting/capabilities`)}"/>`,
    ],
    null,
  );
  const { current, old } = keys.published;
  return `<?xml version="1.0" encoding="utf-8"?>
<wopi-discovery><net-zone name="external-http">
${[...apps, ...byMimeType, capabilities].join('\n')}
</net-zone><proof-key oldvalue="${old.value}" oldmodulus="${old.modulus}" oldexponent="${old.exponent}" value="${current.value}" modulus="${current.modulus}" exponent="${current.exponent}"/></wopi-discovery>
`;
}

/** The address of the icon of an editor's files. */
const iconAddress = (base: string, kind: KindName): string => `${base}/hosting/icons/${kind}.svg`;

function actionsFor(format: Format): Action[] {
  const { kind, view, edit, blank, convertTo, extension } = format;
  const action = (name: string, mode: 'view' | 'edit', more: Partial<Action> = {}): Action => ({
    name,
    path: `${kind}/${mode}`,
    marker: '',
    requires: mode === 'edit' ? writing : null,
    isDefault: false,
    ...more,
  });
  const shown = view
    ? [
        action('view', 'view', { isDefault: !edit }),
        action('embedview', 'view', { marker: 'embed=1&' }),
        action('mobileView', 'view', { marker: 'mobile=1&' }),
      ]
    : [];
  const edited = edit
    ? [action('edit', 'edit', { isDefault: true }), action('mobileEdit', 'edit', { marker: 'mobile=1&' })]
    : [];
  const made = blank ? [action('editnew', 'edit')] : [];
  const converted =
    convertTo === null
      ? []
      : [
          action('convert', 'edit', {
            path: `convert-and-edit/${extension}/${convertTo}`,
            requires: 'update',
            targetExtension: convertTo,
          }),
        ];
  return [...shown, ...edited, ...made, ...converted];
}

function actionXml(base: string, action: Action, extension: string): string {
  const { name, path, marker, requires, isDefault, targetExtension } = action;
  const attributes = {
    name,
    ext: extension,
    ...(targetExtension === undefined ? {} : { targetext: targetExtension }),
    ...(isDefault ? { default: 'true' } : {}),
    ...(requires === null ? {} : { requires }),
    urlsrc: `${base}/hosting/wopi/${path}?${marker}${placeholders}`,
  };
  const written = Object.entries(attributes).map(
    ([attribute, value]) => `${attribute}="${escapeXml(value)}"`,
  );
  return `<action ${written.join(' ')}/>`;
}

const appXml = (name: string, actions: readonly string[], icon: string | null): string =>
  `<app name="${escapeXml(name)}"${icon === null ? '' : ` favIconUrl="${escapeXml(icon)}"`}>${actions.join('')}</app>`;
