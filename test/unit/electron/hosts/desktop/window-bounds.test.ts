import { describe, expect, it } from 'vitest';
import {
  boundsInCorner,
  growFrom,
  parseWindowBounds,
  restoreBounds,
  WindowBoundsStore,
} from '../../../../../electron/hosts/desktop/window-bounds.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import type { StateFile } from '../../../../../shared/ports/files.ts';

const laptop = { x: 0, y: 25, width: 1280, height: 775 };
const beside = { x: 1280, y: 0, width: 1920, height: 1080 };
const usual = { width: 420, height: 216 };
const at = (x: number, y: number) => ({ x, y, width: 420, height: 216 });

describe('the position of a window', () => {
  it.each([
    ['unchanged', at(100, 200), at(100, 200)],
    ['on the other screen', at(1500, 40), at(1500, 40)],
    ['partly over an edge', at(-300, 200), at(-300, 200)],
    ['not where nobody could grab its title bar', at(100, 790), usual],
    ['not above the screen', at(100, 0), usual],
    ['not on a screen that was removed', at(4000, 200), usual],
    ['no larger than the screen', { x: 0, y: 25, width: 5000, height: 5000 }, laptop],
  ])('is %s', (_where, kept, expected) => {
    expect(restoreBounds(kept, usual, [laptop, beside])).toEqual(expected);
  });

  it('is the default one if none is stored, and a corner for the mini window', () => {
    expect(restoreBounds(undefined, usual, [laptop])).toEqual(usual);
    expect(boundsInCorner(usual, laptop)).toEqual(at(836, 560));
  });

  it.each(['', '[1]', '"x"', 'null', '{"mini":{"x":1,"y":2,"width":0,"height":5}}', '{"mini":7}'])(
    'is not read from %s',
    (text) => {
      expect(parseWindowBounds(text)['mini']).toBeUndefined();
    },
  );

  it('is stored between runs', async () => {
    let text: string | undefined;
    const file: StateFile = {
      read: () => ({ ok: true, value: text }),
      write: (written) => {
        text = written;
        return Promise.resolve({ ok: true, value: undefined });
      },
      backUp: () => ({ ok: true, value: '' }),
    };
    const places = new WindowBoundsStore(file);
    places.put('mini', at(7, 8));
    expect(await places.write()).toEqual({ ok: true, value: undefined });
    expect(new WindowBoundsStore(file).get('mini')).toEqual(at(7, 8));
  });

  it('does not fail if it cannot be stored', async () => {
    const broken = failure('diskFull', { path: 'windows.json' });
    const places = new WindowBoundsStore({
      read: () => broken,
      write: () => Promise.resolve(broken),
      backUp: () => broken,
    });
    expect(places.get('mini')).toBeUndefined();
    expect(await places.write()).toEqual(broken);
  });
});

describe('a small window that grows', () => {
  const ask = { width: 640, height: 420 };
  it.each([
    ['upper left', at(100, 200), { x: 100, y: 200 }],
    ['upper right', at(850, 200), { x: 630, y: 200 }],
    ['lower right', at(836, 560), { x: 616, y: 356 }],
    ['lower left', at(100, 560), { x: 100, y: 356 }],
  ])('keeps its %s corner', (_corner, mini, place) => {
    expect(growFrom(mini, ask, laptop)).toEqual({ ...place, ...ask });
  });

  it('stays on its screen', () => {
    expect(growFrom(at(600, 300), ask, laptop)).toEqual({ x: 380, y: 300, ...ask });
    expect(growFrom(at(-50, 700), ask, laptop)).toEqual({ x: 0, y: 380, ...ask });
    expect(growFrom(at(3000, 10), ask, beside)).toEqual({ x: 2560, y: 10, ...ask });
  });
});
