import { causesOf, networkCause, networkSentence } from '../../platform/outgoing/network-cause.ts';
import { late, within } from '../../platform/within.ts';

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
  const done = run().catch((error: unknown) => [
    fail(`The check could not be made: ${(error as Error).message}`, 'Look at what the other checks say.'),
  ]);
  const findings = await within(timeoutMs, done);
  if (findings !== late) return findings;
  const sentence = `The check was not done within ${timeoutMs / 1_000} s`;
  return [fail(sentence, 'Look at what the other checks say.')];
}

/** What to do about causes that have one remedy. */
const remedies: Readonly<Record<string, string>> = {
  ENOTFOUND: 'Correct the host name, or the DNS of this machine or container.',
  EAI_AGAIN: 'Look at the DNS of this machine or container.',
  EHOSTUNREACH: 'Look at routes and firewalls.',
  ENETUNREACH: 'Look at routes and firewalls.',
  ETIMEDOUT: 'Look for a firewall in between.',
  CERT_HAS_EXPIRED: 'Renew the certificate.',
  CERT_NOT_YET_VALID: 'Look at the clock of this machine.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Name a file with it in NODE_EXTRA_CA_CERTS.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Name a file with the authority in NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Have it send its intermediate certificates, or name a file with them in NODE_EXTRA_CA_CERTS.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Name a file with the authority in NODE_EXTRA_CA_CERTS.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a name of the certificate.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'Use http:// or the port for TLS.',
  HPE_INVALID_CONSTANT: 'Use https:// or another port.',
};

/** Why an address gives no answer; `remedy` is for causes that have none of their own. */
export function networkFinding(address: string, error: unknown, remedy: string): Finding {
  if (causesOf(error).some(({ name }) => name === 'TimeoutError'))
    return fail(`${address} does not answer in time`, remedy);
  const cause = networkCause(error);
  if (cause) return fail(networkSentence(address, error), remedies[cause.code] ?? remedy);
  const { message } = causesOf(error).at(-1) ?? (error as Error);
  return fail(`${address} cannot be reached: ${message}`, remedy);
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
