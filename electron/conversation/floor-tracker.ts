import type { Floor } from '../../shared/talk/talk-controls.ts';

/** Emits who has the floor when that changes. */
export class FloorTracker {
  readonly #emit: (floor: Floor) => void;
  #floor: Floor = 'nobody';

  constructor(emit: (floor: Floor) => void) {
    this.#emit = emit;
  }

  update(you: boolean, parley: boolean): void {
    const floor = floorOf(you, parley);
    if (floor === this.#floor) return;
    this.#floor = floor;
    this.#emit(floor);
  }
}

function floorOf(you: boolean, parley: boolean): Floor {
  if (you) return parley ? 'both' : 'you';
  return parley ? 'parley' : 'nobody';
}
