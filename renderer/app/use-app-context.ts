import { createContext, use, useSyncExternalStore } from 'react';
import type { Actions } from './actions.ts';
import type { AppContext } from './app-context.ts';
import type { UiState } from './ui-state.ts';

export const AppReactContext = createContext<AppContext | undefined>(undefined);

export function useAppContext(): AppContext {
  const app = use(AppReactContext);
  if (app === undefined) throw new Error('A screen was rendered outside AppReactContext.');
  return app;
}

export function useActions(): Actions {
  return useAppContext().actions;
}

/** Selects a part of the UI state. It must not create objects, or every change renders. */
export function useUiState<Part>(selector: (view: UiState) => Part): Part {
  const { store } = useAppContext();
  const snapshot = (): Part => selector(store.getState());
  return useSyncExternalStore(store.subscribe, snapshot, snapshot);
}
