import type { BrowserWindow } from 'electron';
import type { RecoveryNote } from '../../../shared/app/program.ts';
import { describeError } from '../../../shared/harmless-text.ts';
import type { Log } from '../../../shared/ports/log.ts';
import type { DesktopCore } from './desktop-core.ts';

interface Deps {
  readonly window: BrowserWindow;
  readonly name: 'main' | 'mini';
  /** Loads its page anew, which then says why. */
  readonly load: (after: RecoveryNote) => Promise<void>;
  /** Ends what the page has begun, such as a key that it holds. */
  readonly drop: () => void;
  readonly attempts: AttemptLimit;
  /** It has broken too often to be loaded by itself once more. */
  readonly gaveUp: () => void;
  readonly log: Log;
}

/** The engine is not done with the old page in the moment when it says that it is gone. */
const reloadAfterMs = 200;
/** From when the engine says that input is not answered. */
const hangsMs = 10_000;
/** In checks. The first one that is not answered costs the page its key, the third one the page. */
const missedToReload = 3;

/** Sees that a window has a page that lives: one that dies or hangs is loaded anew, and all else goes on. */
export class PageGuard {
  readonly #deps: Deps;
  #hung = false;
  #asked = false;
  #missed = 0;
  #hangTimer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    const { window } = deps;
    window.webContents.on('render-process-gone', (_event, { reason, exitCode }) =>
      this.#gone(`${reason}, ${exitCode}`),
    );
    window.on('unresponsive', () => {
      if (this.#isWatched) this.#hangTimer ??= setTimeout(this.#kill, hangsMs).unref();
    });
    window.on('responsive', this.#answered);
    // What was asked of the page before it is never answered.
    window.webContents.on('did-finish-load', this.#answered);
    window.on('closed', this.#answered);
  }

  get isDead(): boolean {
    const { window } = this.#deps;
    return window.isDestroyed() || window.webContents.isCrashed();
  }

  /** Because a person asks for the window, however often it has broken. */
  revive(): void {
    if (!this.#deps.window.isDestroyed() && this.isDead) this.#load();
  }

  /** Called every few seconds while a page that hangs would do harm: while a talk goes on. */
  check(): void {
    if (!this.#isWatched) return;
    if (this.#asked) {
      this.#missed += 1;
      if (this.#missed === 1) this.#deps.drop();
      if (this.#missed >= missedToReload) this.#kill();
      return;
    }
    this.#asked = true;
    this.#deps.window.webContents.executeJavaScript('0').then(this.#answered, this.#answered);
  }

  /** One that is being loaded, or stands still in a debugger, has its reason. */
  get #isWatched(): boolean {
    const { webContents } = this.#deps.window;
    return !this.isDead && !webContents.isLoading() && !webContents.isDevToolsOpened();
  }

  readonly #answered = (): void => {
    clearTimeout(this.#hangTimer);
    this.#hangTimer = undefined;
    this.#asked = false;
    this.#missed = 0;
  };

  /** Nothing else gets past a page that hangs. */
  readonly #kill = (): void => {
    if (this.isDead) return;
    this.#hung = true;
    this.#deps.window.webContents.forcefullyCrashRenderer();
  };

  #gone(how: string): void {
    this.#answered();
    const { window, name, attempts, gaveUp, log } = this.#deps;
    if (window.isDestroyed()) return;
    log.write(
      'error',
      `the page of the ${name} window ${this.#hung ? 'hung' : 'died'} (${how}); what it held is released`,
    );
    if (!attempts.take()) {
      log.write('error', `the page of the ${name} window is not loaded anew: it broke too often`);
      gaveUp();
      return;
    }
    setTimeout(() => {
      if (this.isDead && !window.isDestroyed()) this.#load();
    }, reloadAfterMs);
  }

  #load(): void {
    const { name, load, gaveUp, log } = this.#deps;
    const after = this.#hung ? 'pageHung' : 'pageCrashed';
    this.#hung = false;
    load(after).catch((error: unknown) => {
      log.write(
        'error',
        `the page of the ${name} window did not come back: ${describeError(error)}`,
      );
      gaveUp();
    });
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
