import { createContext, use, useSyncExternalStore } from 'react';
import type { Actions } from './actions.ts';
import type { Desk } from './join-bridge.ts';
import type { View } from './view.ts';

export const DeskContext = createContext<Desk | undefined>(undefined);

export function useDesk(): Desk {
  const desk = use(DeskContext);
  if (desk === undefined) throw new Error('A screen stands outside of the DeskContext.');
  return desk;
}

export function useActions(): Actions {
  return useDesk().actions;
}

/**
 * One part of the view. The component is rendered again when that part is another one, and not
 * when anything else has changed; so pick what stays the same value, and build nothing new.
 */
export function useView<Part>(pick: (view: View) => Part): Part {
  const { store } = useDesk();
  const now = (): Part => pick(store.view());
  return useSyncExternalStore(store.subscribe, now, now);
}
