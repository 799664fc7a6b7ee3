import type { About, PartName } from '../../shared/app/program.ts';
import { done, failure, type Outcome } from '../../shared/errors/app-error.ts';
import type { LogHandlers, ProgramHandlers, WindowHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { AppWindows } from '../../shared/ports/desktop.ts';
import type { DataFolder, OpenFolder } from '../../shared/ports/files.ts';
import type { NativeParts } from '../../shared/ports/native-libraries.ts';

interface Deps {
  readonly about: About;
  readonly clock: Clock;
  readonly nativeParts: NativeParts;
  readonly notices: { readonly post: PostNotice };
}

/** What this Parley is made of, and whether its native parts load. */
export function createAboutHandlers(deps: Deps): ProgramHandlers {
  const { about, clock, nativeParts, notices } = deps;

  async function checkPart(part: PartName): Promise<void> {
    const began = clock.now();
    const state = await nativeParts.load(part);
    notices.post('partChecked', { part, milliseconds: clock.now() - began, ...state });
  }

  return {
    about: () => about,
    checkParts: ({ parts }) => {
      const wanted = new Set(parts);
      // Not awaited: each result is its own notice, and a port's load never rejects.
      for (const part of wanted) void checkPart(part);
      return { checking: wanted.size };
    },
  };
}

/** What the requests about the program's own windows do; without any there is nothing to show. */
export function createWindowHandlers(windows: AppWindows | undefined): WindowHandlers {
  const act = (does: (own: AppWindows) => void) => (): Outcome<undefined> => {
    if (windows === undefined) return failure('noWindows');
    does(windows);
    return done;
  };
  return {
    windows: () => windows?.shown(),
    showMini: act(({ showMini }) => showMini()),
    closeMini: act(({ closeMini }) => closeMini()),
    showMain: act(({ showMain, closeMini }) => {
      showMain();
      // Who asks for the large window has no more need of the small one.
      closeMini();
    }),
    quit: act(({ quit }) => quit()),
  };
}

interface LogHandlersDeps {
  readonly folder: DataFolder;
  /** None where a host has nothing to show a folder in. */
  readonly open: OpenFolder | undefined;
}

/** What the requests about the log do. */
export function createLogHandlers({ folder, open }: LogHandlersDeps): LogHandlers {
  return {
    showLogs: async () => {
      // Nothing may have been worth an entry yet.
      const made = await folder.make();
      if (!made.ok) return made;
      return { path: folder.path, opened: (await open?.(folder.path)) ?? false };
    },
  };
}
