import type { StateFile } from '../../ports/files.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bounds extends Size {
  readonly x: number;
  readonly y: number;
}

/** Where a window goes; without a place the system chooses one. */
export type Place = Size | Bounds;

type Places = Readonly<Record<string, Bounds>>;

/** So much of a window has to be on a screen that a hand can take it. */
const grip = 64;
const margin = 24;

/** Where the windows were, kept from one run to the next. */
export class WindowPlaces {
  readonly #file: StateFile;
  #places: Places;

  constructor(file: StateFile) {
    this.#file = file;
    const kept = file.read();
    this.#places = kept.ok ? readPlaces(kept.value) : {};
  }

  get(name: string): Bounds | undefined {
    return this.#places[name];
  }

  put(name: string, bounds: Bounds): void {
    const { x, y, width, height } = bounds;
    this.#places = { ...this.#places, [name]: { x, y, width, height } };
  }

  /** What went wrong, in a sentence; a place that is lost is no more than a nuisance. */
  async write(): Promise<string | undefined> {
    const written = await this.#file.write(`${JSON.stringify(this.#places)}\n`);
    return written.ok ? undefined : written.problem;
  }
}

/** What is no place is left out. */
export function readPlaces(text: string | undefined): Places {
  try {
    const kept: unknown = JSON.parse(text ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept as Readonly<Record<string, unknown>>).filter(
        (entry): entry is [string, Bounds] => isBounds(entry[1]),
      ),
    );
  } catch {
    return {};
  }
}

/** Where it was, as long as that is on a screen that is still there, and no larger than the screen. */
export function placeAgain(
  kept: Bounds | undefined,
  usual: Size,
  screens: readonly Bounds[],
): Place {
  const screen = kept === undefined ? undefined : screens.find((area) => isWithReach(kept, area));
  if (kept === undefined || screen === undefined) return usual;
  return {
    x: kept.x,
    y: kept.y,
    width: Math.min(kept.width, screen.width),
    height: Math.min(kept.height, screen.height),
  };
}

/** At the lower right, out of the way of most things. */
export function inCorner({ width, height }: Size, screen: Bounds): Bounds {
  return {
    x: screen.x + Math.max(0, screen.width - width - margin),
    y: screen.y + Math.max(0, screen.height - height - margin),
    width,
    height,
  };
}

function isWithReach(window: Bounds, area: Bounds): boolean {
  const right = Math.min(window.x + window.width, area.x + area.width);
  const across = right - Math.max(window.x, area.x);
  const fromTop = window.y - area.y;
  return across >= grip && fromTop >= 0 && fromTop <= area.height - grip;
}

function isBounds(value: unknown): value is Bounds {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['x', 'y', 'width', 'height'].map((name): unknown => Reflect.get(value, name));
  return (
    numbers.every((number) => Number.isSafeInteger(number)) &&
    numbers.slice(2).every((number) => Number(number) > 0)
  );
}
