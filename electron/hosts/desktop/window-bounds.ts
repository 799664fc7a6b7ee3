import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../shared/ports/files.ts';

/** Width and height of a window, in points. */
export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

export interface WindowBounds extends WindowSize {
  readonly x: number;
  readonly y: number;
}

/** Where a window goes; without a place the system chooses one. */
export type WindowPlacement = WindowSize | WindowBounds;

type BoundsByWindow = Readonly<Record<string, WindowBounds>>;

/** So much of a window has to be on a screen that a hand can take it. */
const minVisible = 64;
const margin = 24;

/** Where the windows were, stored from one run to the next. */
export class WindowBoundsStore {
  readonly #file: StateFile;
  #places: BoundsByWindow;

  constructor(file: StateFile) {
    this.#file = file;
    const stored = file.read();
    this.#places = stored.ok ? parseWindowBounds(stored.value) : {};
  }

  get(name: string): WindowBounds | undefined {
    return this.#places[name];
  }

  put(name: string, bounds: WindowBounds): void {
    const { x, y, width, height } = bounds;
    this.#places = { ...this.#places, [name]: { x, y, width, height } };
  }

  /** A place that is lost is no more than a nuisance. */
  write(): Promise<Outcome<undefined>> {
    return this.#file.write(`${JSON.stringify(this.#places)}\n`);
  }
}

/** What is no place is left out. */
export function parseWindowBounds(text: string | undefined): BoundsByWindow {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored as Readonly<Record<string, unknown>>).filter(
        (entry): entry is [string, WindowBounds] => isBounds(entry[1]),
      ),
    );
  } catch {
    return {};
  }
}

/** Where it was, as long as that is on a screen that is still there, and no larger than the screen. */
export function restoreBounds(
  stored: WindowBounds | undefined,
  defaultSize: WindowSize,
  screens: readonly WindowBounds[],
): WindowPlacement {
  const screen =
    stored === undefined ? undefined : screens.find((area) => isWithReach(stored, area));
  if (stored === undefined || screen === undefined) return defaultSize;
  return {
    x: stored.x,
    y: stored.y,
    width: Math.min(stored.width, screen.width),
    height: Math.min(stored.height, screen.height),
  };
}

/** The very same bounds while they are in reach; else in the middle of the display that is left, no larger than it. */
export function boundsWithin(
  bounds: WindowBounds,
  screens: readonly WindowBounds[],
  primary: WindowBounds,
): WindowBounds {
  if (screens.some((area) => isWithReach(bounds, area))) return bounds;
  const width = Math.min(bounds.width, primary.width);
  const height = Math.min(bounds.height, primary.height);
  return {
    x: primary.x + Math.round((primary.width - width) / 2),
    y: primary.y + Math.round((primary.height - height) / 2),
    width,
    height,
  };
}

/** At the lower right, out of the way of most things. */
export function boundsInCorner({ width, height }: WindowSize, screen: WindowBounds): WindowBounds {
  return {
    x: screen.x + Math.max(0, screen.width - width - margin),
    y: screen.y + Math.max(0, screen.height - height - margin),
    width,
    height,
  };
}

function isWithReach(window: WindowBounds, area: WindowBounds): boolean {
  const right = Math.min(window.x + window.width, area.x + area.width);
  const across = right - Math.max(window.x, area.x);
  const fromTop = window.y - area.y;
  return across >= minVisible && fromTop >= 0 && fromTop <= area.height - minVisible;
}

function isBounds(value: unknown): value is WindowBounds {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['x', 'y', 'width', 'height'].map((name): unknown => Reflect.get(value, name));
  return (
    numbers.every((number) => Number.isSafeInteger(number)) &&
    numbers.slice(2).every((number) => Number(number) > 0)
  );
}
