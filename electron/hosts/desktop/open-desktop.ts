import { spawn } from 'node:child_process';
import { setTimeout as rest } from 'node:timers/promises';
import { app, BrowserWindow } from 'electron';
import { describeError } from '../../../shared/harmless-text.ts';
import type { CountingLog } from '../../../shared/ports/log.ts';
import type { Parley } from '../../app/compose-parley.ts';
import { composeDesktopSession } from '../../app/desktop-session.ts';
import { endInTime, endWithStarter } from '../process-shutdown.ts';
import type { BegunStart } from './begin-start.ts';
import { DesktopWindows } from './desktop-windows.ts';
import { HandedOver } from './integration/handed-over.ts';
import type { Core } from './load-core.ts';
import { closeDebuggingPorts } from './page-isolation.ts';
import { readStartArguments, restartArguments } from './start-arguments.ts';
import { startDesktop } from './start-desktop.ts';
import { showFailure } from './system-dialogs.ts';

interface Given {
  readonly log: CountingLog;
  readonly begun: BegunStart;
  /** From then on the process ends by itself, whatever holds it up. */
  readonly lastWayOut: () => void;
}

interface OpenedDesktop {
  /** Says a sentence, closes all and ends the process as failed; or starts Parley anew. */
  readonly fail: (sentence: string) => Promise<void>;
  /** A person has a window to use. */
  readonly isOpen: () => boolean;
}

/** A disk that hangs keeps no broken Parley. */
const keepWithinMs = 1000;

/** Opens the desktop app. */
export function openDesktop({ log, begun, lastWayOut }: Given): OpenedDesktop {
  closeDebuggingPorts();
  const windows = new DesktopWindows();
  const { safe, failedBefore } = begun;
  if (safe) log.write('warn', `a careful start, after ${failedBefore} that came to no end`);
  const session = composeDesktopSession();
  const given = readStartArguments(process.argv);
  let startAgain = false;
  const around = {
    windows,
    session,
    links: new HandedOver('links', given.link),
    files: new HandedOver('files', given.tape),
    log,
    safe,
    restart: () => {
      startAgain = true;
      app.quit();
    },
  };
  let composed: Promise<Parley> | undefined;
  const compose = async (shown: Promise<unknown>): Promise<Parley> => {
    await shown.catch(() => undefined);
    const { loadCore } = await import('./load-core.ts');
    return loadCore(around);
  };
  // Loaded once the window shows its page, or never will: before that the two would be in each other's
  // way, and whoever waits looks at the window.
  const core: Core = (shown) => (composed ??= compose(shown));
  let exitCode = 0;
  let open = false;
  let leaving = false;
  /** Ends what is open, also when something will not end cleanly, or not at all. */
  const close = async (): Promise<void> => {
    begun.done();
    const parley = await composed?.catch(() => undefined);
    if (parley !== undefined) await endInTime(parley.lifetime, log);
    await session.end();
    log.flush();
  };
  const keepTalk = async (): Promise<void> => {
    const parley = await composed?.catch(() => undefined);
    await parley?.talk.keepForRestart().catch(() => undefined);
  };
  const leave = async (): Promise<void> => {
    leaving = true;
    await close();
    const parley = await composed?.catch(() => undefined);
    await parley?.updates.leave();
    if (startAgain) startAfterwards();
    app.exit(exitCode);
  };
  const end = async (sentence: string): Promise<void> => {
    exitCode = 1;
    const reached = open ? 'opened' : 'unopened';
    // Who has quit meanwhile wants no Parley, whatever broke on the way.
    const restart = leaving ? undefined : restartArguments(process.argv, Date.now(), reached);
    if (restart === undefined) {
      // Nothing is heard or recorded any more while the sentence is read.
      await Promise.all([showFailure(sentence), close()]);
    } else {
      if (!open) log.write('error', sentence);
      log.write('error', 'Parley starts itself anew, because of the faults before this line');
      // Until it is held the talk is only what a crash would leave of it.
      const enough = new AbortController();
      const late = rest(keepWithinMs, undefined, { signal: enough.signal }).catch(() => undefined);
      await Promise.race([keepTalk(), late]);
      enough.abort();
      await close();
      app.relaunch({ args: [...restart] });
    }
    app.exit(exitCode);
  };
  // What is closed on the way breaks what was still under way, and that is no second failure.
  let failing: Promise<void> | undefined;
  const fail = (sentence: string): Promise<void> => (failing ??= end(sentence));
  app.on('window-all-closed', () => {
    app.quit();
  });
  leaveInTime({ lastWayOut, leave });
  endWithStarter(() => {
    app.quit();
  });
  const opened = (): void => {
    open = true;
    begun.done();
  };
  startDesktop(around, core, opened).catch((error: unknown) =>
    fail(`Parley could not open its window: ${describeError(error)}`),
  );
  return { fail, isOpen: () => open };
}

/** A page has that long to put away what was typed a moment before. */
const pagesMs = 1500;

interface Leaving {
  /** From the first moment on: ends the process from outside, whatever holds it up. */
  readonly lastWayOut: () => void;
  /** Closes what is open, and leaves. */
  readonly leave: () => Promise<void>;
}

/**
 * Quitting, by whatever way it is asked for (the menu, the last window, SIGTERM): no page that does
 * not answer, and nothing else that hangs, keeps the process.
 */
function leaveInTime({ lastWayOut, leave }: Leaving): void {
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
