/** A value that changes, and whoever wants to know. */
export interface Store<View> {
  readonly view: () => View;
  readonly change: (part: Partial<View>) => void;
  readonly subscribe: (changed: () => void) => () => void;
}

export function createStore<View extends object>(first: View): Store<View> {
  let view = first;
  const subscribers = new Set<() => void>();
  return {
    view: () => view,
    change: (part) => {
      view = { ...view, ...part };
      for (const changed of subscribers) changed();
    },
    subscribe: (changed) => {
      subscribers.add(changed);
      return () => {
        subscribers.delete(changed);
      };
    },
  };
}
