import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../shared/ports/files.ts';

/** Size of a window in device-independent pixels. */
export interface WindowSize {
  readonly width: number;
  readonly height: number;
}

export interface WindowBounds extends WindowSize {
  readonly x: number;
  readonly y: number;
}

/** A window's size and position; without a position the system chooses one. */
export type WindowPlacement = WindowSize | WindowBounds;

type BoundsByWindow = Readonly<Record<string, WindowBounds>>;

/** Pixels of a window that must be on a screen to be reachable. */
const minVisible = 64;
const margin = 24;

/** Stores window positions between runs. */
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

  write(): Promise<Outcome<undefined>> {
    return this.#file.write(`${JSON.stringify(this.#places)}\n`);
  }
}

/** Parses stored positions and drops invalid ones. */
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

/** The stored position if it is on an existing screen, no larger than that screen. */
export function restoreBounds(
  stored: WindowBounds | undefined,
  defaultSize: WindowSize,
  screens: readonly WindowBounds[],
): WindowPlacement {
  const screen =
    stored === undefined ? undefined : screens.find((area) => isReachable(stored, area));
  if (stored === undefined || screen === undefined) return defaultSize;
  return {
    x: stored.x,
    y: stored.y,
    width: Math.min(stored.width, screen.width),
    height: Math.min(stored.height, screen.height),
  };
}

/** The same object if it is reachable; otherwise centred on the primary display and no larger. */
export function boundsWithin(
  bounds: WindowBounds,
  screens: readonly WindowBounds[],
  primary: WindowBounds,
): WindowBounds {
  if (screens.some((area) => isReachable(bounds, area))) return bounds;
  const width = Math.min(bounds.width, primary.width);
  const height = Math.min(bounds.height, primary.height);
  return {
    x: primary.x + Math.round((primary.width - width) / 2),
    y: primary.y + Math.round((primary.height - height) / 2),
    width,
    height,
  };
}

/** The lower right corner. */
export function boundsInCorner({ width, height }: WindowSize, screen: WindowBounds): WindowBounds {
  return {
    x: screen.x + Math.max(0, screen.width - width - margin),
    y: screen.y + Math.max(0, screen.height - height - margin),
    width,
    height,
  };
}

/** Another size of a window, which keeps the corner that is nearest to a corner of the screen. */
export function growFrom(
  window: WindowBounds,
  { width, height }: WindowSize,
  screen: WindowBounds,
): WindowBounds {
  const isRight = window.x + window.width / 2 > screen.x + screen.width / 2;
  const isLow = window.y + window.height / 2 > screen.y + screen.height / 2;
  const x = isRight ? window.x + window.width - width : window.x;
  const y = isLow ? window.y + window.height - height : window.y;
  return {
    x: Math.max(screen.x, Math.min(x, screen.x + screen.width - width)),
    y: Math.max(screen.y, Math.min(y, screen.y + screen.height - height)),
    width,
    height,
  };
}

function isReachable(window: WindowBounds, area: WindowBounds): boolean {
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
