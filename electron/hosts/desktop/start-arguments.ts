import { fileURLToPath } from 'node:url';

/** Given by the system at the start of a session: begin in the tray, without a window. */
export const hiddenFlag = '--hidden';

/** Given by the entry in the system's menu, for the mini window. */
const miniFlag = '--mini';

/** What the arguments of a start ask for; those of Electron and Chromium are none of ours. */
export interface StartArguments {
  readonly hidden: boolean;
  readonly mini: boolean;
  /** As it came; whether it can be followed is judged elsewhere. */
  readonly link: string | undefined;
  /** A tape that was opened with Parley, as it came. */
  readonly tape: string | undefined;
}

export function readStartArguments(argv: readonly string[]): StartArguments {
  const given = argv.slice(1);
  return {
    hidden: given.includes(hiddenFlag),
    mini: given.includes(miniFlag),
    link: given.findLast((argument) => /^parley:/iu.test(argument)),
    tape: given.map(localPath).findLast((argument) => tapeFile.test(argument)),
  };
}

/** A desktop whose entry takes links gives files as links, too. */
function localPath(argument: string): string {
  if (!/^file:/iu.test(argument)) return argument;
  try {
    return fileURLToPath(argument);
  } catch {
    return argument;
  }
}

/** One file, or the lines of one that is a folder; an option is neither. */
const tapeFile = /^(?!-).*(?:\.parleytape|[/\\]tape\.ndjson)$/iu;

/** Given by the `parley` that a package puts on the PATH; the engine's own switches stand around it. */
const commandFlag = '--command';

/**
 * What a person has typed after `parley`, where the program itself is to run a command. It stands behind a `--`, so
 * that no option of a command is taken for one of the engine's.
 */
export function commandWords(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--');
  if (end === -1 || !argv.slice(1, end).includes(commandFlag)) return undefined;
  return argv.slice(end + 1);
}

/** Why Parley cannot open at all, where the engine would end without a word. */
export type StartRefusal =
  | { readonly kind: 'config'; readonly folder: string }
  | { readonly kind: 'sandbox'; readonly refused: 'root' | 'kernel' };

/**
 * Given by the package's `parley`, which looks before the engine does, together with what lets this one start show a box:
 * who started it from a menu would never learn why.
 */
const configSwitch = '--unwritable-config=';
const sandboxSwitches = [
  ['--sandbox-not-for-root', 'root'],
  ['--sandbox-refused', 'kernel'],
] as const;

/** Where all there is to do is to say so. */
export function startRefusal(argv: readonly string[]): StartRefusal | undefined {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const folder = own.find((word) => word.startsWith(configSwitch))?.slice(configSwitch.length);
  if (folder !== undefined) return { kind: 'config', folder };
  const sandbox = sandboxSwitches.find(([word]) => own.includes(word));
  return sandbox && { kind: 'sandbox', refused: sandbox[1] };
}

const flag = '--restarted-at=';
const careful = '--safe-start';
/** What had a window may have been unlucky; what never had one is likely to fail the same way again. */
const mostRestarts = { opened: 2, unopened: 1 } as const;
const withinMs = 10 * 60_000;

/**
 * What Parley is started with again after a fault: the same, and when that was, which is how the next
 * one knows. Where no window was reached it is a careful start. Nothing where it was just started again and fails
 * once more: no machine is to do that for ever.
 */
export function restartArguments(
  argv: readonly string[],
  now: number,
  reached: keyof typeof mostRestarts,
): readonly string[] | undefined {
  const recent = restartTimes(argv).filter((at) => Math.abs(now - at) < withinMs);
  if (recent.length >= mostRestarts[reached]) return undefined;
  const again = argv.slice(1).filter((argument) => !argument.startsWith(flag));
  if (reached === 'unopened' && !again.includes(careful)) again.push(careful);
  return [...again, `${flag}${[...recent, now].join(',')}`];
}

export function wasRestarted(argv: readonly string[]): boolean {
  return restartTimes(argv).length > 0;
}

function restartTimes(argv: readonly string[]): readonly number[] {
  const given = argv.find((argument) => argument.startsWith(flag))?.slice(flag.length) ?? '';
  return given.split(',').filter(Boolean).map(Number).filter(Number.isFinite);
}
