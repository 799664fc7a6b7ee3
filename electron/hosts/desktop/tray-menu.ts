import { app, Menu, type MenuItemConstructorOptions } from 'electron';
import type { NamedRequest } from '../../../shared/ipc/contract.ts';
import type { TrayClickChoice } from '../../../shared/settings/app-settings.ts';
import type { PageSettingsPatch } from '../../../shared/settings/settings.ts';
import type { DesktopCore } from './desktop-core.ts';
import type { DesktopWindows } from './desktop-windows.ts';
import type { TrayAction, TrayChoice, TrayItem, TrayModel, TrayPicker } from './tray-items.ts';

interface TrayContent extends Pick<TrayModel, 'status' | 'menu'> {
  readonly pickers: readonly TrayPicker[];
}

const separator = { type: 'separator' } as const;

export function trayMenu({ status, menu, pickers }: TrayContent, actions: TrayActions): Menu {
  const [talkItems = [], ...otherGroups] = menu;
  return Menu.buildFromTemplate([
    { label: escapeAmpersands(status), enabled: false },
    separator,
    ...talkItems.map((item) => buildItem(item, actions)),
    separator,
    ...pickers.map((picker) => buildSubmenu(picker, actions)),
    ...otherGroups.flatMap((group) => buildGroup(group, actions)),
  ]);
}

function buildGroup(
  group: readonly TrayItem[],
  actions: TrayActions,
): readonly MenuItemConstructorOptions[] {
  const items: MenuItemConstructorOptions[] = [separator];
  return items.concat(group.map((item) => buildItem(item, actions)));
}

function buildItem(
  { action, label, enabled, checked }: TrayItem,
  actions: TrayActions,
): MenuItemConstructorOptions {
  return {
    id: action,
    label,
    enabled,
    ...(checked === undefined ? {} : { type: 'checkbox', checked }),
    click: () => actions.act(action),
  };
}

function buildSubmenu(
  { kind, label, emptyLabel, entries }: TrayPicker,
  actions: TrayActions,
): MenuItemConstructorOptions {
  const empty: MenuItemConstructorOptions = { label: emptyLabel, enabled: false };
  return {
    id: kind,
    label,
    submenu:
      entries.length === 0
        ? [empty]
        : entries.map((entry): MenuItemConstructorOptions => ({
            label: escapeAmpersands(entry.label),
            ...(entry.chosen === undefined ? {} : { type: 'radio', checked: entry.chosen }),
            click: () => actions.choose(entry.choice),
          })),
  };
}

/** Menus read a single ampersand as a mnemonic. */
function escapeAmpersands(label: string): string {
  return label.replaceAll('&', '&&');
}

type Core = Pick<DesktopCore, 'answer' | 'notices'> & {
  readonly talk: Pick<DesktopCore['talk'], 'view'>;
};

export type TrayWindows = Pick<DesktopWindows, 'showMain' | 'toggleMain' | 'showMini'>;

/** The request that each entry sends. The other entries show windows or quit. */
const requests: Readonly<
  Record<Exclude<TrayAction, 'showMain' | 'showMini' | 'quit'>, NamedRequest>
> = {
  start: { name: 'startTalk', input: { mode: 'audio' } },
  continue: { name: 'continueTalk', input: { carry: 'transcript' } },
  end: { name: 'endTalk', input: undefined },
  talkKey: { name: 'talkKey', input: { key: 'toggle' } },
  interrupt: { name: 'interruptTalk', input: undefined },
  mute: { name: 'setMuted', input: { muted: true } },
  unmute: { name: 'setMuted', input: { muted: false } },
  keepRecent: { name: 'keepRecent', input: undefined },
  pause: { name: 'setPaused', input: { paused: true } },
  resume: { name: 'setPaused', input: { paused: false } },
  pauseModel: { name: 'pauseModel', input: undefined },
  quickAsk: { name: 'openQuick', input: {} },
  downloadModel: { name: 'downloadModel', input: undefined },
};

/** Runs menu entries and clicks. Sends the same requests as pages, and the window shows failures. */
export class TrayActions {
  readonly #parley: Core;
  readonly #windows: TrayWindows;

  constructor(parley: Core, windows: TrayWindows) {
    this.#parley = parley;
    this.#windows = windows;
  }

  act(action: TrayAction): void {
    if (action === 'quit') app.quit();
    else if (action === 'showMain' || action === 'showMini') this.#windows[action]();
    else void this.#ask(requests[action]);
  }

  choose(choice: TrayChoice): void {
    if (choice.kind === 'recent') void this.#openRecent(choice.id);
    else if (choice.kind === 'mode') this.#change({ talking: { mode: choice.mode } });
    else this.#change({ audio: { [choice.kind]: choice.device } });
  }

  click(click: TrayClick): void {
    const { state, controls } = this.#parley.talk.view;
    switch (click) {
      case 'toggleMain':
      case 'showMini':
        this.#windows[click]();
        return;
      case 'talkKey':
        // With an open microphone, the talk key does nothing, so the click mutes instead.
        if (controls.talking !== 'open') this.act('talkKey');
        else this.act(controls.muted ? 'unmute' : 'mute');
        return;
      case 'mute':
        this.act(controls.muted ? 'unmute' : 'mute');
        return;
      case 'startOrEnd':
        if (state.phase === 'ending') return;
        this.act(state.phase === 'idle' || state.phase === 'ended' ? 'start' : 'end');
        return;
      case 'nothing':
      case 'menu':
    }
  }

  #change(input: PageSettingsPatch): void {
    void this.#ask({ name: 'changeSettings', input });
  }

  async #ask({ name, input }: NamedRequest): Promise<void> {
    const reply = await this.#parley.answer(name, input);
    if (reply.ok) return;
    this.#windows.showMain();
    this.#parley.notices.post('talkTrouble', reply.error);
  }

  /** Opens a chat. If it was deleted meanwhile, the chat screen reports that. */
  async #openRecent(id: string): Promise<void> {
    const reply = await this.#parley.answer('openChat', { id });
    this.#windows.showMain();
    this.#parley.notices.post('placeWanted', { screen: 'chat' });
    if (!reply.ok) this.#parley.notices.post('chatProblem', reply.error);
  }
}

/** The action of a click, with the platform's default in place of `usual`. The system itself opens the menu. */
type TrayClick = Exclude<TrayClickChoice, 'usual'> | 'menu';

interface Deps {
  readonly choice: (click: 'single' | 'double') => TrayClick;
  readonly run: (click: TrayClick) => void;
  /** Returns a function that cancels the call. */
  readonly after: (milliseconds: number, onDue: () => void) => () => void;
}

/** How long systems wait for a second click. */
export const doubleClickMs = 330;

/**
 * Distinguishes clicks from double clicks. For a double click, Linux reports two clicks, and Windows a click and a double
 * click. If double clicks do nothing, a click runs at once.
 */
export class TrayClicks {
  readonly #deps: Deps;
  #stopWaiting: (() => void) | undefined;
  /** True for a while after a double click, because Windows also reports its second click as a click. */
  #isIgnoring = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly click = (): void => {
    const { choice, run, after } = this.#deps;
    if (this.#isIgnoring) return;
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
    if (this.#isIgnoring || choice('double') === 'nothing') return;
    this.end();
    this.#isIgnoring = true;
    this.#stopWaiting = after(doubleClickMs, () => {
      this.#stopWaiting = undefined;
      this.#isIgnoring = false;
    });
    run(choice('double'));
  };

  end(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }
}

/** Replaces `usual` by the platform's default: the menu on macOS, and elsewhere to show or hide the window. */
export function defaultTrayClick(choice: TrayClickChoice, platform: NodeJS.Platform): TrayClick {
  if (choice !== 'usual') return choice;
  return platform === 'darwin' ? 'menu' : 'toggleMain';
}
