import { spawn } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { app, BrowserWindow } from 'electron';
import type { CountingLog } from '../../../shared/ports/log.ts';
import { composeDesktopSession } from '../../app/desktop-session.ts';
import { endInTime, endWithStarter } from '../process-shutdown.ts';
import type { BegunStart } from './begin-start.ts';
import type { DesktopCore } from './desktop-core.ts';
import { DesktopWindows } from './desktop-windows.ts';
import { PendingOpen } from './integration/pending-open.ts';
import { readStartArguments, restartArguments } from './start-arguments.ts';
import { showFatalError } from './system-dialogs.ts';

/** A disk that hangs keeps no broken Parley. */
const keepWithinMs = 1000;

/** The desktop app of this process, from its start to its end: its windows, its one core, and how it quits. */
export class DesktopApp {
  readonly windows = new DesktopWindows();
  readonly session = composeDesktopSession();
  readonly links: PendingOpen;
  readonly files: PendingOpen;
  readonly log: CountingLog;
  /** Parley could not be started with everything as it is set. */
  readonly safe: boolean;
  readonly #begun: BegunStart;
  #core: Promise<DesktopCore> | undefined;
  #failing: Promise<void> | undefined;
  #isOpen = false;
  #leaving = false;
  #startAgain = false;
  #exitCode = 0;

  /** `lastWayOut` is called when it quits: from then on the process ends by itself, whatever holds it up. */
  constructor(log: CountingLog, begun: BegunStart, lastWayOut: () => void) {
    const { safe, failedBefore } = begun;
    const given = readStartArguments(process.argv);
    this.links = new PendingOpen('links', given.link);
    this.files = new PendingOpen('files', given.tape);
    this.log = log;
    this.safe = safe;
    this.#begun = begun;
    if (safe) log.write('warn', `a careful start, after ${failedBefore} that came to no end`);
    app.on('window-all-closed', () => app.quit());
    quitInTime(lastWayOut, () => this.#leave());
    endWithStarter(() => app.quit());
  }

  /** A person has a window to use. */
  readonly isOpen = (): boolean => this.#isOpen;

  opened(): void {
    this.#isOpen = true;
    this.#begun.done();
  }

  /**
   * The one core, composed when it is first asked for, and loaded once the window shows its page, or never will:
   * before that the two would be in each other's way, and whoever waits looks at the window.
   */
  core(shown: Promise<unknown>): Promise<DesktopCore> {
    this.#core ??= this.#compose(shown);
    return this.#core;
  }

  /** Quits, and starts what then stands in Parley's place. */
  readonly restart = (): void => {
    this.#startAgain = true;
    app.quit();
  };

  /**
   * Says a sentence, closes all and ends the process as failed; or starts Parley anew. What is closed on the way
   * breaks what was still under way, and that is no second failure.
   */
  readonly fail = (sentence: string): Promise<void> => (this.#failing ??= this.#end(sentence));

  async #compose(shown: Promise<unknown>): Promise<DesktopCore> {
    await shown.catch(() => undefined);
    const { loadCore } = await import('./load-core.ts');
    return loadCore(this);
  }

  async #leave(): Promise<void> {
    this.#leaving = true;
    await this.#close();
    if (this.#startAgain) startAfterwards();
    app.exit(this.#exitCode);
  }

  /** Ends what is open, also when something will not end cleanly, or not at all. */
  async #close(): Promise<void> {
    this.#begun.done();
    const parley = await this.#composed();
    if (parley !== undefined) await endInTime(parley.lifetime, this.log);
    await this.session.end();
    this.log.flush();
  }

  async #end(sentence: string): Promise<void> {
    this.#exitCode = 1;
    const reached = this.#isOpen ? 'opened' : 'unopened';
    // Who has quit meanwhile wants no Parley, whatever broke on the way.
    const restart = this.#leaving ? undefined : restartArguments(process.argv, Date.now(), reached);
    if (restart === undefined) {
      // Nothing is heard or recorded any more while the sentence is read.
      await Promise.all([showFatalError(sentence), this.#close()]);
    } else {
      if (!this.#isOpen) this.log.write('error', sentence);
      this.log.write('error', 'Parley starts itself anew, because of the faults before this line');
      await this.#keepTalk();
      await this.#close();
      app.relaunch({ args: [...restart] });
    }
    app.exit(this.#exitCode);
  }

  /** Until it is held the talk is only what a crash would leave of it. */
  async #keepTalk(): Promise<void> {
    const enough = new AbortController();
    const late = rest(keepWithinMs, undefined, { signal: enough.signal }).catch(() => undefined);
    const kept = this.#composed().then((parley) => parley?.talk.keepForRestart());
    await Promise.race([kept.catch(() => undefined), late]);
    enough.abort();
  }

  /** Nothing where none was asked for, or where it could not be composed. */
  async #composed(): Promise<DesktopCore | undefined> {
    return this.#core?.catch(() => undefined);
  }
}

/** A page has that long to put away what was typed a moment before. */
const pagesMs = 1500;

/**
 * Quitting, by whatever way it is asked for (the menu, the last window, SIGTERM): no page that does
 * not answer, and nothing else that hangs, keeps the process.
 */
function quitInTime(lastWayOut: () => void, leave: () => Promise<void>): void {
  let pages: NodeJS.Timeout | undefined;
  app.on('before-quit', () => {
    if (pages !== undefined) return;
    lastWayOut();
    pages = setTimeout(() => {
      for (const window of BrowserWindow.getAllWindows()) window.destroy();
    }, pagesMs);
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    clearTimeout(pages);
    void leave();
  });
}

/**
 * Starts what stands where this program stood, once this process is gone: another version may have taken its place,
 * and an AppImage's folder goes away with it. Electron's own way to start anew would run the program of that folder.
 */
function startAfterwards(): void {
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const wait = 'while kill -0 "$0" 2>/dev/null; do sleep 0.1; done; exec "$@"';
  // A link or a tape that this one was started with was opened long ago, and who asks for it looks at its window.
  const switches = process.argv
    .slice(1)
    .filter((argument) => /^--(?!hidden$|mini$)/.test(argument));
  const args = ['-c', wait, String(process.pid), program, ...switches];
  spawn('/bin/sh', args, { detached: true, stdio: 'ignore' }).unref();
}
