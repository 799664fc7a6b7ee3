import type { TFunction } from 'i18next';
import type { LucideIcon } from 'lucide-react';
import type { WindowKeyName } from '../../../shared/settings/key-settings.ts';
import { windowKeySigns, withCommandKey } from '../../keys/window-keys.ts';
import type { Actions } from '../../store/actions.ts';
import { windowKeysOf } from '../../store/page-style.ts';
import type { UiState } from '../../store/ui-state.ts';

/** What belongs together, in the order in which it stands where nothing was typed. */
export const paletteGroups = [
  'replay',
  'talk',
  'places',
  'chats',
  'servers',
  'sound',
  'voices',
  'looks',
  'examples',
  'program',
  'settings',
] as const;

export type PaletteGroup = (typeof paletteGroups)[number];

export interface PaletteCommand {
  readonly group: PaletteGroup;
  readonly icon: LucideIcon;
  /** Of its own: it is known by it. */
  readonly name: string;
  /** Other words by which it may be looked for. */
  readonly also?: string;
  readonly keys?: string;
  /** There are many of its kind: it is offered to those only who look for it. */
  readonly sought?: true;
  /** What it does is not to be seen where the person is: it is said that it was done. */
  readonly tells?: true;
  readonly run: () => void;
}

/** What commands are made of. */
export interface PaletteContext {
  readonly view: UiState;
  readonly actions: Actions;
  readonly t: TFunction;
}

/** The first key that does it, where one does. */
export function keysOf(
  { view, t }: PaletteContext,
  name: WindowKeyName,
): Pick<PaletteCommand, 'keys'> {
  const names = t('keys', { returnObjects: true });
  const [keys] = windowKeySigns(windowKeysOf(view), name, names, platformNow());
  return keys === undefined ? {} : { keys };
}

/** With Control, or Command where there is one. */
export function commandKey(key: string): string {
  return withCommandKey(platformNow(), key);
}

function platformNow(): string {
  return globalThis.navigator?.platform ?? '';
}
