import { type Finding, fail } from './finding.ts';

/** Errors of sockets and of TLS, as sentences; each with a remedy where it is always the same. */
const causes: Readonly<Record<string, readonly [sentence: string, remedy?: string]>> = {
  ECONNREFUSED: ['nothing listens there'],
  ECONNRESET: ['the connection is cut'],
  UND_ERR_SOCKET: ['the connection is cut'],
  ENOTFOUND: ['the name is not known', 'Correct the host name, or the DNS of this machine or container.'],
  EAI_AGAIN: ['names cannot be resolved', 'Look at the DNS of this machine or container.'],
  EHOSTUNREACH: ['there is no way to the host', 'Look at routes and firewalls.'],
  ENETUNREACH: ['there is no way to the network', 'Look at routes and firewalls.'],
  ETIMEDOUT: ['it does not answer', 'Look for a firewall in between.'],
  UND_ERR_CONNECT_TIMEOUT: ['it does not answer', 'Look for a firewall in between.'],
  UND_ERR_HEADERS_TIMEOUT: ['it takes the request and does not answer'],
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Renew the certificate.'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Look at the clock of this machine.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: [
    'its certificate is signed by itself',
    'Name a file with it in NODE_EXTRA_CA_CERTS.',
  ],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'its certificate is of a private authority',
    'Name a file with the authority in NODE_EXTRA_CA_CERTS.',
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'its certificate cannot be verified',
    'Have it send its intermediate certificates, or name a file with them in NODE_EXTRA_CA_CERTS.',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'its certificate is of an unknown authority',
    'Name a file with the authority in NODE_EXTRA_CA_CERTS.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another name', 'Use a name of the certificate.'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS', 'Use http:// or the port for TLS.'],
  HPE_INVALID_CONSTANT: ['it does not speak HTTP', 'Use https:// or another port.'],
};

/** Why an address could not be asked; `remedy` is for causes that have none of their own. */
export function networkFinding(address: string, error: unknown, remedy: string): Finding {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const all = [at, ...(at instanceof AggregateError ? at.errors : [])] as NodeJS.ErrnoException[];
    for (const { code, name } of all) {
      const [sentence, own] = causes[code ?? ''] ?? [];
      if (sentence !== undefined)
        return fail(`${address} cannot be reached: ${sentence} (${code})`, own ?? remedy);
      if (name === 'TimeoutError') return fail(`${address} does not answer in time`, remedy);
    }
  }
  const { cause, message } = error as Error;
  return fail(`${address} cannot be reached: ${cause instanceof Error ? cause.message : message}`, remedy);
}
