import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Router } from 'express';
import type { Logger } from 'pino';
import { exampleRouter } from '../example/server/example-router.ts';
import { outboxRules } from '../platform/config/token-rules.ts';
import type { Config } from '../platform/config.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { baseUrl, portAddress } from './http/base-url.ts';
import { examplePath } from './http/http-app.ts';
import { webDirectory } from './integration/web-pages.ts';

/**
 * The example is an application of its own in this process. It and the server reach each other by the address of this machine,
 * also when browsers use another one.
 */
export function openExample(
  config: Config,
  { inbox, outbox }: Secrets,
  ownAddress: () => string,
  log: Logger,
): Promise<Router> {
  const { header, prefix } = outboxRules(config);
  return exampleRouter({
    directory: path.join(config.dataDir, 'example'),
    secrets: { own: inbox, documentServer: outbox, tokenPrefix: prefix },
    tokenHeader: header,
    documentServer: { forBrowsers: (request) => baseUrl(request, config), forServers: ownAddress },
    own: {
      forBrowsers: (request) => baseUrl(request, config) + examplePath,
      forServers: () => ownAddress() + examplePath,
    },
    webDirectory,
    guide: path.join(webDirectory, '../../docs/integration.md'),
    log,
  });
}

/** The address under which this process reaches its own port. */
export function loopbackAddress({ host }: Config, server: Server): string {
  return portAddress(host, (server.address() as AddressInfo).port, '127.0.0.1');
}
