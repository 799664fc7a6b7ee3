import type { Floor } from '../../shared/talk/talk-controls.ts';

/** Tells who speaks when that changes. */
export class FloorWatch {
  readonly #tell: (floor: Floor) => void;
  #floor: Floor = 'nobody';

  constructor(tell: (floor: Floor) => void) {
    this.#tell = tell;
  }

  look(you: boolean, parley: boolean): void {
    const floor = floorOf(you, parley);
    if (floor === this.#floor) return;
    this.#floor = floor;
    this.#tell(floor);
  }
}

function floorOf(you: boolean, parley: boolean): Floor {
  if (you) return parley ? 'both' : 'you';
  return parley ? 'parley' : 'nobody';
}
