import { createServer, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import type { AddressList } from '../platform/config.ts';

/**
 * What orchestrators and Prometheus ask a converter process for: `GET /healthcheck`, `true` or 503 with `false`, and
 * `GET /metrics` for the addresses that may read it. Resolves when it listens.
 */
export async function openStatusPage(options: {
  port: number;
  host: string | undefined;
  registry: Registry;
  readers: AddressList;
  isHealthy: () => Promise<boolean>;
}): Promise<Server> {
  const { port, host, registry, readers, isHealthy } = options;
  const server = createServer((request, response) => {
    const answer = (status: number, body: string, type = 'text/plain') =>
      response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(body);
    const failed = () => void answer(500, 'false');
    if (request.method !== 'GET') return void answer(405, 'GET only');
    switch (request.url) {
      case '/healthcheck':
        isHealthy().then((healthy) => answer(healthy ? 200 : 503, String(healthy)), failed);
        return;
      case '/metrics':
        if (!readers.includes(request.socket.remoteAddress ?? '')) return void answer(403, 'Forbidden');
        registry.metrics().then((page) => answer(200, page, registry.contentType), failed);
        return;
      default:
        answer(404, 'not found');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, resolve);
  });
  return server;
}
