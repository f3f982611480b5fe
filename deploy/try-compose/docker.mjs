import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The module of `docker compose`, where the machine has none and it is built with Go. */
const composeModule = 'github.com/docker/compose/v2';
const composeVersion = 'v2.39.4';
const daemonStartMs = 60_000;

/**
 * Runs a program to its end and returns what it printed.
 *
 * @throws Error with the end of its output when it fails
 */
export function run(file, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(file, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    ...options,
  });
  if (error) throw error;
  if (status === 0) return stdout;
  throw new Error(`${[file, ...args].join(' ')} ended with ${status}: ${`${stdout}${stderr}`.slice(-4_000)}`);
}

const succeeds = (file, args, env) => spawnSync(file, args, { env, stdio: 'ignore' }).status === 0;

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
  let stop = () => {};
  if (!succeeds('docker', ['info'], env)) {
    if (!succeeds('dockerd', ['--version'], env)) {
      note('dockerd: Debian package docker.io');
      run('apt-get', ['update', '-qq']);
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'docker.io']);
    }
    stop = await startDaemon(work, env);
    note(`Docker daemon: ${run('dockerd', ['--version']).trim()}, started for this trial`);
  }
  if (!succeeds('docker', ['compose', 'version'], env)) {
    env.DOCKER_CONFIG = path.join(work, 'docker-config');
    const plugins = path.join(env.DOCKER_CONFIG, 'cli-plugins');
    mkdirSync(plugins, { recursive: true });
    const place = path.join(plugins, 'docker-compose');
    if (!existsSync(place)) symlinkSync(builtCompose(work), place);
    note(`docker compose: ${composeVersion}, built with Go`);
  }
  // Without buildx the daemon builds by itself.
  if (!succeeds('docker', ['buildx', 'version'], env)) env.DOCKER_BUILDKIT = '0';
  return { env, stop };
}

async function startDaemon(work, env) {
  env.DOCKER_HOST = `unix://${path.join(work, 'docker.sock')}`;
  const places = ['data-root', 'exec-root', 'pidfile'].map((name) => `--${name}=${path.join(work, name)}`);
  const log = openSync(path.join(work, 'dockerd.log'), 'a');
  const daemon = spawn('dockerd', [...places, '-H', env.DOCKER_HOST], { stdio: ['ignore', log, log] });
  const giveUpAt = Date.now() + daemonStartMs;
  while (!succeeds('docker', ['info'], env)) {
    if (daemon.exitCode !== null || Date.now() > giveUpAt) {
      throw new Error(`The Docker daemon did not start: see ${path.join(work, 'dockerd.log')}`);
    }
    await pause(500);
  }
  return () => daemon.kill('SIGTERM');
}

/** Where `docker-compose` is that Go built, now or earlier. */
function builtCompose(work) {
  const goPath = process.env.GOPATH || path.join(os.homedir(), 'go');
  const program = path.join(goPath.split(path.delimiter)[0], 'bin', 'docker-compose');
  if (existsSync(program)) return program;
  const folder = path.join(work, 'compose');
  mkdirSync(folder, { recursive: true });
  // A module of its own: the replacements in that of Compose do not let `go install` have it.
  run('go', ['mod', 'init', 'compose'], { cwd: folder });
  run('go', ['get', `${composeModule}/cmd@${composeVersion}`], { cwd: folder });
  run('go', ['build', '-o', program, `${composeModule}/cmd`], { cwd: folder });
  return program;
}
