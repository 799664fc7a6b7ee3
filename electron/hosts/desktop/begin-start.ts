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

/** A start that is under way. */
export interface BegunStart {
  /** How many before it came to no end. */
  readonly failedBefore: number;
  /** Whatever a start may die of is left out. */
  readonly safe: boolean;
  /** Parley is open, or is closed in order. */
  readonly done: () => void;
}

/** One may be chance, or a person who was in a hurry; two in a row rarely are. */
const failedStartsToBeSafe = 2;

/**
 * The first that is done, before the app is ready and before anything else is loaded. Nothing where
 * Parley runs already: its window is brought to the front.
 */
export function beginStart(): BegunStart | undefined {
  if (!app.requestSingleInstanceLock()) {
    processOutput.out('Parley is already running; its window was brought to the front.\n');
    app.exit(0);
    return undefined;
  }
  keepYoungGenerationSmall();
  keepNetworkWithin();
  const { marker, crashFolder } = composeStart();
  const failedBefore = marker.begin();
  const safe = failedBefore >= failedStartsToBeSafe || process.argv.includes('--safe-start');
  if (safe || !hasGraphicsCard()) leaveGraphicsCard();
  keepCrashes(crashFolder);
  return { failedBefore, safe, done: marker.done };
}

/** By which Linux shows one, whoever made it; a system within Windows has the third. The same in scripts/lib/graphics-card.mjs. */
export const graphicsDevices = [
  '/dev/dri',
  '/dev/nvidia0',
  '/dev/dxg',
  '/dev/mali0',
  '/dev/kgsl-3d0',
];

/** Elsewhere there always is one. */
export function hasGraphicsCard(
  platform: NodeJS.Platform = process.platform,
  exists: (path: string) => boolean = existsSync,
): boolean {
  return platform !== 'linux' || graphicsDevices.some((path) => exists(path));
}

/**
 * The engine looks for none, which takes it a tenth of a second and a process that fails where there is none. Nor does it
 * load one that is made of the processor, for drawings in three dimensions, of which Parley has none.
 */
export function leaveGraphicsCard(): void {
  // Read by the engine at the first word about its card, which is the next one.
  app.commandLine.appendSwitch('disable-software-rasterizer');
  try {
    app.disableHardwareAcceleration();
  } catch {
    // Run from its sources Electron may be ready before Parley's first line; `npm start` has said it already.
  }
  void leaveToolkitCard();
}

/**
 * The toolkit of the system's boxes asks the screen what it could draw in three dimensions, and where nothing on that screen has
 * asked before, loads a driver for it: without a card 45 MB of compiler, into the main process. What Parley starts later is
 * told nothing of it.
 */
async function leaveToolkitCard(): Promise<void> {
  if (process.platform !== 'linux') return;
  process.env['GDK_GL'] ??= toolkitWithoutCard;
  await app.whenReady();
  // What a person has set otherwise is theirs.
  if (process.env['GDK_GL'] === toolkitWithoutCard) delete process.env['GDK_GL'];
}

const toolkitWithoutCard = 'disable';

/** The engine's name for it; the same in scripts/lib/network-within.mjs. */
export const networkWithin = 'NetworkServiceInProcess2';

/**
 * What asks the network for pages works in the main process. Nobody's page asks it for anything here: the own one comes out of the package,
 * and every other address is refused. On Linux its process has no sandbox and all rights of the person, so that it keeps nothing from
 * anybody, and takes 9 MB; elsewhere it has one, and stays.
 */
export function keepNetworkWithin(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'linux') return;
  // Set anew it would take away what a person has switched on.
  const others = app.commandLine.getSwitchValue('enable-features');
  const all = others === '' ? networkWithin : `${others},${networkWithin}`;
  app.commandLine.appendSwitch('enable-features', all);
}

/** Whoever mends Parley needs the last ones; each is a few megabytes. */
const mostKept = 5;
/** Where the engine puts them, by system. */
const parts = ['new', 'pending', 'completed', 'reports'];

/**
 * What a process of Parley's leaves when it crashes is kept in the state folder and never sent: there
 * is no address it could go to. Privacy lists and deletes it. To be called before the app is ready.
 */
function keepCrashes(folder: string): void {
  try {
    app.setPath('crashDumps', folder);
    crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: false, compress: true });
    for (const { path } of dumpsIn(folder).slice(mostKept)) rmSync(path, { force: true });
  } catch {
    // Without reports, or with one too many until the next start, Parley is as it is.
  }
}

/** The newest first. */
function dumpsIn(folder: string): readonly { readonly path: string; readonly at: number }[] {
  return parts
    .flatMap((part) => namesIn(join(folder, part)).map((name) => join(folder, part, name)))
    .filter((path) => path.endsWith('.dmp'))
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.at - one.at);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * The folder of settings, where the engine may not write into it. It would end without a word, or take itself for the
 * second start: it gets another folder, for as long as it takes to say why.
 */
export function lostConfig(): StartRefusal | undefined {
  try {
    // A package's engine throws where it cannot make it.
    const folder = app.getPath('userData');
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    const other = mkdtempSync(join(tmpdir(), 'parley-'));
    process.once('exit', () => rmSync(other, { recursive: true, force: true }));
    app.setPath('userData', other);
    return { kind: 'config', folder: app.getPath('appData') };
  }
}

/**
 * Objects that live for a moment only get 1 MB to be in, in every thread of this process. By itself the engine grows that to 16
 * in the rush of a start, and what moves through it in a talk, a few MB a second, then passes over all of it before it is swept.
 */
export function keepYoungGenerationSmall(): void {
  // The engine reads its size once, before the first line; how much it grows by it reads each time.
  setFlagsFromString('--semi-space-growth-factor=1');
}
