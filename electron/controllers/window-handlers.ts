import { appError } from '../../shared/errors/app-error.ts';
import { RequestRefusedError } from '../ipc/request-refused-error.ts';
import type { AppWindows } from '../ports/app-windows.ts';
import type { WindowHandlers } from './controller-handlers.ts';

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
