import { lookup } from 'node:dns/promises';
import type { Config } from '../../platform/config.ts';
import { addressKind } from '../../platform/outgoing/address-rules.ts';
import { HttpClient } from '../../platform/outgoing/http-client.ts';
import { RequestError, safeAddress } from '../../platform/outgoing/request-error.ts';
import { discard, readBody } from '../../platform/outgoing/response-body.ts';
import { Tokens } from '../../platform/secrets/tokens.ts';
import { clockFindings, type Finding, fail, networkFinding, ok, warn } from './finding.ts';
import { secretsOf } from './token-check.ts';

export const integratorTimeoutMs = 15_000;
const timeoutMs = integratorTimeoutMs;
/** Longest that a whole file may take. */
const wholeFileMs = 60_000;

/** Whether this machine can fetch a document in the same way as the server. */
export async function checkDownload(url: string, config: Config): Promise<Finding[]> {
  return withClient(
    config,
    async (http, tokens) => {
      const headers = tokens ? await tokens.downloadHeaders(url) : {};
      const signal = AbortSignal.timeout(wholeFileMs);
      const response = await http.send({
        ...{ url, method: 'GET' as const, headers, idleTimeoutMs: timeoutMs, signal },
        fromVerifiedToken: config.jwtEnabled,
      });
      try {
        const clock = clockFindings(new URL(url).host, String(response.headers.date ?? ''), Date.now());
        const finding = downloadFinding(response.status, response.headers, config);
        const wayFindings =
          response.url.href === new URL(url).href
            ? []
            : [
                warn(
                  `It redirects to ${safeAddress(response.url)}`,
                  'Give the last address: each redirect costs an opening time.',
                ),
              ];
        // An error of the body is a finding, too: the server reads all of it.
        if (finding.verdict === 'ok') await readBody(response, config.maxDownloadSizeBytes, signal);
        return [finding, ...wayFindings, ...clock];
      } finally {
        discard(response);
      }
    },
    url,
  );
}

function downloadFinding(
  status: number,
  headers: Record<string, string | string[] | undefined>,
  { maxDownloadSizeBytes }: Config,
): Finding {
  if (status === 401 || status === 403) {
    return fail(
      `It is refused with status ${status}`,
      'Have the integrator take the token that comes with the request (header of JWT_HEADER), or sign its address; see JWT_OUTBOX_EXCLUDE where the header itself disturbs.',
    );
  }
  if (status === 404 || status === 410)
    return fail(`There is no file (status ${status})`, 'Correct document.url.');
  if (status !== 200)
    return fail(`It is answered with status ${status}`, 'Only 200 with the whole file will do.');
  const type = String(headers['content-type'] ?? '').toLowerCase();
  if (type.startsWith('text/html')) {
    return warn(
      'It gives a page, not a document: perhaps one to sign in',
      'The address must work without a browser session.',
    );
  }
  const sizeBytes = Number(headers['content-length']);
  if (sizeBytes > maxDownloadSizeBytes) {
    return fail(`The file has ${sizeBytes} bytes, more than is allowed`, 'Raise MAX_DOWNLOAD_SIZE_BYTES.');
  }
  return ok(
    `It gives a file${Number.isNaN(sizeBytes) ? '' : ` of ${sizeBytes} bytes`} (${type || 'no type'})`,
  );
}

/** Runs a check that sends requests with the rules of the server. An error of the network is a finding. */
export async function withClient(
  config: Config,
  work: (http: HttpClient, tokens: Tokens | null) => Promise<Finding[]>,
  url: string,
): Promise<Finding[]> {
  const http = new HttpClient(config);
  const secrets = await secretsOf(config);
  try {
    return await work(http, secrets && new Tokens(secrets, config));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return [await requestFinding(url, error, config)];
  } finally {
    await http.close();
  }
}

async function requestFinding(url: string, error: RequestError, config: Config): Promise<Finding> {
  switch (error.code) {
    case 'address':
      return fail(
        error.message,
        'Give a whole address with http:// or https:// and without user and password.',
      );
    case 'redirects':
      return fail(error.message, 'Give the last address.');
    case 'timeout':
      return fail(error.message, 'Look for a firewall in between.');
    case 'size':
      return fail(error.message, 'Raise MAX_DOWNLOAD_SIZE_BYTES.');
    case 'encoding':
      return fail(error.message, 'Have it send the file as it is, without the header Content-Encoding.');
    case 'refused':
      return fail(error.message, await refusalRemedy(new URL(url).hostname, config));
    default:
      return networkFinding(
        safeAddress(url),
        error,
        'Start what should answer there, or correct the address; in a container, localhost is the container itself.',
      );
  }
}

/** Which setting forbids an address. */
async function refusalRemedy(hostname: string, config: Config): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const addresses = (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  if ([host, ...addresses].some((address) => !config.ipFilter.allows(host, address))) {
    return 'IP_FILTER forbids it: put a rule that allows it before the one that does not.';
  }
  const kinds = addresses.map(addressKind);
  if (kinds.includes('metadata'))
    return 'It is the address of a metadata service or a link-local one; ALLOW_META_IP_ADDRESS=true allows those.';
  if (kinds.includes('private')) {
    return 'It is a private address. Set JWT_ENABLED=true, so that a token vouches for addresses, or ALLOW_PRIVATE_IP_ADDRESS=true.';
  }
  return 'It leads where no request may go: name another host.';
}
