import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ReadStream } from 'node:tty';

/** Calls back with each key that is pressed, until the returned function is called; nothing where there are none. */
export type OpenKeys = (pressed: (key: string) => void) => (() => void) | undefined;

/** Ctrl-L asks the view to draw itself again. `TypedKeys` presses it, too, when Parley comes back to the front. */
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

/** The terminal and the system, as `TypedKeys` uses them; tests give their own. */
export interface TypedKeysSystem {
  readonly input: KeyInput;
  /** As the terminal itself does it at Ctrl-C and the like: to all that stand in front with Parley. */
  readonly signal: (name: NodeJS.Signals, whom: 'all' | 'self') => void;
  readonly onSignal: (name: NodeJS.Signals, listener: () => void) => () => void;
  readonly onExit: (listener: () => void) => () => void;
  /** Nobody types into what runs in the background, and whoever touches the terminal from there is stopped. */
  readonly isInFront: () => boolean;
}

/** In raw mode the terminal sends these signals no longer: Parley does. */
const signalsOfKeys: ReadonlyMap<string, NodeJS.Signals> = new Map([
  ['\u0003', 'SIGINT'],
  ['\u001a', 'SIGTSTP'],
  ['\u001c', 'SIGQUIT'],
]);

/** More at once was pasted, and is not meant for a talk; so few may come of a busy machine. */
const mostTypedAtOnce = 3;
/** By then a stop has stopped; the time it lasts is not counted. */
const stoppedMs = 50;
const lookForFrontMs = 1000;

/**
 * Single keys of a terminal, without Enter and without an echo. The terminal is given back as it was
 * whichever way this ends, and while Parley is stopped or runs in the background.
 */
export class TypedKeys {
  readonly #system: TypedKeysSystem;
  readonly #pressed: (key: string) => void;
  readonly #releases: (() => void)[] = [];
  #stopHearingStop: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #taken = false;
  #over = false;

  constructor(system: TypedKeysSystem, pressed: (key: string) => void) {
    this.#system = system;
    this.#pressed = pressed;
    const { input } = system;
    // Else whoever listens is handed what was typed before, and from the background, too.
    input.pause();
    input.on('data', this.#onData);
    // The terminal has gone; what becomes of Parley then is not for its keys to say.
    input.on('error', this.close);
    this.#releases.push(
      () => {
        input.off('data', this.#onData);
        input.off('error', this.close);
      },
      system.onExit(this.#giveBack),
      system.onSignal('SIGCONT', this.#takeAgain),
      ...(['SIGHUP', 'SIGQUIT'] as const).map((name) =>
        system.onSignal(name, () => {
          this.close();
          system.signal(name, 'self');
        }),
      ),
    );
    this.#take();
  }

  readonly close = (): void => {
    this.#over = true;
    this.#giveBack();
    clearTimeout(this.#timer);
    this.#ignoreStop();
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
    // Arrows and the like begin with Escape.
    if (text.startsWith('\u001b') || text.length > mostTypedAtOnce) return;
    for (const key of text) this.#pressed(key.toLowerCase());
  };

  #stop(whom: 'all' | 'self'): void {
    this.#giveBack();
    // Heard by nobody it stops Parley as it stops any program.
    this.#ignoreStop();
    this.#system.signal('SIGTSTP', whom);
    this.#later(stoppedMs, this.#takeAgain);
  }

  #ignoreStop(): void {
    this.#stopHearingStop?.();
    this.#stopHearingStop = undefined;
  }

  /** It may have been stopped unasked, and a shell has put its own mode in the place then. */
  readonly #takeAgain = (): void => {
    this.#taken = false;
    this.#take();
  };

  #take(): void {
    if (this.#over) return;
    const { input, isInFront, onSignal } = this.#system;
    if (!isInFront()) {
      input.pause();
      this.#later(lookForFrontMs, this.#takeAgain);
      return;
    }
    try {
      // What is said to be so already is not done again, though a shell may have undone it.
      input.setRawMode(false);
      input.setRawMode(true);
      input.resume();
      this.#taken = true;
      this.#stopHearingStop ??= onSignal('SIGTSTP', () => {
        this.#stop('self');
      });
      this.#pressed(redrawKey);
    } catch {
      this.close();
    }
  }

  readonly #giveBack = (): void => {
    if (!this.#taken) return;
    this.#taken = false;
    const { input } = this.#system;
    input.pause();
    try {
      input.setRawMode(false);
    } catch {
      // It has gone, and its mode with it.
    }
  };

  #later(milliseconds: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#over) run();
    }, milliseconds);
    this.#timer.unref();
  }
}

/** The process's own terminal. */
export function processKeys(input: ReadStream): TypedKeysSystem {
  return {
    input,
    signal: (name, whom) => {
      // Windows knows no groups, and what is sent there ends the process.
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

/** Whether the terminal belongs to the group of processes that this one is in; so, where nobody says. */
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
    const told = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)]);
    return told.toString().trim().split(/\s+/);
  }
  // Behind the name, which stands in brackets and may hold anything: state, parent, group, session, terminal, its group.
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return [fields[2], fields[5]];
}
