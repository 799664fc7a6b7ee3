import type { TrayClickChoice } from '../../../shared/settings/desktop-settings.ts';

/** What a click comes to once it is known what is usual here; `menu` is opened by the system. */
export type TrayClick = Exclude<TrayClickChoice, 'usual'> | 'menu';

interface Deps {
  readonly choice: (click: 'single' | 'double') => TrayClick;
  readonly run: (click: TrayClick) => void;
  /** Calls back after so many milliseconds, unless the returned function is called before. */
  readonly after: (milliseconds: number, due: () => void) => () => void;
}

/** As long as systems wait for the second click. */
export const doubleClickMs = 330;

/**
 * Tells one click from two. Linux reports two single clicks, Windows a single one and then a double one;
 * where a double click does nothing, a single one need not wait for it.
 */
export class TrayClicks {
  readonly #deps: Deps;
  #stopWaiting: (() => void) | undefined;
  /** Of Windows, which reports the second click once more as a single one. */
  #ignoring = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly click = (): void => {
    const { choice, run, after } = this.#deps;
    if (this.#ignoring) return;
    if (this.#stopWaiting !== undefined) {
      this.doubleClick();
      return;
    }
    if (choice('double') === 'nothing') {
      run(choice('single'));
      return;
    }
    this.#stopWaiting = after(doubleClickMs, () => {
      this.#stopWaiting = undefined;
      run(choice('single'));
    });
  };

  readonly doubleClick = (): void => {
    const { choice, run, after } = this.#deps;
    if (this.#ignoring || choice('double') === 'nothing') return;
    this.end();
    this.#ignoring = true;
    this.#stopWaiting = after(doubleClickMs, () => {
      this.#stopWaiting = undefined;
      this.#ignoring = false;
    });
    run(choice('double'));
  };

  end(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }
}

/** On macOS a click on an icon opens its menu; elsewhere it brings the window, or takes it away. */
export function defaultTrayClick(choice: TrayClickChoice, platform: NodeJS.Platform): TrayClick {
  if (choice !== 'usual') return choice;
  return platform === 'darwin' ? 'menu' : 'toggleMain';
}
