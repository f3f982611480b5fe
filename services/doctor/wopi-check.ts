import type { Config } from '../../platform/config.ts';
import { ask } from './ask.ts';
import { type Finding, fail, networkFinding, ok, skip } from './finding.ts';

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
  const answer = await ask(address, { followsRedirects: true });
  if (answer instanceof Error) return networkFinding(address, answer, 'Start the server.');
  const text = answer.content.toString('utf8');
  if (answer.status !== 200 || !text.includes('<wopi-discovery')) {
    return fail(
      `${address} is answered with status ${answer.status} and no discovery`,
      'Start the server with WOPI_ENABLED=true, and have the proxy pass /hosting/.',
    );
  }
  const elsewhere = [...text.matchAll(/urlsrc="([^"?]+)/g)].find(([, source]) => !source!.startsWith(base));
  if (!elsewhere) return ok('Hosts can discover this server');
  return fail(`Discovery sends browsers to ${elsewhere[1]}`, `Set PUBLIC_URL=${base}.`);
}

/** Any whole answer will do: what is at the address itself is the host's affair. */
async function hostFinding(host: string): Promise<Finding> {
  const answer = await ask(host);
  if (answer instanceof Error) return networkFinding(host, answer, 'Correct WOPI_HOSTS, or start the host.');
  return ok(`The host ${host} can be reached`);
}
