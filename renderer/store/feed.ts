/** What comes many times a second goes straight to what paints it, past the store and React. */
export interface Feed<Told> {
  readonly subscribe: (hear: (told: Told) => void) => () => void;
  readonly tell: (told: Told) => void;
}

export function createFeed<Told>(): Feed<Told> {
  const listeners = new Set<(told: Told) => void>();
  return {
    subscribe: (hear) => {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
    tell: (told) => {
      for (const hear of listeners) hear(told);
    },
  };
}
