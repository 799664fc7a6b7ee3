import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { app, BrowserWindow } from 'electron';
import type { CountingLog } from '../../../shared/ports/log.ts';
import { composeDesktopSession } from '../../app/desktop-session.ts';
import { endInTime, endWithStarter } from '../process-shutdown.ts';
import type { BegunStart } from './begin-start.ts';
import type { DesktopCore } from './desktop-core.ts';
import { DesktopWindows } from './desktop-windows.ts';
import { readStartArguments, restartArguments } from './start-arguments.ts';
import { showFatalError } from './system-dialogs.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';

/** A restart waits this long at most for the talk to be saved, because the disk may hang. */
const maxSaveTalkMs = 1000;

/** The desktop app from its start to its end: its windows, its core, and how it quits. */
export class DesktopApp {
  readonly windows = new DesktopWindows();
  readonly session = composeDesktopSession();
  readonly links: PendingOpen;
  readonly files: PendingOpen;
  readonly log: CountingLog;
  /** Whether this is a safe start, because normal starts failed. */
  readonly isSafe: boolean;
  readonly #begun: BegunStart;
  #core: Promise<DesktopCore> | undefined;
  #failing: Promise<void> | undefined;
  #isOpen = false;
  #isQuitting = false;
  #restartAfterQuit = false;
  #exitCode = 0;

  /** When the app quits, it calls `startKillTimer`, which kills the process if quitting hangs. */
  constructor(log: CountingLog, begun: BegunStart, startKillTimer: () => void) {
    const { isSafe, failedBefore } = begun;
    const startArguments = readStartArguments(process.argv);
    this.links = new PendingOpen('links', startArguments.link);
    this.files = new PendingOpen('files', startArguments.tape);
    this.log = log;
    this.isSafe = isSafe;
    this.#begun = begun;
    if (isSafe) log.write('warn', `starting in safe mode after ${failedBefore} incomplete starts`);
    app.on('window-all-closed', () => app.quit());
    quitInTime(startKillTimer, () => this.#quit());
    endWithStarter(() => app.quit());
  }

  /** Whether the user has a usable window. */
  readonly isOpen = (): boolean => this.#isOpen;

  noteOpen(): void {
    this.#isOpen = true;
    this.#begun.done();
  }

  /**
   * The core, composed on first use. It loads after the window has shown its page, because loading both at once
   * would delay the window.
   */
  core(shown: Promise<unknown>): Promise<DesktopCore> {
    this.#core ??= this.#compose(shown);
    return this.#core;
  }

  /** Quits and starts the version that is then installed. */
  readonly restart = (): void => {
    this.#restartAfterQuit = true;
    app.quit();
  };

  /**
   * Shows a sentence, closes everything and exits with a failure, or restarts Parley. Failures during the
   * closing are ignored.
   */
  readonly fail = (sentence: string): Promise<void> =>
    (this.#failing ??= this.#failOrRestart(sentence));

  async #compose(shown: Promise<unknown>): Promise<DesktopCore> {
    await shown.catch(() => undefined);
    const { loadCore } = await import('./load-core.ts');
    return loadCore(this);
  }

  async #quit(): Promise<void> {
    this.#isQuitting = true;
    await this.#close();
    if (this.#restartAfterQuit) startInstalledVersion();
    app.exit(this.#exitCode);
  }

  /** Ends what is open, even if something fails or hangs. */
  async #close(): Promise<void> {
    this.#begun.done();
    const parley = await this.#loadedCore();
    if (parley !== undefined) await endInTime(parley.lifetime, this.log);
    await this.session.end();
    this.log.flush();
  }

  async #failOrRestart(sentence: string): Promise<void> {
    this.#exitCode = 1;
    const reached = this.#isOpen ? 'opened' : 'unopened';
    // Does not restart if the user has quit.
    const restart = this.#isQuitting
      ? undefined
      : restartArguments(process.argv, Date.now(), reached);
    if (restart === undefined) {
      // Closes the devices while the sentence is shown.
      await Promise.all([showFatalError(sentence), this.#close()]);
    } else {
      if (!this.#isOpen) this.log.write('error', sentence);
      this.log.write('error', 'Parley restarts because of the errors above');
      await this.#saveTalk();
      await this.#close();
      app.relaunch({ args: [...restart] });
    }
    app.exit(this.#exitCode);
  }

  /** Saves the talk for the restart. If that fails, its crash journal still has the text. */
  async #saveTalk(): Promise<void> {
    const settled = new AbortController();
    const timeout = delay(maxSaveTalkMs, undefined, { signal: settled.signal }).catch(
      () => undefined,
    );
    const saved = this.#loadedCore().then((parley) => parley?.talk.saveForRestart());
    await Promise.race([saved.catch(() => undefined), timeout]);
    settled.abort();
  }

  /** The core, or undefined if it was never requested or failed to load. */
  async #loadedCore(): Promise<DesktopCore | undefined> {
    return this.#core?.catch(() => undefined);
  }
}

/** How long a page may take to save what the user typed last. */
const pageSaveMs = 1500;

/**
 * Handles a quit by the menu, the last window or SIGTERM. A page or cleanup that hangs cannot keep the process alive.
 */
function quitInTime(startKillTimer: () => void, onQuit: () => Promise<void>): void {
  let pageTimer: NodeJS.Timeout | undefined;
  app.on('before-quit', () => {
    if (pageTimer !== undefined) return;
    startKillTimer();
    pageTimer = setTimeout(() => {
      for (const window of BrowserWindow.getAllWindows()) window.destroy();
    }, pageSaveMs);
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    clearTimeout(pageTimer);
    void onQuit();
  });
}

/**
 * Starts the installed program after this process has exited: an update may have replaced it, and an AppImage's
 * mount disappears with it. `app.relaunch` would use the old path.
 */
function startInstalledVersion(): void {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const wait = 'while kill -0 "$0" 2>/dev/null; do sleep 0.1; done; exec "$@"';
  // Leaves out links and tapes, which were opened already, and the switches that hide the window.
  const switches = process.argv
    .slice(1)
    .filter((argument) => /^--(?!hidden$|mini$)/.test(argument));
  const args = ['-c', wait, String(process.pid), program, ...switches];
  spawn('/bin/sh', args, { detached: true, stdio: 'ignore' }).unref();
}

/** Receives links or files that the system opens with Parley. It remembers the newest one until `serve` is called. */
export class PendingOpen {
  #pending: string | undefined;
  #onOpen: ((target: string) => void) | undefined;

  /** `initial` comes from the command line. macOS sends an event instead, which can precede the app's `ready`. */
  constructor(kind: 'links' | 'files', initial: string | undefined) {
    this.#pending = initial;
    const onEvent = (event: { readonly preventDefault: () => void }, target: string): void => {
      event.preventDefault();
      this.open(target);
    };
    if (kind === 'links') app.on('open-url', onEvent);
    else app.on('open-file', onEvent);
  }

  open(target: string): void {
    if (this.#onOpen === undefined) this.#pending = target;
    else this.#onOpen(target);
  }

  /** Passes each item to `onOpen`, beginning with the pending one. */
  serve(onOpen: (target: string) => void, lifetime: Lifetime): void {
    this.#onOpen = onOpen;
    lifetime.add(() => {
      this.#onOpen = undefined;
    });
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined) onOpen(pending);
  }
}
