import type { BrowserWindow } from 'electron';
import { type RecoveryNote, withRecoveryNote } from '../../../shared/app/program.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { DesktopCore } from './desktop-core.ts';
import type { WindowBoundsStore } from './window-bounds.ts';

/** What both windows are opened with. */
export interface WindowParts {
  readonly preload: string;
  /** The main window's page; the mini window has the same one with a query. */
  readonly page: string;
  readonly places: WindowBoundsStore;
  readonly join: (window: BrowserWindow) => void;
  /** Ends what the page in that window has begun, such as a key that it holds. */
  readonly drop: (window: BrowserWindow) => void;
  readonly log: Log;
  /** How often a page that dies is loaded anew by itself, in either. */
  readonly attempts: AttemptLimit;
}

/** The engine is not done with the old page in the moment when it says that it is gone. */
const reloadAfterMs = 200;
/** From when the engine says that input is not answered. */
const hangsMs = 10_000;
/** In checks. The first one that is not answered costs the page its key, the third one the page. */
const missedToReload = 3;

/** A window whose page is answered, and is loaded anew where it dies or hangs, while all else goes on. */
export abstract class GuardedWindow {
  readonly window: BrowserWindow;
  readonly #name: 'main' | 'mini';
  readonly #address: string;
  readonly #parts: WindowParts;
  #hung = false;
  #asked = false;
  #missed = 0;
  #hangTimer: NodeJS.Timeout | undefined;

  constructor(name: 'main' | 'mini', window: BrowserWindow, address: string, parts: WindowParts) {
    this.window = window;
    this.#name = name;
    this.#address = address;
    this.#parts = parts;
    parts.join(window);
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) =>
      this.#gone(`${reason}, ${exitCode}`),
    );
    window.on('unresponsive', () => {
      if (this.#isWatched && window.isVisible())
        this.#hangTimer ??= setTimeout(this.#kill, hangsMs).unref();
    });
    window.on('responsive', this.#answered);
    // Of a window that nobody sees the engine waits for no answer any more, nor says that one has come.
    window.on('hide', this.#stopHangTimer);
    // What was asked of the page before it is never answered.
    window.webContents.on('did-finish-load', this.#answered);
    window.on('closed', this.#answered);
  }

  /** Called every few seconds while a page that hangs would do harm: while a talk goes on. */
  checkPage(): void {
    if (!this.#isWatched) return;
    if (this.#asked) {
      this.#missed += 1;
      if (this.#missed === 1) this.#parts.drop(this.window);
      if (this.#missed >= missedToReload) this.#kill();
      return;
    }
    this.#asked = true;
    this.window.webContents.executeJavaScript('0').then(this.#answered, this.#answered);
  }

  /** Because a person asks for the window, however often its page has broken. */
  protected revivePage(): void {
    if (!this.window.isDestroyed() && this.#isDead) this.#load();
  }

  /** Its page does not load, or breaks too often. */
  protected abstract gaveUp(): void;

  get #isDead(): boolean {
    return this.window.isDestroyed() || this.window.webContents.isCrashed();
  }

  /** A page that is being loaded, or stands still in a debugger, has its reason. */
  get #isWatched(): boolean {
    const { webContents } = this.window;
    return !this.#isDead && !webContents.isLoading() && !webContents.isDevToolsOpened();
  }

  readonly #stopHangTimer = (): void => {
    clearTimeout(this.#hangTimer);
    this.#hangTimer = undefined;
  };

  readonly #answered = (): void => {
    this.#stopHangTimer();
    this.#asked = false;
    this.#missed = 0;
  };

  /** Nothing else gets past a page that hangs. */
  readonly #kill = (): void => {
    if (this.#isDead) return;
    this.#hung = true;
    this.window.webContents.forcefullyCrashRenderer();
  };

  #gone(how: string): void {
    this.#answered();
    const { window } = this;
    if (window.isDestroyed()) return;
    this.#logError(`${this.#hung ? 'hung' : 'died'} (${how}); what it held is released`);
    if (!this.#parts.attempts.take()) {
      this.#logError('is not loaded anew: it broke too often');
      this.gaveUp();
      return;
    }
    setTimeout(() => this.revivePage(), reloadAfterMs);
  }

  #load(): void {
    const after: RecoveryNote = this.#hung ? 'pageHung' : 'pageCrashed';
    this.#hung = false;
    this.window.loadURL(withRecoveryNote(this.#address, after)).catch((error: unknown) => {
      this.#logError(`did not come back: ${describeError(error)}`);
      this.gaveUp();
    });
  }

  #logError(what: string): void {
    this.#parts.log.write('error', `the page of the ${this.#name} window ${what}`);
  }
}

/** So many attempts within a time, and then no more until some of them are long ago. */
export class AttemptLimit {
  readonly #most: number;
  readonly #withinMs: number;
  readonly #now: () => number;
  #attempts: readonly number[] = [];

  constructor(most: number, withinMs: number, now: () => number) {
    this.#most = most;
    this.#withinMs = withinMs;
    this.#now = now;
  }

  /** Whether there may be another one, which is counted then. */
  take(): boolean {
    const at = this.#now();
    this.#attempts = this.#attempts.filter((attempt) => at - attempt < this.#withinMs);
    if (this.#attempts.length >= this.#most) return false;
    this.#attempts = [...this.#attempts, at];
    return true;
  }
}

type Core = Pick<DesktopCore, 'notices' | 'lifetime'> & {
  readonly talk: Pick<DesktopCore['talk'], 'active'>;
};

const checkEveryMs = 5000;

/**
 * A page that hangs is noticed while a talk goes on, because then a microphone may be open behind it. While
 * none does nothing here wakes the process up.
 */
export function checkPagesWhileTalking(core: Core, check: () => void): void {
  const { notices, lifetime, talk } = core;
  let checking: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearInterval(checking);
    checking = undefined;
  };
  const begin = (): void => {
    if (checking !== undefined || !talk.active) return;
    checking = setInterval(() => {
      if (talk.active) check();
      else stop();
    }, checkEveryMs);
    checking.unref();
  };
  const leave = notices.listen(({ name }) => {
    if (name === 'talkBegan' || name === 'talkState') begin();
  });
  // It may go on already, as one that was taken up again.
  begin();
  lifetime.add(() => {
    leave();
    stop();
  }, 'looking after the pages');
}
