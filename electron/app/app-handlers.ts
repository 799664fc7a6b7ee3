import type { About, NativeLibraryName, NativeLibraries } from '../../shared/app/program.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { LogHandlers, ProgramHandlers, WindowHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { AppWindows } from '../../shared/ports/desktop.ts';
import type { DataFolder, OpenFolder } from '../../shared/ports/files.ts';

interface Deps {
  readonly about: About;
  readonly clock: Clock;
  readonly nativeLibraries: NativeLibraries;
  readonly notices: { readonly post: PostNotice };
}

export function createAboutHandlers(deps: Deps): ProgramHandlers {
  const { about, clock, nativeLibraries, notices } = deps;

  async function checkLibrary(library: NativeLibraryName): Promise<void> {
    const startedAt = clock.now();
    const state = await nativeLibraries.load(library);
    notices.post('libraryChecked', { library, milliseconds: clock.now() - startedAt, ...state });
  }

  return {
    about: () => about,
    checkLibraries: ({ libraries }) => {
      const unique = new Set(libraries);
      // Not awaited: each result is posted as a notice, and `load` never rejects.
      for (const library of unique) void checkLibrary(library);
      return { checking: unique.size };
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
