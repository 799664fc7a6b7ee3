interface Speaking {
  readonly person: boolean;
  /** Its voice is heard, or more of the answer is still to be. */
  readonly parley: boolean;
  /** Something of an answer has come, and its end has not. */
  readonly answering: boolean;
}

/** Whoever has said something and hears nothing for so long is not waiting for an answer any more. */
const unansweredMs = 8000;

/** How long nobody has spoken, and nobody waits for an answer. */
export class QuietMoment {
  #since: number | undefined;
  #personSpokeAt = -Infinity;
  #parleySpokeAt = -Infinity;

  /** The milliseconds of quiet until now. */
  update({ person, parley, answering }: Speaking, now: number): number {
    if (person) this.#personSpokeAt = now;
    if (parley) this.#parleySpokeAt = now;
    const waits =
      this.#personSpokeAt > this.#parleySpokeAt && now - this.#personSpokeAt < unansweredMs;
    if (person || parley || answering || waits) this.#since = undefined;
    else this.#since ??= now;
    return this.#since === undefined ? 0 : now - this.#since;
  }
}
