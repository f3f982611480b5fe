import type { Config } from '../../platform/config.ts';
import { type Finding, fail, networkFinding, ok, skip } from './finding.ts';

const timeoutMs = 10_000;

/** Whether WOPI hosts can find out what this server opens, and this server reaches the hosts that it may use. */
export async function checkWopi(
  { wopiEnabled, wopiHosts, wopiConvertFrom }: Config,
  base: string,
): Promise<Finding[]> {
  if (!wopiEnabled) return [skip('WOPI_ENABLED is false')];
  const hosts = wopiHosts?.split(',').map((host) => host.trim()) ?? [];
  const findings = [await discoveryFinding(base), ...(await Promise.all(hosts.map(hostFinding)))];
  if (hosts.length === 0) {
    findings.push(
      fail(
        'No WOPI host may use this server',
        'Name the addresses of your hosts in WOPI_HOSTS, such as https://files.example.com/wopi.',
      ),
    );
  }
  if (wopiConvertFrom.isEmpty) {
    findings.push(
      skip(
        'convert-to is closed: WOPI_CONVERT_FROM names the addresses of hosts that may use it, if yours do',
      ),
    );
  }
  return findings;
}

async function discoveryFinding(base: string): Promise<Finding> {
  const address = `${base}/hosting/discovery`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await response.text();
    if (!response.ok || !text.includes('<wopi-discovery')) {
      return fail(
        `${address} is answered with status ${response.status} and no discovery`,
        'Start the server with WOPI_ENABLED=true, and have the proxy pass /hosting/.',
      );
    }
    const elsewhere = [...text.matchAll(/urlsrc="([^"?]+)/g)].find(([, source]) => !source!.startsWith(base));
    if (!elsewhere) return ok('Hosts can discover this server');
    return fail(`Discovery sends browsers to ${elsewhere[1]}`, `Set PUBLIC_URL=${base}.`);
  } catch (error) {
    return networkFinding(address, error, 'Start the server.');
  }
}

/** Any answer at all will do: what is at the address itself is the host's affair. */
async function hostFinding(host: string): Promise<Finding> {
  try {
    const response = await fetch(host, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    await response.body?.cancel();
    return ok(`The host ${host} can be reached`);
  } catch (error) {
    return networkFinding(host, error, 'Correct WOPI_HOSTS, or start the host.');
  }
}
