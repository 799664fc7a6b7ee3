type Listener<Event> = (event: Event) => void;

/**
 * Those who want to hear of something. One that throws harms neither the others nor who tells: its
 * error goes to `failed`, or comes up as an unhandled rejection.
 */
export class Listeners<Event> {
  readonly #listeners = new Map<number, Listener<Event>>();
  #count = 0;
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void = raiseLater) {
    this.#failed = failed;
  }

  /** Until the returned function is called. Who is given twice hears twice. */
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
      // Who comes because of this event hears the next one.
      if (number <= newest) tellSafely(listener, event, this.#failed);
    }
  }
}

/** The same for one alone, on whom what comes after must not depend. */
export function tellSafely<Event>(
  listener: Listener<Event>,
  event: Event,
  failed: (error: unknown) => void = raiseLater,
): void {
  try {
    listener(event);
  } catch (error) {
    failed(error);
  }
}

/** Out of the way of who tells, and still seen. */
async function raise(fault: unknown): Promise<never> {
  await Promise.resolve();
  throw fault;
}

function raiseLater(fault: unknown): void {
  void raise(fault);
}
