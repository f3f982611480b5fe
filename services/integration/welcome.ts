import type { Router } from 'express';
import { protocolVersion } from '../../platform/config.ts';
import { Routes } from '../http/routes.ts';

/**
 * The page that greets people who open the server's address, and the plain status text of the service itself.
 * `hasExample`: the example application is served, and the page leads there.
 */
export function welcomeRouter(startedAt: Date, hasExample: boolean): Router {
  const routes = new Routes();
  routes.on('GET /', (_request, response) => response.redirect(302, 'welcome/'));
  routes.on('GET /welcome/', (_request, response) => {
    response
      .type('html')
      .set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
      .send(page(hasExample));
  });
  routes.on('GET /index.html', (_request, response) => {
    const { version, build } = protocolVersion;
    const since = startedAt.toISOString();
    response
      .type('text/plain')
      .send(`Server is functioning normally. Version: ${version}. Build: ${build}. Started: ${since}`);
  });
  return routes.router;
}

const page = (hasExample: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Quire</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 12vh auto; padding: 0 1.5rem; }
  h1 { font-size: 2.4rem; margin: 0; letter-spacing: -0.02em; }
  p.lead { margin-top: 0.3rem; opacity: 0.75; }
  code { font: 0.95em ui-monospace, monospace; background: color-mix(in srgb, currentColor 9%, transparent);
    padding: 0.1em 0.35em; border-radius: 0.3em; }
  li { margin: 0.35rem 0; }
  a.start { display: inline-block; margin: 0.4rem 0 0.6rem; padding: 0.55em 1.1em; border-radius: 0.45em;
    background: #1f5fd6; color: #fff; text-decoration: none; font-weight: 600; }
  a.start:hover { background: #184cad; }
  a.start:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
</style>
</head>
<body>
<main>
<h1>Quire</h1>
<p class="lead">The document server is running.</p>
${hasExample ? '<p><a class="start" href="../example/">Try it: write a document together</a></p>' : ''}
<p>It speaks the integration API and the co-authoring protocol of ONLYOFFICE Docs. What to do next:</p>
<ul>
  <li><code>npm run demo</code> shows two people editing one document, from opening to the callback.</li>
  <li><code>node bin/quire.js secret</code> prints the secret that your application signs its tokens with.</li>
  <li><code>node bin/quire.js config</code> lists all settings.</li>
  <li><code>/healthcheck</code>, <code>/metrics</code> and <code>POST /command</code> are for operators and integrators.</li>
</ul>
</main>
</body>
</html>
`;
