import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  appError,
  type AppError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import {
  compareVersions,
  isVersion,
  type UpdatePlace,
} from '../../../shared/updates/update-feed.ts';
import { fileFailure, renameFile } from '../files/atomic-files.ts';
import { makeScratchFolder } from '../files/scratch-folder.ts';

interface Installed {
  /** The folder of a tar.gz that was unpacked, or the file of an AppImage. */
  readonly path: string;
  readonly kind: 'folder' | 'file';
  readonly running: string;
}

/** A start on a machine under load; a program that hangs is none. */
const startsWithinMs = 60_000;

/** As `resources/linux/bin/parley` runs a command, without a screen and without a page. */
const versionArgs = [
  '--command',
  '--ozone-platform=headless',
  '--no-sandbox',
  '--disable-gpu',
  '--log-level=3',
  '--',
  '--version',
];

/**
 * Parley as a folder or a file of the person's own. A folder that holds an asar is removed by `rm`: to Electron's own
 * file functions an asar is a folder that cannot be emptied.
 */
export function createUpdatePlace({ path, kind, running }: Installed): UpdatePlace {
  const draft = unpackingPath(path);
  async function prepare(file: string, version: string, steps: Steps): Promise<Outcome<undefined>> {
    await remove([draft]);
    const laid = kind === 'folder' ? unpack(file, draft, version, steps) : copy(file, draft);
    const problem = (await laid) ?? (await tryVersion(draft, kind, version, steps));
    if (problem !== undefined || steps.stopped) {
      await remove([draft]);
      return { ok: false, error: problem ?? appError('updateNotSwapped', { version }) };
    }
    // On the disk before it has its name, or a power cut leaves an empty version.
    await runQuietly('sync', ['-f', draft]).done;
    const to = besidePath(path, 'next', version);
    await remove([to]);
    return renamed(draft, to);
  }

  return {
    find: async () => {
      const { previous, next } = await findVersionsBeside(path, running);
      return { previous, next };
    },
    look: async () => {
      const { previous, next, left } = await findVersionsBeside(path, running);
      await remove(left);
      return { previous, next };
    },
    prepare: (file, version) => {
      const steps = new Steps();
      return { done: prepare(file, version, steps), stop: steps.stop };
    },
    drop: async () => {
      const { next } = await findVersionsBeside(path, running);
      if (next !== undefined) await remove([besidePath(path, 'next', next)]);
    },
    swap: async (to) => {
      const found = await findVersionsBeside(path, running);
      const version = found[to];
      if (version === undefined)
        return to === 'previous'
          ? failure('updatePreviousGone')
          : failure('updateNotSwapped', { version: '' });
      const from = besidePath(path, to, version);
      // What one goes back from is not kept: it would be taken for the next one, or for the one before.
      const kept = besidePath(path, to === 'next' ? 'previous' : 'left', running);
      const swapped = await (kind === 'file' ? swapFile : swapFolder)({ path, from, kept });
      return swapped.ok
        ? swapped
        : failure('updateNotSwapped', { version }, { cause: swapped.error });
    },
  };
}

async function remove(paths: readonly string[]): Promise<void> {
  if (paths.length > 0) await runQuietly('rm', ['-rf', '--', ...paths]).done;
}

/** Programs that run one after the other, until they are stopped. */
class Steps {
  stopped = false;
  #stop: () => void = () => undefined;

  readonly stop = (): void => {
    this.stopped = true;
    this.#stop();
  };

  readonly run = async (...given: Parameters<typeof runQuietly>) => {
    if (this.stopped) return { code: -1, out: '', complaint: 'stopped' };
    const running = runQuietly(...given);
    this.#stop = running.stop;
    return running.done;
  };
}

async function unpack(
  file: string,
  to: string,
  version: string,
  { run }: Steps,
): Promise<AppError | undefined> {
  try {
    await mkdir(to);
  } catch (error) {
    return placeError(to, error);
  }
  const args = ['-xzf', file, '-C', to, '--strip-components=1', '--no-same-owner'];
  const { code, complaint } = await run('tar', args);
  if (code === 0) return undefined;
  if (/No space left|quota exceeded|Wrote only/i.test(complaint))
    return appError('diskFull', { path: dirname(to) });
  return appError('updateUnpackable', { version }, { detail: complaint.slice(0, 300) });
}

async function copy(file: string, to: string): Promise<AppError | undefined> {
  try {
    await copyFile(file, to);
    await chmod(to, 0o755);
    return undefined;
  } catch (error) {
    return placeError(to, error);
  }
}

/** That it starts here at all, and is what it was offered as, is seen before anything is replaced. */
async function tryVersion(
  path: string,
  kind: Installed['kind'],
  version: string,
  { run }: Steps,
): Promise<AppError | undefined> {
  const program = kind === 'folder' ? join(path, 'parley') : path;
  const { path: scratch, remove: removeScratch } = await makeScratchFolder('try');
  const { APPIMAGE: _image, APPDIR: _mounted, ...around } = process.env;
  const env = { ...around, PARLEY_STATE_DIR: scratch, XDG_CONFIG_HOME: scratch };
  const { code, out, complaint } = await run(program, versionArgs, {
    env,
    patienceMs: startsWithinMs,
  });
  await removeScratch();
  const found = out.trim();
  if (code !== 0 || found === '')
    return appError('updateNotStarting', { version }, { detail: complaint.slice(0, 300) });
  return found === version
    ? undefined
    : appError('updateOtherVersion', { version, found: found.slice(0, 40) });
}

interface Swapped {
  readonly path: string;
  readonly from: string;
  readonly kept: string;
}

/** Never a moment without a file under the name. */
async function swapFile({ path, from, kept }: Swapped): Promise<Outcome<undefined>> {
  await remove([kept]);
  try {
    await link(path, kept);
  } catch (error) {
    return fileFailure(path, error);
  }
  return renamed(from, path);
}

/** A folder cannot be replaced by another one: for a moment there is none, and where it does not work it is back. */
async function swapFolder({ path, from, kept }: Swapped): Promise<Outcome<undefined>> {
  await remove([kept]);
  const away = await renamed(path, kept);
  if (!away.ok) return away;
  const there = await renamed(from, path);
  if (!there.ok) await renameFile(kept, path);
  return there;
}

async function renamed(from: string, to: string): Promise<Outcome<undefined>> {
  try {
    await renameFile(from, to);
    return { ok: true, value: undefined };
  } catch (error) {
    return fileFailure(to, error);
  }
}

function placeError(path: string, error: unknown): AppError {
  const { error: problem } = fileFailure(path, error);
  const closed = problem.code === 'noPermission' || problem.code === 'readOnly';
  return closed ? appError('updatePlaceClosed', { path: dirname(path) }) : problem;
}

export interface FoundVersions {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Paths of what nobody wants any more. */
  readonly left: readonly string[];
}

/** Where another version lies, beside the one that runs. */
function besidePath(path: string, role: 'previous' | 'next' | 'left', version: string): string {
  return `${path}.${role}-${version}`;
}

/** Where one is while it is not whole yet. */
function unpackingPath(path: string): string {
  return `${path}.unpacking`;
}

/** What lies beside the version that runs, by its names. */
async function findVersionsBeside(path: string, running: string): Promise<FoundVersions> {
  const folder = dirname(path);
  const stem = `${basename(path)}.`;
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(stem));
  const ofRole = (role: string): readonly string[] =>
    names
      .filter((name) => name.startsWith(`${stem}${role}-`))
      .map((name) => name.slice(stem.length + role.length + 1))
      .filter(isVersion)
      .toSorted((one, other) => compareVersions(other, one));
  const older = ofRole('previous');
  const newer = ofRole('next');
  const previous = older.find((version) => compareVersions(version, running) < 0);
  const next = newer.find((version) => compareVersions(version, running) > 0);
  const left = [
    ...older
      .filter((version) => version !== previous)
      .map((it) => besidePath(path, 'previous', it)),
    ...newer.filter((version) => version !== next).map((it) => besidePath(path, 'next', it)),
    ...ofRole('left').map((it) => besidePath(path, 'left', it)),
    ...names.filter((name) => name === `${stem}unpacking`).map((name) => join(folder, name)),
  ];
  return { previous, next, left };
}

interface Ran {
  /** -1 where it could not be run, or did not end in time. */
  readonly code: number;
  readonly out: string;
  readonly complaint: string;
}

interface QuietRun {
  readonly done: Promise<Ran>;
  readonly stop: () => void;
}

interface Way {
  readonly env?: NodeJS.ProcessEnv;
  readonly patienceMs?: number;
}

/** Unpacking takes a slow disk minutes. */
const defaultPatienceMs = 20 * 60_000;
const maxLetters = 10_000;
/** After everybody else. */
const lowest = 19;

/** Runs a program that nobody waits for: it gets what processors and disk have left. */
function runQuietly(command: string, args: readonly string[], way: Way = {}): QuietRun {
  const { env = { ...process.env, LC_ALL: 'C' }, patienceMs = defaultPatienceMs } = way;
  let child: ChildProcess | undefined;
  const done = new Promise<Ran>((resolve) => {
    const said = { out: '', complaint: '' };
    const end = (code: number, complaint = said.complaint): void => {
      clearTimeout(late);
      resolve({ code, out: said.out, complaint });
    };
    const running = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    child = running;
    const late = setTimeout(() => running.kill('SIGKILL'), patienceMs);
    running.on('error', (error) => {
      end(-1, error.message);
    });
    running.stdout.on('data', (piece: Buffer) => {
      said.out = `${said.out}${piece.toString()}`.slice(0, maxLetters);
    });
    running.stderr.on('data', (piece: Buffer) => {
      said.complaint = `${said.complaint}${piece.toString()}`.slice(0, maxLetters);
    });
    running.on('close', (code) => {
      end(code ?? -1);
    });
    yieldTo(running.pid);
  });
  return {
    done,
    stop: () => {
      child?.kill('SIGKILL');
    },
  };
}

function yieldTo(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, lowest);
  } catch {
    // It has ended already, or the system does not let it.
  }
}
