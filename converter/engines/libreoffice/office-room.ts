import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRunning } from '../../../platform/running-process.ts';
import { type Command, limited, type ResourceLimits, type Visible } from '../../confinement/command.ts';
import { type Confinement, confined } from '../../confinement/confinement.ts';
import { type ProfileFiles, profileSettings, writeProfile } from './profile.ts';

const prefix = 'quire-office-';
/** Name under which the bridge looks for a registry of services. */
const servicesFile = 'services.rdb';
/** LibreOffice makes its sockets here, whatever its settings say. */
const socketDirectory = '/tmp';

/** The directory of one process of LibreOffice, with its profile, its temporary files and its jobs. */
export class OfficeRoom {
  readonly path: string;
  /** Name of the pipe that the bridge and LibreOffice speak through. */
  readonly pipe: string;

  private constructor(directory: string, pipe: string) {
    this.path = directory;
    this.pipe = pipe;
  }

  /**
   * `profile` is one to begin with: making one takes LibreOffice a while. `services` is the registry of the services it has; its
   * own where that is null.
   */
  static async create(profile: ProfileFiles | null, services: string | null): Promise<OfficeRoom> {
    const place = path.join(os.tmpdir(), `${prefix}${processSpace()}-${process.pid}-`);
    const directory = await realpath(await mkdtemp(place));
    const room = new OfficeRoom(directory, `quire${randomBytes(6).toString('hex')}`);
    for (const name of ['temporary', 'jobs']) await mkdir(path.join(directory, name));
    if (services !== null) await writeFile(path.join(directory, servicesFile), services);
    const settings = [
      path.join('user', 'registrymodifications.xcu'),
      Buffer.from(profileSettings()),
    ] as const;
    await writeProfile(room.profile, profile ?? [settings]);
    return room;
  }

  get profile(): string {
    return path.join(this.path, 'profile');
  }

  /** All that may be left when everything in it has been killed. */
  get remains(): readonly string[] {
    const names = [this.pipe, `SingleOfficeIPC_${digestOf(pathToFileURL(this.profile).href)}`];
    const user = os.userInfo().uid;
    return [this.path, ...names.map((name) => path.join(socketDirectory, `OSL_PIPE_${user}_${name}`))];
  }

  async remove(): Promise<void> {
    for (const place of this.remains) await rm(place, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Removes the rooms of processes of ours that were killed together with all that they had started. */
export async function sweepRooms(): Promise<void> {
  const names = await readdir(os.tmpdir()).catch(() => []);
  for (const name of names) {
    const [space, pid] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (space !== processSpace() || pid === undefined || isRunning(Number(pid))) continue;
    await rm(path.join(os.tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Process numbers say something in their own container only. */
function processSpace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/** How LibreOffice names the socket by which a second instance finds the first: the bytes of an MD5 without leading zeros. */
function digestOf(profileUrl: string): string {
  const digest = createHash('md5').update(Buffer.from(profileUrl, 'utf16le')).digest();
  return [...digest].map((byte) => byte.toString(16)).join('');
}

/** Where one LibreOffice lives. */
interface OfficeConfinement extends Visible {
  confinement: Confinement;
  limits: ResourceLimits;
}

/** How a program is to be started. */
interface OfficeStart {
  command: Command;
  environment: Readonly<Record<string, string>>;
}

/** What LibreOffice and its fonts need of the system beside its programs and libraries. */
const settingsOfSystem = [
  ...['/etc/fonts', '/etc/libreoffice', '/etc/ld.so.cache', '/etc/localtime', '/etc/alternatives'],
  ...['/var/cache/fontconfig', '/var/lib/libreoffice', '/var/spool/libreoffice'],
];

/**
 * How LibreOffice, or a program that starts it, is started in its room. Profile, sockets, temporary files and jobs lie
 * below the directory of the room: `temporary` in it must exist. Without namespaces LibreOffice makes its sockets
 * (`OSL_PIPE_…`) in /tmp all the same, and removes old ones there. It has nothing of this process's environment.
 */
export function confinedOffice(
  command: Command,
  { confinement, readable, directory, limits }: OfficeConfinement,
): OfficeStart {
  const temporary = path.join(directory, 'temporary');
  const seen = [...settingsOfSystem, ...readable];
  const visible = { directory, socketDirectory: '/tmp', readable: seen, stays: true };
  return {
    command: limited(confined(command, visible, confinement), limits),
    environment: {
      PATH: '/usr/bin:/bin:/usr/sbin:/sbin',
      LANG: 'C.UTF-8',
      HOME: directory,
      TMPDIR: temporary,
      OSL_SOCKET_PATH: temporary,
      SAL_USE_VCLPLUGIN: 'svp',
      SAL_DISABLE_OPENCL: '1',
      // Without its plugins GStreamer plays, and fetches, nothing that a presentation names.
      GST_PLUGIN_SYSTEM_PATH_1_0: temporary,
      GST_REGISTRY_FORK: 'no',
    },
  };
}
