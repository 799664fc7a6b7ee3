import type { UpdateOffer } from '../../shared/updates/judge-update.ts';
import type { UpdateStep } from '../../shared/updates/update-view.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { RunningUpdateStep, UpdatePlace, UpdateSource } from '../ports/updates.ts';

interface LayingOut {
  readonly source: UpdateSource;
  readonly place: UpdatePlace;
  readonly offer: UpdateOffer;
  readonly show: (step: UpdateStep) => void;
}

/** Less of it than that is not shown. */
const shownPart = 0.01;

/** One step at a time, which can be stopped. */
export class UpdateRun {
  #stop: (() => void) | undefined;

  get isBusy(): boolean {
    return this.#stop !== undefined;
  }

  readonly stop = (): void => {
    this.#stop?.();
  };

  /** Nothing where it was stopped. */
  async of<Value>(step: RunningUpdateStep<Value>): Promise<Outcome<Value> | undefined> {
    let stopped = false;
    this.#stop = () => {
      stopped = true;
      step.stop();
    };
    const outcome = await step.done;
    this.#stop = undefined;
    return stopped ? undefined : outcome;
  }

  /** From an offer to a version that lies beside this one, and was tried. */
  async layOut({ source, place, offer, show }: LayingOut): Promise<Outcome<undefined> | undefined> {
    const { version, notes } = offer;
    let shown = 0;
    show({ kind: 'fetching', part: 0, version, notes });
    const fetched = await this.of(
      source.fetch(offer, (part) => {
        if (part - shown < shownPart) return;
        shown = part;
        show({ kind: 'fetching', part, version, notes });
      }),
    );
    if (fetched?.ok !== true) return fetched;
    show({ kind: 'preparing', version, notes });
    const prepared = await this.of(place.prepare(fetched.value, version));
    // It has its place, or is of no use; one that was stopped is unpacked once more.
    if (prepared !== undefined) await source.clear();
    return prepared;
  }
}
