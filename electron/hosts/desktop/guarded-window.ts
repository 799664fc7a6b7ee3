import type { BrowserWindow } from 'electron';
import { type RecoveryNote, withRecoveryNote } from '../../../shared/app/program.ts';
import { describeError } from '../../../shared/errors/app-error.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { DesktopCore } from './desktop-core.ts';
import type { WindowBoundsStore } from './window-bounds.ts';

export interface WindowParts {
  readonly preload: string;
  /** The main window's address; the others are derived from it. */
  readonly page: string;
  readonly boundsStore: WindowBoundsStore;
  readonly register: (window: BrowserWindow) => void;
  /** Ends what the page has begun: it releases a talk key that the page holds, for example. */
  readonly resetPage: (window: BrowserWindow) => void;
  readonly log: Log;
  /** Limits automatic reloads of all windows together. */
  readonly attempts: AttemptLimit;
}

/** A page is reloaded this long after a crash, because Chromium reports the crash before it has cleaned up the old page. */
const reloadAfterMs = 200;
/** How long a page may hang after Chromium's `unresponsive` event. */
const killHungAfterMs = 10_000;
/** A page is reloaded after this many unanswered checks. The first of them already releases the page's talk key. */
const maxMissedChecks = 3;

type WindowName = 'main' | 'mini' | 'cursor' | 'region';

/** A window that reloads its page when it crashes or hangs, while the core continues. */
export abstract class GuardedWindow {
  readonly window: BrowserWindow;
  readonly #name: WindowName;
  readonly #address: string;
  readonly #parts: WindowParts;
  #hasHung = false;
  #checkPending = false;
  #missedChecks = 0;
  #hangTimer: NodeJS.Timeout | undefined;

  constructor(name: WindowName, window: BrowserWindow, address: string, parts: WindowParts) {
    this.window = window;
    this.#name = name;
    this.#address = address;
    this.#parts = parts;
    parts.register(window);
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) =>
      this.#onPageGone(`${reason}, ${exitCode}`),
    );
    window.on('unresponsive', () => {
      if (this.#isWatched && window.isVisible())
        this.#hangTimer ??= setTimeout(this.#kill, killHungAfterMs).unref();
    });
    window.on('responsive', this.#onAnswered);
    // Chromium sends neither `unresponsive` nor `responsive` for hidden windows.
    window.on('hide', this.#stopHangTimer);
    // The old page never answers earlier checks.
    window.webContents.on('did-finish-load', this.#onAnswered);
    window.on('closed', this.#onAnswered);
  }

  /** Checks that the page answers. Called every few seconds during a talk, when a hung page does harm. */
  checkPage(): void {
    if (!this.#isWatched) return;
    if (this.#checkPending) {
      this.#missedChecks += 1;
      if (this.#missedChecks === 1) this.#parts.resetPage(this.window);
      if (this.#missedChecks >= maxMissedChecks) this.#kill();
      return;
    }
    this.#checkPending = true;
    this.window.webContents.executeJavaScript('0').then(this.#onAnswered, this.#onAnswered);
  }

  /** Loads the page for the first time. `name` stands in the log if that fails. */
  protected loadPage(name: string): void {
    this.window.loadURL(this.#address).catch((error: unknown) => {
      if (this.window.isDestroyed()) return;
      this.#parts.log.write('error', `the ${name} did not load: ${describeError(error)}`);
      this.onPageFailed();
    });
  }

  /** Destroys the window. A dead page never confirms a close. */
  protected destroyWindow(): void {
    if (!this.window.isDestroyed()) this.window.destroy();
  }

  /**
   * Reloads a crashed page without counting an attempt. An automatic reload was counted before; one for the user needs
   * no limit.
   */
  protected revivePage(): void {
    if (!this.window.isDestroyed() && this.#isDead) this.#load();
  }

  /** Called when the page does not load or broke too often. */
  protected abstract onPageFailed(): void;

  get #isDead(): boolean {
    return this.window.isDestroyed() || this.window.webContents.isCrashed();
  }

  /** A page that loads or is stopped in a debugger does not count as hung. */
  get #isWatched(): boolean {
    if (this.#isDead) return false;
    const { webContents } = this.window;
    return !webContents.isLoading() && !webContents.isDevToolsOpened();
  }

  readonly #stopHangTimer = (): void => {
    clearTimeout(this.#hangTimer);
    this.#hangTimer = undefined;
  };

  readonly #onAnswered = (): void => {
    this.#stopHangTimer();
    this.#checkPending = false;
    this.#missedChecks = 0;
  };

  /** Crashing the renderer is the only way to end a hung page. */
  readonly #kill = (): void => {
    if (this.#isDead) return;
    this.#hasHung = true;
    this.window.webContents.forcefullyCrashRenderer();
  };

  #onPageGone(details: string): void {
    this.#onAnswered();
    const { window } = this;
    if (window.isDestroyed()) return;
    this.#logError(
      `${this.#hasHung ? 'hung' : 'crashed'} (${details}); its resources are released`,
    );
    if (!this.#parts.attempts.tryTake()) {
      this.#logError('is not reloaded, because it failed too often');
      this.onPageFailed();
      return;
    }
    setTimeout(() => this.revivePage(), reloadAfterMs);
  }

  #load(): void {
    const note: RecoveryNote = this.#hasHung ? 'pageHung' : 'pageCrashed';
    this.#hasHung = false;
    this.window.loadURL(withRecoveryNote(this.#address, note)).catch((error: unknown) => {
      this.#logError(`could not be reloaded: ${describeError(error)}`);
      this.onPageFailed();
    });
  }

  #logError(predicate: string): void {
    this.#parts.log.write('error', `the page of the ${this.#name} window ${predicate}`);
  }
}

/** Allows a number of attempts within a time window. */
export class AttemptLimit {
  readonly #maxAttempts: number;
  readonly #windowMs: number;
  readonly #now: () => number;
  #attempts: readonly number[] = [];

  constructor(maxAttempts: number, windowMs: number, now: () => number) {
    this.#maxAttempts = maxAttempts;
    this.#windowMs = windowMs;
    this.#now = now;
  }

  /** Counts an attempt, or returns false if there were too many. */
  tryTake(): boolean {
    const at = this.#now();
    this.#attempts = this.#attempts.filter((attempt) => at - attempt < this.#windowMs);
    if (this.#attempts.length >= this.#maxAttempts) return false;
    this.#attempts = [...this.#attempts, at];
    return true;
  }
}

type Core = Pick<DesktopCore, 'notices' | 'lifetime'> & {
  readonly talk: Pick<DesktopCore['talk'], 'isActive'>;
};

const checkEveryMs = 5000;

/** Checks pages during a talk, when a hung page may hide an open microphone. Without a talk, no timer runs. */
export function checkPagesWhileTalking(core: Core, check: () => void): void {
  const { notices, lifetime, talk } = core;
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const begin = (): void => {
    if (timer !== undefined || !talk.isActive) return;
    timer = setInterval(() => {
      if (talk.isActive) check();
      else stop();
    }, checkEveryMs);
    timer.unref();
  };
  const stopListening = notices.listen(({ name }) => {
    if (name === 'talkBegan' || name === 'talkState') begin();
  });
  // A restored talk may be active already.
  begin();
  lifetime.add(() => {
    stopListening();
    stop();
  }, 'page check timer');
}
