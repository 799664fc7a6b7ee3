import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { app, crashReporter } from 'electron';
import { processOutput } from '../../app/process-output.ts';
import { composeStart } from '../../app/start-marker.ts';
import type { StartRefusal } from './start-arguments.ts';

export interface BegunStart {
  /** How many earlier starts failed in a row. */
  readonly failedBefore: number;
  /** Whether this start skips everything that may crash it. */
  readonly isSafe: boolean;
  /** Call it once Parley is open or was closed normally. */
  readonly done: () => void;
}

/** A single failed start may be chance, or a user who quit early. Two in a row rarely are. */
const failuresBeforeSafeStart = 2;

/**
 * Runs first, before the app is ready and before other modules are loaded. Returns undefined if Parley already
 * runs; then its window comes to the front.
 */
export function beginStart(): BegunStart | undefined {
  if (!app.requestSingleInstanceLock()) {
    processOutput.out('Parley is already running; its window was brought to the front.\n');
    app.exit(0);
    return undefined;
  }
  limitYoungGeneration();
  runNetworkInProcess();
  const { marker, crashFolder } = composeStart();
  const failedBefore = marker.begin();
  const isSafe = failedBefore >= failuresBeforeSafeStart || process.argv.includes('--safe-start');
  if (isSafe || !hasGraphicsCard()) disableGraphicsCard();
  collectCrashDumps(crashFolder);
  return { failedBefore, isSafe, done: marker.done };
}

/** Device files of a graphics card on Linux; WSL has the third. Keep in step with scripts/lib/electron-flags.mjs. */
export const graphicsDevices = [
  '/dev/dri',
  '/dev/nvidia0',
  '/dev/dxg',
  '/dev/mali0',
  '/dev/kgsl-3d0',
];

/** Whether this machine has a graphics card. Other systems than Linux are assumed to have one. */
export function hasGraphicsCard(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || graphicsDevices.some((path) => exists(path));
}

/**
 * Disables hardware acceleration. Without a card, probing for one takes 0.1 s and starts a helper process that fails.
 * Also disables software 3D rendering, which Parley does not use.
 */
export function disableGraphicsCard(): void {
  // Set first, because the engine reads it with the next call.
  app.commandLine.appendSwitch('disable-software-rasterizer');
  try {
    app.disableHardwareAcceleration();
  } catch {
    // When Parley runs from its sources, Electron may be ready before this line. `npm start` has then passed the switch
    // on the command line.
  }
  void disableGtk3d();
}

/**
 * GTK, which draws system dialogs, probes for 3D and without a card loads 45 MB of compiler into the main
 * process. Child processes do not inherit the setting.
 */
async function disableGtk3d(): Promise<void> {
  if (process.platform !== 'linux') return;
  process.env['GDK_GL'] ??= gtkWithout3d;
  await app.whenReady();
  // Keeps a value that the user has set.
  if (process.env['GDK_GL'] === gtkWithout3d) delete process.env['GDK_GL'];
}

const gtkWithout3d = 'disable';

/** Chromium's feature name. Keep in step with scripts/lib/electron-flags.mjs. */
export const networkFeature = 'NetworkServiceInProcess2';

/**
 * Runs Chromium's network service in the main process on Linux, which saves 9 MB. The service has no sandbox
 * there, and Parley's page uses no network. On other systems it is sandboxed and stays separate.
 */
export function runNetworkInProcess(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'linux') return;
  // Extends the switch, so that features the user enabled stay on.
  const others = app.commandLine.getSwitchValue('enable-features');
  const all = others === '' ? networkFeature : `${others},${networkFeature}`;
  app.commandLine.appendSwitch('enable-features', all);
}

/** Crash dumps to keep, of a few megabytes each. */
const maxDumps = 5;
/** Folders of dumps; their names differ by system. */
const dumpFolders = ['new', 'pending', 'completed', 'reports'];

/**
 * Keeps crash dumps in the state folder and never uploads them. The privacy settings list and delete them. Call
 * it before the app is ready.
 */
function collectCrashDumps(folder: string): void {
  try {
    app.setPath('crashDumps', folder);
    crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: false, compress: true });
    for (const { path } of listDumps(folder).slice(maxDumps)) rmSync(path, { force: true });
  } catch {
    // Parley works without crash dumps, and with old ones.
  }
}

/** Newest first. */
function listDumps(folder: string): readonly { readonly path: string; readonly at: number }[] {
  return dumpFolders
    .flatMap((part) => listNames(join(folder, part)).map((name) => join(folder, part, name)))
    .filter((path) => path.endsWith('.dmp'))
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns a refusal if Electron cannot write its settings folder. Electron alone would exit silently, or take this start
 * for a second one. Uses a temporary folder until the message is shown.
 */
export function checkConfigFolder(): StartRefusal | undefined {
  try {
    // In a package, Electron throws if it cannot create the folder.
    const folder = app.getPath('userData');
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    const temporary = mkdtempSync(join(tmpdir(), 'parley-'));
    process.once('exit', () => rmSync(temporary, { recursive: true, force: true }));
    app.setPath('userData', temporary);
    return { kind: 'config', folder: app.getPath('appData') };
  }
}

/**
 * Limits V8's young generation to 1 MB in every thread. By default a busy start grows it to 16 MB, and a talk
 * then cycles through all of it.
 */
export function limitYoungGeneration(): void {
  // V8 reads the maximum size before Parley's first line, but the growth factor at each growth.
  setFlagsFromString('--semi-space-growth-factor=1');
}
