import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { UpdateGround } from '../../../shared/updates/update-feed.ts';
import { createUpdatePlace } from './update-place.ts';

interface Program {
  /** Where the package has its `app.asar`. */
  readonly resources: string;
  /** The program itself. */
  readonly file: string;
  readonly running: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * How this Parley was installed, and so who replaces it. A folder or an AppImage that the person may write to replaces
 * itself. Of macOS and Windows one is told only: their ways were not tried.
 */
export function findUpdateGround(program: Program): UpdateGround {
  const { resources, file, running } = program;
  const { platform = process.platform, arch = process.arch, env = process.env } = program;
  if (isOfSystem(resources, env)) return { way: 'system' };
  if (platform !== 'linux')
    return {
      way: 'tells',
      fileEnd: platform === 'darwin' ? `-mac-${arch}.dmg` : `-win-${arch}.exe`,
    };
  const image = ownAppImage(file, env);
  const path = image ?? dirname(file);
  const fileEnd =
    image === undefined
      ? `-linux-${arch}.tar.gz`
      : `-linux-${arch === 'x64' ? 'x86_64' : arch}.AppImage`;
  const mayWrite = isWritable(dirname(path)) && isWritable(path);
  // A program that lies somewhere else is no package that was unpacked: its folder may hold anything.
  const isOwn = image !== undefined || existsSync(join(path, 'resources', 'app.asar'));
  if (!mayWrite || !isOwn || basename(path) === '') return { way: 'tells', fileEnd };
  const kind = image === undefined ? 'folder' : 'file';
  return { way: 'replaces', fileEnd, place: createUpdatePlace({ path, kind, running }) };
}

/** As electron-builder's feeds are called. */
export function updateFeedName(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return 'latest-mac.yml';
  return platform === 'win32' ? 'latest.yml' : 'latest-linux.yml';
}

/** deb and rpm say so in a file; other stores in the environment. */
function isOfSystem(resources: string, env: NodeJS.ProcessEnv): boolean {
  const stores = [env['FLATPAK_ID'], env['SNAP']];
  return (
    existsSync(join(resources, 'package-type')) || stores.some((store) => (store ?? '') !== '')
  );
}

/** Whoever is started by an AppImage inherits its variables, and is none for that. */
function ownAppImage(file: string, env: NodeJS.ProcessEnv): string | undefined {
  const { APPIMAGE: image = '', APPDIR: mounted = '' } = env;
  return image !== '' && mounted !== '' && file.startsWith(mounted + sep) ? image : undefined;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
