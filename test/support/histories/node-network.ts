import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
let made = 0;

/** Whether this process may make network namespaces, lay cables to them, and start programs in them: not everywhere all. */
export const mayMakeNetworks = (() => {
  const name = `quire-try-${process.pid}`;
  const [plug, socket] = [`q${process.pid}t`, `q${process.pid}u`];
  const isDone = (...args: readonly string[]) => spawnSync('ip', [...args], { stdio: 'ignore' }).status === 0;
  const may =
    isDone('netns', 'add', name) &&
    isDone('link', 'add', plug, 'type', 'veth', 'peer', 'name', socket, 'netns', name) &&
    isDone('netns', 'exec', name, 'true');
  isDone('netns', 'delete', name);
  return may;
})();

/** A network of one node's own, with one cable to this machine, which can be pulled. */
export class NodeNetwork {
  /** Addresses of the two ends of the cable. */
  readonly nodeAddress: string;
  readonly hostAddress: string;
  /** What a program is started with to be in the network. */
  readonly command: readonly string[];
  readonly #name: string;
  readonly #plug: string;

  private constructor(number: number) {
    // Names of interfaces have 15 characters at most.
    this.#name = `quire-${process.pid}-${number}`;
    this.#plug = `q${process.pid}h${number}`;
    // Of the private addresses, since servers contact no others that are reserved; four for each cable.
    const place = (process.pid * 16 + (number % 16)) % 65_536;
    const prefix = `10.${200 + Math.floor(place / 16_384)}.${Math.floor(place / 64) % 256}`;
    const first = (place % 64) * 4;
    this.hostAddress = `${prefix}.${first + 1}`;
    this.nodeAddress = `${prefix}.${first + 2}`;
    this.command = ['ip', 'netns', 'exec', this.#name];
  }

  static async make(): Promise<NodeNetwork> {
    made += 1;
    const network = new NodeNetwork(made);
    const plug = network.#plug;
    const socket = plug.replace('h', 'n');
    try {
      await ip('netns', 'add', network.#name);
      await ip('link', 'add', plug, 'type', 'veth', 'peer', 'name', socket, 'netns', network.#name);
      await ip('address', 'add', `${network.hostAddress}/30`, 'dev', plug);
      await ip('link', 'set', plug, 'up');
      await ip('-n', network.#name, 'link', 'set', 'lo', 'up');
      await ip('-n', network.#name, 'address', 'add', `${network.nodeAddress}/30`, 'dev', socket);
      await ip('-n', network.#name, 'link', 'set', socket, 'up');
      return network;
    } catch (error) {
      await network.remove();
      throw error;
    }
  }

  async pull(): Promise<void> {
    await ip('link', 'set', this.#plug, 'down');
  }

  async plugIn(): Promise<void> {
    await ip('link', 'set', this.#plug, 'up');
  }

  async remove(): Promise<void> {
    // The cable goes with the network.
    await ip('netns', 'delete', this.#name).catch(() => undefined);
  }
}

const ip = (...args: readonly string[]) => run('ip', [...args]);
