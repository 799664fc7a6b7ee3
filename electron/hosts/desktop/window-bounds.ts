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

/** A window is reachable if a screen shows its top edge and at least this many pixels of it, in both directions. */
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
  return {
    x: Math.max(screen.x, Math.min(x, screen.x + screen.width - width)),
    y: Math.max(screen.y, Math.min(y, screen.y + screen.height - height)),
    width,
    height,
  };
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
