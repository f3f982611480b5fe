import { QuireError } from '../platform/quire-error.ts';
import { within } from '../platform/within.ts';
import { Integrator } from './integrator.ts';
import type { LoadKind } from './load-kinds.ts';
import { Signer } from './signer.ts';
import type { TransportName } from './wire/frames.ts';
import { LeanClient } from './wire/lean-client.ts';
import { ConnectError, targetOf } from './wire/target.ts';

export class ProbeError extends QuireError<
  'no_server' | 'no_quire' | 'server_busy' | 'secret_refused' | 'callback_secret' | 'source_not_fetched'
> {}

interface ProbeOptions {
  url: string;
  secret: string | null;
  callbackSecret?: string | undefined;
  transport: TransportName;
  publicHost: string;
  run: string;
  kind: LoadKind;
}

/**
 * Opens one document before the load begins, so that a wrong address or secret is one clear sentence and not ten thousand
 * errors.
 *
 * @returns the version that the server says it is of; null when it does not say
 * @throws ProbeError
 */
export async function probe({
  url,
  secret,
  callbackSecret,
  transport,
  publicHost,
  run,
  kind,
}: ProbeOptions): Promise<string | null> {
  const target = targetOf(url);
  const integrator = await Integrator.start(publicHost, kind, callbackSecret ?? secret);
  const sourceUrl = integrator.sourceUrl(0);
  try {
    const key = `${run}-probe`;
    const opening = {
      key,
      userId: 'probe',
      documentUrl: sourceUrl,
      callbackUrl: integrator.callbackUrl,
    };
    const token = new Signer(secret).sign(opening);
    const client = await LeanClient.connect(target, key, { transport, ...token });
    let forged: string | null = null;
    const ended = new Promise<void>((resolve) => {
      integrator.onEnd = async () => resolve();
      integrator.onForged = (_, reason) => {
        forged = reason;
        resolve();
      };
    });
    let version: string | null;
    try {
      ({ version } = await client.signIn({ ...opening, model: kind.model, ...token }));
    } finally {
      await client.close();
      await within(leaveWithinMs, ended);
    }
    if (forged !== null) {
      throw new ProbeError(
        'callback_secret',
        `The callbacks of the server at ${url} are not signed with the secret that is known here (${forged}). Where they have a secret of their own, give it as JWT_SECRET_OUTBOX.`,
      );
    }
    return version;
  } catch (error) {
    throw error instanceof ConnectError ? explained(error, url, sourceUrl) : error;
  } finally {
    await integrator.stop();
  }
}

/** The server says that the probe has left before the probe's own server is stopped, milliseconds. */
const leaveWithinMs = 10_000;

function explained(error: ConnectError, url: string, sourceUrl: string): ProbeError {
  const { message } = error;
  const cause = { cause: error };
  if (error.code === 'unreachable') {
    return new ProbeError(
      'no_server',
      `No server answers at ${url} (${message}). Start one with \`npm start\` or \`quire serve\`, or name another with --url.`,
      cause,
    );
  }
  if (error.code === 'busy') {
    return new ProbeError('server_busy', `The server at ${url} lets nobody in now: ${message}`, cause);
  }
  if (error.code === 'refused') {
    return new ProbeError('no_quire', `What answers at ${url} takes no editors: ${message}`, cause);
  }
  if (error.code === 'ended') {
    return new ProbeError(
      'secret_refused',
      `The server at ${url} lets nobody in: ${message}. Is the secret that of this server? \`quire secret\` prints it there; give it with --secret or JWT_SECRET.`,
      cause,
    );
  }
  return new ProbeError(
    'source_not_fetched',
    `The server at ${url} does not open documents: ${message}. It has to fetch ${sourceUrl}: where it runs on another machine, name this one with --public-host.`,
    cause,
  );
}
