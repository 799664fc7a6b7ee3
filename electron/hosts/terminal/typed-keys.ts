import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/** Calls back with each key. Returns a function that stops this, or undefined without a keyboard. */
export type OpenKeys = (onKey: (key: string) => void) => (() => void) | undefined;

/** Ctrl-L redraws the view. `TypedKeys` also sends it when Parley returns to the foreground. */
export const redrawKey = '\f';

interface KeyInput {
  setRawMode(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: 'data', listener: (data: Buffer) => void): unknown;
  on(event: 'error', listener: () => void): unknown;
  off(event: 'data', listener: (data: Buffer) => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

/** The terminal and system calls that `TypedKeys` uses; tests replace them. */
export interface TypedKeysSystem {
  readonly input: KeyInput;
  /** `all` signals the foreground process group, as the terminal does on Ctrl-C. */
  readonly signal: (name: NodeJS.Signals, target: 'all' | 'self') => void;
  readonly onSignal: (name: NodeJS.Signals, listener: () => void) => () => void;
  readonly onExit: (listener: () => void) => () => void;
  /** Whether Parley is in the foreground. A background process that reads the terminal gets stopped. */
  readonly isInFront: () => boolean;
}

/** The signals of control characters. In raw mode the terminal does not send them, so Parley does. */
const signalsOfKeys: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['\u0003', 'SIGINT'],
  ['\u001a', 'SIGTSTP'],
  ['\u001c', 'SIGQUIT'],
]);

/** A busy machine delivers a few keys at once. More characters are a paste, which is ignored. */
const maxKeysAtOnce = 3;
/** A stop signal takes effect within this time. The timer does not run while Parley is stopped. */
const stopDelayMs = 50;
const foregroundPollMs = 1000;

/**
 * Reads single keys without Enter or echo. Restores the terminal's mode on every exit, and while Parley is
 * stopped or in the background.
 */
export class TypedKeys {
  readonly #system: TypedKeysSystem;
  readonly #onKey: (key: string) => void;
  readonly #releases: (() => void)[] = [];
  #stopListener: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRaw = false;
  #isClosed = false;

  constructor(system: TypedKeysSystem, onKey: (key: string) => void) {
    this.#system = system;
    this.#onKey = onKey;
    const { input } = system;
    // Paused until raw mode is on, because the listener would otherwise start reading at once, even while Parley is in the
    // background.
    input.pause();
    input.on('data', this.#onData);
    // The terminal is gone. Other code decides what Parley does then.
    input.on('error', this.close);
    this.#releases.push(
      () => {
        input.off('data', this.#onData);
        input.off('error', this.close);
      },
      system.onExit(this.#restoreMode),
      system.onSignal('SIGCONT', this.#reenterRawMode),
      ...(['SIGHUP', 'SIGQUIT'] as const).map((name) =>
        system.onSignal(name, () => {
          this.close();
          system.signal(name, 'self');
        }),
      ),
    );
    this.#enterRawMode();
  }

  readonly close = (): void => {
    this.#isClosed = true;
    this.#restoreMode();
    clearTimeout(this.#timer);
    this.#removeStopListener();
    for (const release of this.#releases.splice(0)) release();
  };

  readonly #onData = (data: Buffer): void => {
    const text = data.toString();
    for (const [key, name] of signalsOfKeys) {
      if (!text.includes(key)) continue;
      if (name === 'SIGTSTP') this.#stop('all');
      else this.#system.signal(name, 'all');
      return;
    }
    // Escape sequences, such as arrow keys, are ignored.
    if (text.startsWith('\u001b') || text.length > maxKeysAtOnce) return;
    for (const key of text) this.#onKey(key.toLowerCase());
  };

  #stop(target: 'all' | 'self'): void {
    this.#restoreMode();
    // Without a listener the signal stops Parley like any program.
    this.#removeStopListener();
    this.#system.signal('SIGTSTP', target);
    this.#schedule(stopDelayMs, this.#reenterRawMode);
  }

  #removeStopListener(): void {
    this.#stopListener?.();
    this.#stopListener = undefined;
  }

  /** Enters raw mode again, because a shell may have changed the mode while Parley was stopped. */
  readonly #reenterRawMode = (): void => {
    this.#isRaw = false;
    this.#enterRawMode();
  };

  #enterRawMode(): void {
    if (this.#isClosed) return;
    const { input, isInFront, onSignal } = this.#system;
    if (!isInFront()) {
      input.pause();
      this.#schedule(foregroundPollMs, this.#reenterRawMode);
      return;
    }
    try {
      // Node skips a mode that it believes is set, so it is reset first.
      input.setRawMode(false);
      input.setRawMode(true);
      input.resume();
      this.#isRaw = true;
      this.#stopListener ??= onSignal('SIGTSTP', () => this.#stop('self'));
      this.#onKey(redrawKey);
    } catch {
      this.close();
    }
  }

  readonly #restoreMode = (): void => {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    const { input } = this.#system;
    input.pause();
    try {
      input.setRawMode(false);
    } catch {
      // The terminal is gone.
    }
  };

  #schedule(milliseconds: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#isClosed) run();
    }, milliseconds);
    this.#timer.unref();
  }
}

/** The terminal of this process. */
export function processKeys(input: ReadStream): TypedKeysSystem {
  return {
    input,
    signal: (name, target) => {
      // Windows has no process groups, and `kill` would end the process.
      if (process.platform === 'win32') process.emit(name, name);
      else process.kill(target === 'all' ? 0 : process.pid, name);
    },
    onSignal: (name, listener) => {
      process.on(name, listener);
      return () => process.off(name, listener);
    },
    onExit: (listener) => {
      process.on('exit', listener);
      return () => process.off('exit', listener);
    },
    isInFront,
  };
}

/** Whether this process group is in the foreground. True if that is unknown. */
function isInFront(): boolean {
  try {
    const [ownGroup, foregroundGroup] = processGroups();
    return ownGroup === undefined || foregroundGroup === undefined || ownGroup === foregroundGroup;
  } catch {
    return true;
  }
}

/** The group of this process and the terminal's foreground group. */
function processGroups(): readonly (string | undefined)[] {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const output = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]);
    return output.toString().trim().split(/\s+/);
  }
  // The fields after the name in brackets: state, parent, group, session, terminal, foreground group.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[2], fields[5]];
}
