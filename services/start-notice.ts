import { type Config, servesExample } from '../platform/config.ts';
import { adminTokenFileOf } from './admin/admin-secrets.ts';
import { examplePath } from './http/http-app.ts';

/** The addresses of a server. */
export interface Found {
  address: string;
  /** Null where this node has no administration. */
  adminAddress: string | null;
}

/** The last text of a start in a terminal: where to click. The log has the same for operators. */
export function startNotice(config: Config, { address, adminAddress }: Found): string {
  const base = address.replace(/\/+$/, '');
  const tokenFile = adminTokenFileOf(config);
  const places: [string, string][] = [
    servesExample(config)
      ? [`${base}${examplePath}/`, 'make a document, and open it as two people']
      : [`${base}/`, 'this server'],
  ];
  if (adminAddress !== null) {
    const signIn = tokenFile === null ? '' : `; sign in with the token in\n${tokenFile}`;
    places.push([adminAddress, `the administration${signIn}`]);
  }
  const width = Math.max(...places.map(([place]) => place.length)) + 4;
  const lines = places.map(
    ([place, meaning]) => `  ${place.padEnd(width)}${meaning.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`,
  );
  return `\nOpen in a browser:\n\n${lines.join('\n')}\n\nCtrl-C stops Quire.\n\n`;
}
