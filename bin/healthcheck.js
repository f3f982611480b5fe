#!/usr/bin/env node
// `node bin/healthcheck.js <address>` ends with 0 when the address answers `true`, and with 1 otherwise: for the health
// checks of containers, whose images have neither curl nor wget.
const deadlineMs = 7_000;

try {
  const response = await fetch(process.argv[2], { signal: AbortSignal.timeout(deadlineMs) });
  const answer = (await response.text()).trim();
  if (response.ok && answer === 'true') process.exit(0);
  console.error(`status ${response.status}: ${answer.slice(0, 200)}`);
} catch (error) {
  console.error(String(error.cause ?? error));
}
process.exit(1);
