import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { goProgramFolder } from '../../scripts/setup/go-programs.mjs';
import { installPrograms } from '../../scripts/setup/programs.mjs';

/** The module of `docker compose`, where the machine has none and it is built with Go. */
const composeModule = 'github.com/docker/compose/v2';
const composeVersion = 'v2.39.4';
const daemonStartMs = 60_000;

/**
 * Runs a program to its end and resolves with what it printed. This process goes on meanwhile: containers that the program waits
 * for may ask the integrator of the trial.
 *
 * @throws Error with the end of its output when it fails
 */
export async function run(file, args, options = {}) {
  const running = promisify(execFile)(file, args, { maxBuffer: 2 ** 28, ...options });
  running.child.stdin?.end();
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, signal, stdout = '', stderr = '' } = error;
    const end = `${stdout}${stderr}`.slice(-4_000);
    throw new Error(`${[file, ...args].join(' ')} ended with ${code ?? signal}: ${end}`);
  }
}

/** Whether a program ends with 0. */
export const succeeds = (file, args, options) =>
  run(file, args, options).then(
    () => true,
    () => false,
  );

/**
 * A Docker daemon and `docker compose`: those of the machine, or else a daemon of this script's own (`dockerd`, as root) and
 * Compose built with Go.
 *
 * @param work folder for what the daemon keeps
 * @param note is told what is used in place of something that is missing
 * @returns `env`: the variables that `docker` needs; `stop`: ends the daemon that was started here
 */
export async function prepareDocker(work, note) {
  const env = { ...process.env };
  let stop = async () => {};
  if (!(await succeeds('docker', ['info'], { env }))) {
    if (!(await succeeds('dockerd', ['--version']))) {
      note('dockerd: Debian package docker.io');
      installPrograms({ dockerd: 'docker.io' });
    }
    stop = await startDaemon(work, env);
    note(`Docker daemon: ${(await run('dockerd', ['--version'])).trim()}, started for this trial`);
  }
  if (!(await succeeds('docker', ['compose', 'version'], { env }))) {
    env.DOCKER_CONFIG = path.join(work, 'docker-config');
    const plugins = path.join(env.DOCKER_CONFIG, 'cli-plugins');
    mkdirSync(plugins, { recursive: true });
    const place = path.join(plugins, 'docker-compose');
    if (!existsSync(place)) symlinkSync(await builtCompose(work), place);
    note(`docker compose: ${composeVersion}, built with Go`);
  }
  // Without buildx the daemon builds by itself.
  if (!(await succeeds('docker', ['buildx', 'version'], { env }))) env.DOCKER_BUILDKIT = '0';
  return { env, stop };
}

async function startDaemon(work, env) {
  env.DOCKER_HOST = `unix://${path.join(work, 'docker.sock')}`;
  const places = ['data-root', 'exec-root', 'pidfile'].map((name) => `--${name}=${path.join(work, name)}`);
  const log = openSync(path.join(work, 'dockerd.log'), 'a');
  const daemon = spawn('dockerd', [...places, '-H', env.DOCKER_HOST], { stdio: ['ignore', log, log] });
  const ended = once(daemon, 'exit');
  const giveUpAt = Date.now() + daemonStartMs;
  while (!(await succeeds('docker', ['info'], { env }))) {
    if (daemon.exitCode !== null || Date.now() > giveUpAt) {
      throw new Error(`The Docker daemon did not start: see ${path.join(work, 'dockerd.log')}`);
    }
    await pause(500);
  }
  return async () => {
    daemon.kill('SIGTERM');
    await ended;
  };
}

/** Where `docker-compose` is that Go built, now or earlier. */
async function builtCompose(work) {
  const program = path.join(goProgramFolder(), 'docker-compose');
  if (existsSync(program)) return program;
  if (!(await succeeds('go', ['version']))) {
    throw new Error('There is no docker compose: install its plugin (docker-compose-v2), or Go to build it.');
  }
  const folder = path.join(work, 'compose');
  mkdirSync(folder, { recursive: true });
  // A module of its own: the replacements in that of Compose do not let `go install` have it.
  if (!existsSync(path.join(folder, 'go.mod'))) await run('go', ['mod', 'init', 'compose'], { cwd: folder });
  await run('go', ['get', `${composeModule}/cmd@${composeVersion}`], { cwd: folder });
  await run('go', ['build', '-o', program, `${composeModule}/cmd`], { cwd: folder });
  return program;
}
