import { createContext, use, useSyncExternalStore } from 'react';
import type { Actions } from './actions.ts';
import type { AppContext } from './app-context.ts';
import type { UiState } from './ui-state.ts';

export const AppReactContext = createContext<AppContext | undefined>(undefined);

export function useAppContext(): AppContext {
  const app = use(AppReactContext);
  if (app === undefined) throw new Error('A screen stands outside of its AppReactContext.');
  return app;
}

export function useActions(): Actions {
  return useAppContext().actions;
}

/**
 * One part of the view. The component is rendered again when that part is another one, and not
 * when anything else has changed; so pick what stays the same value, and build nothing new.
 */
export function useUiState<Part>(selector: (view: UiState) => Part): Part {
  const { store } = useAppContext();
  const snapshot = (): Part => selector(store.getState());
  return useSyncExternalStore(store.subscribe, snapshot, snapshot);
}
