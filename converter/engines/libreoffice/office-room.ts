import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRunning } from '../../../platform/running-process.ts';
import { profileSettings } from './profile.ts';
import { type ProfileFiles, writeProfile } from './profile-files.ts';

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
