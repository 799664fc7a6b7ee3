import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { RequestInput, RequestName } from '../../../shared/ipc/contract.ts';
import type { TrayClickChoice } from '../../../shared/settings/app-settings.ts';
import type { Parley } from '../../app/compose-parley.ts';
import type { TrayAction, TrayChoice, TrayItem, TrayModel, TrayPicker } from './tray-model.ts';

interface TrayActions {
  readonly act: (action: TrayAction) => void;
  readonly choose: (choice: TrayChoice) => void;
}

interface Shown extends Pick<TrayModel, 'status' | 'menu'> {
  readonly pickers: readonly TrayPicker[];
}

const line = { type: 'separator' } as const;

/** The tray's menu: how it stands, what can be done with a talk, what can be chosen, the windows, the end. */
export function trayMenu({ status, menu, pickers }: Shown, actions: TrayActions): Menu {
  const [first = [], ...others] = menu;
  return Menu.buildFromTemplate([
    { label: plain(status), enabled: false },
    line,
    ...first.map((item) => itemOf(item, actions)),
    line,
    ...pickers.map((picker) => submenuOf(picker, actions)),
    ...others.flatMap((group) => groupOf(group, actions)),
  ]);
}

function groupOf(
  group: readonly TrayItem[],
  actions: TrayActions,
): readonly MenuItemConstructorOptions[] {
  const items: MenuItemConstructorOptions[] = [line];
  return items.concat(group.map((item) => itemOf(item, actions)));
}

function itemOf(
  { action, label, enabled, checked }: TrayItem,
  { act }: TrayActions,
): MenuItemConstructorOptions {
  return {
    id: action,
    label,
    enabled,
    ...(checked === undefined ? {} : { type: 'checkbox', checked }),
    click: () => {
      act(action);
    },
  };
}

function submenuOf(
  { of, label, otherwise, entries }: TrayPicker,
  { choose }: TrayActions,
): MenuItemConstructorOptions {
  const empty: MenuItemConstructorOptions = { label: otherwise, enabled: false };
  return {
    id: of,
    label,
    submenu:
      entries.length === 0
        ? [empty]
        : entries.map((entry): MenuItemConstructorOptions => ({
            label: plain(entry.label),
            ...(entry.chosen === undefined ? {} : { type: 'radio', checked: entry.chosen }),
            click: () => {
              choose(entry.choice);
            },
          })),
  };
}

/** Menus take a single ampersand for the mark of a key. */
function plain(label: string): string {
  return label.replaceAll('&', '&&');
}

type Core = Pick<Parley, 'answer' | 'notices'> & {
  readonly talk: Pick<Parley['talk'], 'view'>;
};

/** Of the program's windows, what the tray shows and hides. */
export interface TrayWindows {
  readonly showMain: () => void;
  readonly toggleMain: () => void;
  readonly showMini: () => void;
}

/** By the same requests as the pages'; what cannot be done is said in the window. */
export function createTrayActions(
  parley: Core,
  windows: TrayWindows,
): TrayActions & { readonly click: (click: TrayClick) => void } {
  const ask = async <Name extends RequestName>(
    name: Name,
    input: RequestInput<Name>,
  ): Promise<void> => {
    const reply = await parley.answer(name, input);
    if (reply.ok) return;
    windows.showMain();
    parley.notices.post('talkTrouble', reply.error);
  };
  const actions: Readonly<Record<TrayAction, () => void | Promise<void>>> = {
    start: () => ask('startTalk', { mode: 'audio' }),
    continue: () => ask('continueTalk', { carry: 'transcript' }),
    end: () => ask('endTalk', undefined),
    talkKey: () => ask('talkKey', { key: 'toggle' }),
    interrupt: () => ask('interruptTalk', undefined),
    mute: () => ask('setMuted', { muted: true }),
    unmute: () => ask('setMuted', { muted: false }),
    keepRecent: () => ask('keepRecent', undefined),
    pause: () => ask('setPaused', { paused: true }),
    resume: () => ask('setPaused', { paused: false }),
    showMain: windows.showMain,
    showMini: windows.showMini,
    quit: () => {
      app.quit();
    },
  };
  const act = (action: TrayAction): void => {
    void actions[action]();
  };

  /** One that was deleted meanwhile is said to be gone, where all others are. */
  const openRecent = async (id: string): Promise<void> => {
    const reply = await parley.answer('openChat', { id });
    windows.showMain();
    parley.notices.post('placeWanted', { screen: 'chat' });
    if (!reply.ok) parley.notices.post('chatProblem', reply.error);
  };
  const choose = (choice: TrayChoice): void => {
    if (choice.of === 'recent') void openRecent(choice.id);
    else if (choice.of === 'mode') {
      void ask('changeSettings', { talking: { mode: choice.mode } });
    } else void ask('changeSettings', { audio: { [choice.of]: choice.device } });
  };

  const startOrEnd = (): void => {
    const { phase } = parley.talk.view.state;
    if (phase !== 'ending') act(phase === 'idle' || phase === 'ended' ? 'start' : 'end');
  };
  const clicks: Readonly<Record<TrayClick, () => void>> = {
    toggleMain: windows.toggleMain,
    showMini: windows.showMini,
    talkKey: () => {
      // With an open microphone there is nothing that it opens; whoever set this wants to talk or to be silent.
      const { muted, talking } = parley.talk.view.controls;
      if (talking === 'open') act(muted ? 'unmute' : 'mute');
      else act('talkKey');
    },
    mute: () => {
      act(parley.talk.view.controls.muted ? 'unmute' : 'mute');
    },
    startOrEnd,
    nothing: () => undefined,
    menu: () => undefined,
  };
  return {
    act,
    choose,
    click: (click) => {
      clicks[click]();
    },
  };
}

/** What a click comes to once it is known what is usual here; `menu` is opened by the system. */
type TrayClick = Exclude<TrayClickChoice, 'usual'> | 'menu';

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
