#!/usr/bin/env node
// `node bin/drain.js <address> <notice seconds> <longest seconds>`, before a server on this machine is stopped: its health
// checks say no, then, when load balancers have had their notice, its connections end a few at a time. It returns when
// nobody is connected any more, or after the longest time; what is left then, the stop ends.
import { setTimeout as pause } from 'node:timers/promises';

const [address, noticeS, longestS] = process.argv.slice(2);
const lookEveryMs = 500;

async function ask(path, method) {
  const response = await fetch(`${address}/internal/cluster/${path}`, { method });
  if (!response.ok) throw new Error(`${method} ${path}: status ${response.status}`);
  return response.text();
}

try {
  await ask('pre-stop', 'PUT');
  await pause(Number(noticeS) * 1_000);
  const deadline = Date.now() + Number(longestS) * 1_000;
  await ask('drain', 'PUT');
  while ((await ask('drain', 'GET')) !== 'true' && Date.now() < deadline) await pause(lookEveryMs);
} catch (error) {
  console.error(String(error.cause ?? error));
  process.exitCode = 1;
}
