import { Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import type { TrayAction, TrayItem, TrayModel } from './tray-model.ts';
import type { TrayChoice, TrayPicker } from './tray-pickers.ts';

export interface TrayActions {
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
