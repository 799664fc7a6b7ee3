import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/** Calls back with each pressed key. Returns a function that stops, or undefined without a keyboard. */
export type OpenKeys = (pressed: (key: string) => void) => (() => void) | undefined;

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
  readonly signal: (name: NodeJS.Signals, whom: 'all' | 'self') => void;
  readonly onSignal: (name: NodeJS.Signals, listener: () => void) => () => void;
  readonly onExit: (listener: () => void) => () => void;
  /** A background process gets no input and is stopped if it reads the terminal. */
  readonly isInFront: () => boolean;
}

/** In raw mode the terminal does not send these signals, so Parley does. */
const signalsOfKeys: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['\u0003', 'SIGINT'],
  ['\u001a', 'SIGTSTP'],
  ['\u001c', 'SIGQUIT'],
]);

/** More characters at once are a paste, which is ignored; a busy machine delivers few at once. */
const maxTypedAtOnce = 3;
/** Time until the stop takes effect; the timer does not run while stopped. */
const stoppedMs = 50;
const foregroundPollMs = 1000;

/**
 * Reads single keys without Enter or echo. Restores the terminal's mode on every exit, and while Parley is
 * stopped or in the background.
 */
export class TypedKeys {
  readonly #system: TypedKeysSystem;
  readonly #pressed: (key: string) => void;
  readonly #releases: (() => void)[] = [];
  #stopListener: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRaw = false;
  #isClosed = false;

  constructor(system: TypedKeysSystem, pressed: (key: string) => void) {
    this.#system = system;
    this.#pressed = pressed;
    const { input } = system;
    // Without this, a listener would get earlier input, even in the background.
    input.pause();
    input.on('data', this.#onData);
    // The terminal is gone; other code decides what Parley does.
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
    if (text.startsWith('\u001b') || text.length > maxTypedAtOnce) return;
    for (const key of text) this.#pressed(key.toLowerCase());
  };

  #stop(whom: 'all' | 'self'): void {
    this.#restoreMode();
    // Without a listener the signal stops Parley like any program.
    this.#removeStopListener();
    this.#system.signal('SIGTSTP', whom);
    this.#schedule(stoppedMs, this.#reenterRawMode);
  }

  #removeStopListener(): void {
    this.#stopListener?.();
    this.#stopListener = undefined;
  }

  /** A shell may have changed the mode while Parley was stopped. */
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
      this.#stopListener ??= onSignal('SIGTSTP', () => {
        this.#stop('self');
      });
      this.#pressed(redrawKey);
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
    signal: (name, whom) => {
      // Windows has no process groups, and `kill` would end the process.
      if (process.platform === 'win32') process.emit(name, name);
      else process.kill(whom === 'all' ? 0 : process.pid, name);
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

/** Whether this process group is in the foreground; true if unknown. */
function isInFront(): boolean {
  try {
    const [own, front] = groups();
    return own === undefined || front === undefined || own === front;
  } catch {
    return true;
  }
}

function groups(): readonly (string | undefined)[] {
  if (process.platform === 'win32') return [];
  if (process.platform !== 'linux') {
    const output = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]);
    return output.toString().trim().split(/\s+/);
  }
  // After the name in brackets: state, parent, group, session, terminal, foreground group.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[2], fields[5]];
}
