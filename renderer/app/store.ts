import { Listeners } from '../../shared/listeners.ts';

export interface Store<State> {
  readonly getState: () => State;
  readonly setState: (part: Partial<State>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<State extends object>(first: State): Store<State> {
  let state = first;
  const subscribers = new Listeners<undefined>();
  return {
    getState: () => state,
    setState: (part) => {
      state = { ...state, ...part };
      subscribers.emit(undefined);
    },
    subscribe: (listener) => subscribers.add(listener),
  };
}
