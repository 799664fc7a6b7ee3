import { fileURLToPath } from 'node:url';

/** Passed at login: start without a window, in the tray or minimised. */
export const hiddenFlag = '--hidden';

/** Passed by the desktop's menu entry for the mini window. */
const miniFlag = '--mini';

/** Parley's own arguments; those of Electron and Chromium are ignored. */
export interface StartArguments {
  readonly hidden: boolean;
  readonly mini: boolean;
  /** The link, not yet validated. */
  readonly link: string | undefined;
  /** A tape to open, not yet validated. */
  readonly tape: string | undefined;
}

export function readStartArguments(argv: readonly string[]): StartArguments {
  const args = argv.slice(1);
  return {
    hidden: args.includes(hiddenFlag),
    mini: args.includes(miniFlag),
    link: args.findLast((argument) => /^parley:/iu.test(argument)),
    tape: args.map(localPath).findLast((argument) => tapeFile.test(argument)),
  };
}

/** Converts a file URL to a path: desktops pass files as URLs to an entry that accepts links. */
function localPath(argument: string): string {
  if (!/^file:/iu.test(argument)) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
}

/** A packed tape, or the line file of a tape folder; not an option. */
const tapeFile = /^(?!-).*(?:\.parleytape|[/\\]tape\.ndjson)$/iu;

/** Passed by the `parley` script of a package, among Chromium's switches. */
const commandFlag = '--command';

/**
 * The words after `parley` if this process runs a command. They follow `--`, so that Chromium does not take
 * them for switches.
 */
export function commandWords(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--');
  if (end === -1 || !argv.slice(1, end).includes(commandFlag)) return undefined;
  return argv.slice(end + 1);
}

/** Why Parley cannot open. Without a check, Electron would exit silently. */
export type StartRefusal =
  | { readonly kind: 'config'; readonly folder: string }
  | { readonly kind: 'sandbox'; readonly refused: 'root' | 'kernel' };

/**
 * Passed by the package's `parley` script if Electron's settings folder is not writable. The script checks the folder
 * before Electron starts, and adds switches with which Electron can show a dialog, because a user who starts Parley from a
 * menu sees no terminal.
 */
const configSwitch = '--unwritable-config=';
const sandboxSwitches = [
  ['--sandbox-not-for-root', 'root'],
  ['--sandbox-refused', 'kernel'],
] as const;

/** Returns why Parley can only show a message and exit. */
export function startRefusal(argv: readonly string[]): StartRefusal | undefined {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  const folder = options.find((word) => word.startsWith(configSwitch))?.slice(configSwitch.length);
  if (folder !== undefined) return { kind: 'config', folder };
  const sandbox = sandboxSwitches.find(([word]) => options.includes(word));
  return sandbox && { kind: 'sandbox', refused: sandbox[1] };
}

const restartedAtFlag = '--restarted-at=';
const safeStartFlag = '--safe-start';
/**
 * How often Parley restarts itself within `restartWindowMs`. A failure after the window opened may be chance. A failure
 * before that probably repeats.
 */
const maxRestarts = { opened: 2, unopened: 1 } as const;
const restartWindowMs = 10 * 60_000;

/**
 * The arguments for a restart after a fault: the earlier ones, and the times of the recent restarts. If no window
 * opened, the restart is a safe start. Undefined after too many restarts.
 */
export function restartArguments(
  argv: readonly string[],
  now: number,
  reached: keyof typeof maxRestarts,
): readonly string[] | undefined {
  const recent = restartTimes(argv).filter((at) => Math.abs(now - at) < restartWindowMs);
  if (recent.length >= maxRestarts[reached]) return undefined;
  const args = argv.slice(1).filter((argument) => !argument.startsWith(restartedAtFlag));
  if (reached === 'unopened' && !args.includes(safeStartFlag)) args.push(safeStartFlag);
  return [...args, `${restartedAtFlag}${[...recent, now].join(',')}`];
}

export function wasRestarted(argv: readonly string[]): boolean {
  return restartTimes(argv).length > 0;
}

function restartTimes(argv: readonly string[]): readonly number[] {
  const times =
    argv.find((argument) => argument.startsWith(restartedAtFlag))?.slice(restartedAtFlag.length) ??
    '';
  return times.split(',').filter(Boolean).map(Number).filter(Number.isFinite);
}
