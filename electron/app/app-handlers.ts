import type { About, PartName } from '../../shared/app/program.ts';
import { appError } from '../../shared/errors/app-error.ts';
import type { LogHandlers, ProgramHandlers, WindowHandlers } from '../../shared/ipc/app-ipc.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import { RequestRefusedError, unwrap } from '../../shared/ipc/reply.ts';
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
  const own = (): AppWindows => {
    if (windows === undefined) throw new RequestRefusedError(appError('noWindows'));
    return windows;
  };
  return {
    windows: () => windows?.shown(),
    showMini: () => {
      own().showMini();
    },
    closeMini: () => {
      own().closeMini();
    },
    showMain: () => {
      own().showMain();
      // Who asks for the large window has no more need of the small one.
      own().closeMini();
    },
    quit: () => {
      own().quit();
    },
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
      unwrap(await folder.make());
      return { path: folder.path, opened: (await open?.(folder.path)) ?? false };
    },
  };
}
