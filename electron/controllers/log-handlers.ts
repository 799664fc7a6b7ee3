import { unwrap } from '../ipc/request-refused-error.ts';
import type { DataFolder } from '../ports/files.ts';
import type { OpenFolder } from '../ports/open-folder.ts';
import type { LogHandlers } from './controller-handlers.ts';

interface Deps {
  readonly folder: DataFolder;
  /** None where a host has nothing to show a folder in. */
  readonly open: OpenFolder | undefined;
}

/** What the requests about the log do. */
export function createLogHandlers({ folder, open }: Deps): LogHandlers {
  return {
    showLogs: async () => {
      // Nothing may have been worth an entry yet.
      unwrap(await folder.make());
      return { path: folder.path, opened: (await open?.(folder.path)) ?? false };
    },
  };
}
