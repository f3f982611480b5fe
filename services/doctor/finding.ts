/** How a check, or a part of it, ended. `skip`: there was nothing to check, or something that it needs is missing. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skip';

/** One result of a check. */
export interface Finding {
  verdict: Verdict;
  /** What was found, in a sentence. Never a secret. */
  sentence: string;
  /** What to do about it. */
  remedy?: string;
}

/** One check: of one part of the set-up, from this machine. */
export interface Check {
  name: string;
  /** Longest it may take, milliseconds. */
  timeoutMs: number;
  run(): Promise<Finding[]>;
}

/** All results of one check. */
export interface CheckResult {
  name: string;
  /** The worst of its findings. */
  verdict: Verdict;
  elapsedMs: number;
  findings: Finding[];
}

export const ok = (sentence: string): Finding => ({ verdict: 'ok', sentence });
export const skip = (sentence: string): Finding => ({ verdict: 'skip', sentence });
export const warn = (sentence: string, remedy: string): Finding => ({ verdict: 'warn', sentence, remedy });
export const fail = (sentence: string, remedy: string): Finding => ({ verdict: 'fail', sentence, remedy });

const badness: readonly Verdict[] = ['skip', 'ok', 'warn', 'fail'];

/** The worst of some verdicts; `skip` of none. */
export function worst(verdicts: readonly Verdict[]): Verdict {
  return badness[Math.max(0, ...verdicts.map((verdict) => badness.indexOf(verdict)))]!;
}

/** Runs checks one after the other. One that throws or takes too long has failed; the others are run all the same. */
export async function runChecks(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void = () => undefined,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    const startedAt = performance.now();
    const findings = await inTime(check);
    const verdict = worst(findings.map((finding) => finding.verdict));
    const elapsedMs = Math.round(performance.now() - startedAt);
    const result = { name: check.name, verdict, elapsedMs, findings };
    onResult(result);
    results.push(result);
  }
  return results;
}

async function inTime({ run, timeoutMs }: Check): Promise<Finding[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Finding[]>((resolve) => {
    const sentence = `The check was not done within ${timeoutMs / 1_000} s`;
    timer = setTimeout(() => resolve([fail(sentence, 'Look at what the other checks say.')]), timeoutMs);
  });
  const done = run().catch((error: unknown) => [
    fail(`The check could not be made: ${(error as Error).message}`, 'Look at what the other checks say.'),
  ]);
  const findings = await Promise.race([done, late]);
  clearTimeout(timer);
  return findings;
}

/** Errors of sockets and of TLS as sentences, with a remedy where there is only one. */
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

/** Why an address could not be reached; `remedy` is for causes that have none of their own. */
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

/** The shortest of some round trips, milliseconds. */
export async function roundTripMs(trips: number, travel: () => Promise<unknown>): Promise<number> {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let trip = 0; trip < trips; trip += 1) {
    const startedAt = performance.now();
    await travel();
    shortestMs = Math.min(shortestMs, performance.now() - startedAt);
  }
  return shortestMs;
}

/** Smaller differences are ignored, milliseconds: the header `Date` has whole seconds only. */
const noticedMs = 3_000;
const harmfulMs = 60_000;

/** Judges another machine's clock; both times in milliseconds since 1970. */
export function clockFinding(whose: string, theirsMs: number, oursMs: number): Finding {
  const differenceMs = Math.round(theirsMs - oursMs);
  const size = Math.abs(differenceMs);
  if (size < noticedMs) return ok(`The clock of ${whose} agrees with that of this machine`);
  const sentence = `The clock of ${whose} is ${(size / 1_000).toFixed(1)} s ${differenceMs > 0 ? 'ahead' : 'behind'}`;
  const remedy = 'Have both machines set their clocks by NTP.';
  return size < harmfulMs ? warn(sentence, remedy) : fail(`${sentence}: tokens are refused`, remedy);
}

/** {@link clockFinding} for the header `Date` of an answer; empty without that header. */
export function clockFindings(whose: string, date: string | null | undefined, oursMs: number): Finding[] {
  const theirsMs = Date.parse(date ?? '');
  return Number.isNaN(theirsMs) ? [] : [clockFinding(whose, theirsMs, oursMs)];
}
