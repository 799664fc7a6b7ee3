/** So often it is looked whether the helper has said anything. */
const every = 700;
/** And so often in a row it may have said nothing: one that is late because we were busy is no fault of its own. */
const maxSilent = 3;

/** Notices a helper that says nothing any more while its key is down. */
export class HeldKeyWatch {
  readonly #silent: () => void;
  #timer: NodeJS.Timeout | undefined;
  #silentTimes = 0;

  constructor(silent: () => void) {
    this.#silent = silent;
  }

  /** The key is down, as the helper just said, once or again. */
  heard(): void {
    this.#silentTimes = 0;
    this.#timer ??= setInterval(() => {
      this.#look();
    }, every);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    this.#silentTimes += 1;
    if (this.#silentTimes < maxSilent) return;
    this.end();
    this.#silent();
  }
}
