import { chmod, copyFile, link, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { appError, failure } from '../../../shared/errors/app-error.ts';
import type { AppError } from '../../../shared/errors/app-error.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { UpdatePlace } from '../../ports/updates.ts';
import { fileFailure } from '../files/file-error.ts';
import { renameFile } from '../files/rename-file.ts';
import { makeScratchFolder } from '../files/scratch-folder.ts';
import { runQuietly } from './run-quietly.ts';
import { besidePath, findVersionsBeside, unpackingPath } from './versions-beside.ts';

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
