type Listener<Event> = (event: Event) => void;

/** Listeners of an event. If one throws, the others still run. The error goes to `onError`, or stays unhandled. */
export class Listeners<Event> {
  readonly #listeners = new Map<number, Listener<Event>>();
  #count = 0;
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void = reportUnhandled) {
    this.#onError = onError;
  }

  /** Returns a function that removes the listener. A listener added twice is called twice. */
  add(listener: Listener<Event>): () => void {
    this.#count += 1;
    const number = this.#count;
    this.#listeners.set(number, listener);
    return () => {
      this.#listeners.delete(number);
    };
  }

  clear(): void {
    this.#listeners.clear();
  }

  emit(event: Event): void {
    const newest = this.#count;
    for (const [number, listener] of this.#listeners) {
      // A listener added during this event gets only later events.
      if (number <= newest) callListener(listener, event, this.#onError);
    }
  }
}

/** Calls a listener. An error that it throws does not reach the caller. */
export function callListener<Event>(
  listener: Listener<Event>,
  event: Event,
  onError: (error: unknown) => void = reportUnhandled,
): void {
  try {
    listener(event);
  } catch (error) {
    onError(error);
  }
}

/** Rethrows asynchronously, so that the error stays visible without stopping the caller. */
async function throwLater(fault: unknown): Promise<never> {
  await Promise.resolve();
  throw fault;
}

function reportUnhandled(fault: unknown): void {
  void throwLater(fault);
}
