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

/** A window with a frame is reachable if a screen shows its top edge and at least this many pixels of it, in both directions. */
const minVisible = 64;
const margin = 24;

export class WindowBoundsStore {
  readonly #file: StateFile;
  #bounds: BoundsByWindow;

  constructor(file: StateFile) {
    this.#file = file;
    const stored = file.read();
    this.#bounds = stored.ok ? parseWindowBounds(stored.value) : {};
  }

  get(name: string): WindowBounds | undefined {
    return this.#bounds[name];
  }

  put(name: string, bounds: WindowBounds): void {
    const { x, y, width, height } = bounds;
    this.#bounds = { ...this.#bounds, [name]: { x, y, width, height } };
  }

  write(): Promise<Outcome<undefined>> {
    return this.#file.write(`${JSON.stringify(this.#bounds)}\n`);
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

/** Returns the stored bounds, no larger than their screen, or the default size if no screen shows them. */
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

/**
 * Returns the given bounds if they are reachable, and otherwise bounds centred on the primary display and no larger
 * than it.
 */
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

/**
 * Returns the given bounds if the screens together show them whole, and otherwise moves them just onto the screen that
 * shows most of them, or onto the primary display if none shows any. For a frameless window, whose buttons and whose place
 * to drag are in its page.
 */
export function wholeWithin(
  bounds: WindowBounds,
  screens: readonly WindowBounds[],
  primary: WindowBounds,
): WindowBounds {
  const shown = screens.map((area) => ({ area, pixels: visiblePixels(bounds, area) }));
  const total = shown.reduce((sum, { pixels }) => sum + pixels, 0);
  if (total >= bounds.width * bounds.height) return bounds;
  let most = { area: primary, pixels: 0 };
  for (const screen of shown) if (screen.pixels > most.pixels) most = screen;
  return moveOnto(bounds, most.area);
}

export function boundsInCorner({ width, height }: WindowSize, screen: WindowBounds): WindowBounds {
  return {
    x: screen.x + Math.max(0, screen.width - width - margin),
    y: screen.y + Math.max(0, screen.height - height - margin),
    width,
    height,
  };
}

/**
 * Bounds of another size, but no larger than the screen. The window's corner that is nearest to a corner of the screen
 * stays where it is.
 */
export function growFrom(
  window: WindowBounds,
  size: WindowSize,
  screen: WindowBounds,
): WindowBounds {
  const width = Math.min(size.width, screen.width);
  const height = Math.min(size.height, screen.height);
  const isRight = window.x + window.width / 2 > screen.x + screen.width / 2;
  const isLower = window.y + window.height / 2 > screen.y + screen.height / 2;
  const x = isRight ? window.x + window.width - width : window.x;
  const y = isLower ? window.y + window.height - height : window.y;
  return moveOnto({ x, y, width, height }, screen);
}

/** Moves the bounds as little as it takes for the screen to show them whole, and makes them no larger than the screen. */
function moveOnto(bounds: WindowBounds, screen: WindowBounds): WindowBounds {
  const width = Math.min(bounds.width, screen.width);
  const height = Math.min(bounds.height, screen.height);
  return {
    x: Math.max(screen.x, Math.min(bounds.x, screen.x + screen.width - width)),
    y: Math.max(screen.y, Math.min(bounds.y, screen.y + screen.height - height)),
    width,
    height,
  };
}

function visiblePixels(window: WindowBounds, area: WindowBounds): number {
  const right = Math.min(window.x + window.width, area.x + area.width);
  const bottom = Math.min(window.y + window.height, area.y + area.height);
  const width = Math.max(0, right - Math.max(window.x, area.x));
  return width * Math.max(0, bottom - Math.max(window.y, area.y));
}

function isReachable(window: WindowBounds, area: WindowBounds): boolean {
  const right = Math.min(window.x + window.width, area.x + area.width);
  const visibleWidth = right - Math.max(window.x, area.x);
  const top = window.y - area.y;
  return visibleWidth >= minVisible && top >= 0 && top <= area.height - minVisible;
}

function isBounds(value: unknown): value is WindowBounds {
  if (typeof value !== 'object' || value === null) return false;
  const numbers = ['x', 'y', 'width', 'height'].map((name): unknown => Reflect.get(value, name));
  return (
    numbers.every((number) => Number.isSafeInteger(number)) &&
    numbers.slice(2).every((number) => Number(number) > 0)
  );
}
