import type { About, PartName, NativeParts } from '../../shared/app/program.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { LogHandlers, ProgramHandlers, WindowHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { AppWindows } from '../../shared/ports/desktop.ts';
import type { DataFolder, OpenFolder } from '../../shared/ports/files.ts';

interface Deps {
  readonly about: About;
  readonly clock: Clock;
  readonly nativeParts: NativeParts;
  readonly notices: { readonly post: PostNotice };
}

/** Answers requests about Parley's version and whether its native parts load. */
export function createAboutHandlers(deps: Deps): ProgramHandlers {
  const { about, clock, nativeParts, notices } = deps;

  async function checkPart(part: PartName): Promise<void> {
    const startedAt = clock.now();
    const state = await nativeParts.load(part);
    notices.post('partChecked', { part, milliseconds: clock.now() - startedAt, ...state });
  }

  return {
    about: () => about,
    checkParts: ({ parts }) => {
      const uniqueParts = new Set(parts);
      // Not awaited: each result is posted as a notice, and `load` never rejects.
      for (const part of uniqueParts) void checkPart(part);
      return { checking: uniqueParts.size };
    },
  };
}

/** Answers requests about the app's windows, which only the desktop host has. */
export function createWindowHandlers(windows: AppWindows | undefined): WindowHandlers {
  const act = (action: (windows: AppWindows) => void) => (): Outcome<undefined> => {
    if (windows === undefined) return failure('noWindows');
    action(windows);
    return done;
  };
  return {
    windows: () => windows?.shown(),
    showMini: act(({ showMini }) => showMini()),
    closeMini: act(({ closeMini }) => closeMini()),
    showMain: act(({ showMain, closeMini }) => {
      showMain();
      // The main window replaces the mini window.
      closeMini();
    }),
    quit: act(({ quit }) => quit()),
  };
}

interface LogHandlersDeps {
  readonly folder: DataFolder;
  /** Undefined if the host cannot show folders. */
  readonly open: OpenFolder | undefined;
}

export function createLogHandlers({ folder, open }: LogHandlersDeps): LogHandlers {
  return {
    showLogs: async () => {
      // The folder does not exist before the first entry.
      const made = await folder.make();
      if (!made.ok) return made;
      return { path: folder.path, opened: (await open?.(folder.path)) ?? false };
    },
  };
}
