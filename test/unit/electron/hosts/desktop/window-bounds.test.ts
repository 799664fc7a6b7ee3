import { describe, expect, it, vi } from 'vitest';
import {
  boundsInCorner,
  growFrom,
  parseWindowBounds,
  restoreBounds,
  wholeWithin,
  WindowBoundsStore,
} from '../../../../../electron/hosts/desktop/window-bounds.ts';
import { FakeStateFile } from '../../../../fakes/fake-state-file.ts';
import {
  createMiniWindow,
  keepOnScreen,
  moveIntoReach,
} from '../../../../../electron/hosts/desktop/create-window.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { BrowserWindow, screen } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const laptop = { x: 0, y: 25, width: 1280, height: 775 };
const beside = { x: 1280, y: 0, width: 1920, height: 1080 };
const usual = { width: 420, height: 216 };
const at = (x: number, y: number) => ({ x, y, width: 420, height: 216 });

describe('the position of a window', () => {
  it.each([
    ['as stored, on its screen', at(100, 200), at(100, 200)],
    ['as stored, on another screen', at(1500, 40), at(1500, 40)],
    ['as stored, partly over an edge', at(-300, 200), at(-300, 200)],
    ['the default where its title bar would be below the screen', at(100, 790), usual],
    ['the default where its title bar would be above the screen', at(100, 0), usual],
    ['the default instead of a screen that was removed', at(4000, 200), usual],
    ['the screen if it was larger', { x: 0, y: 25, width: 5000, height: 5000 }, laptop],
  ])('is %s', (_where, stored, expected) => {
    expect(restoreBounds(stored, usual, [laptop, beside])).toEqual(expected);
  });

  it('is the default position if none is stored, and a corner for the mini window', () => {
    expect(restoreBounds(undefined, usual, [laptop])).toEqual(usual);
    expect(boundsInCorner(usual, laptop)).toEqual(at(836, 560));
  });

  it.each(['', '[1]', 'null', '{"mini":{"x":1,"y":2,"width":0,"height":5}}', '{"mini":7}'])(
    'is not read from %s',
    (text) => {
      expect(parseWindowBounds(text)['mini']).toBeUndefined();
    },
  );

  it('is stored between runs', async () => {
    const file = new FakeStateFile();
    const store = new WindowBoundsStore(file);
    store.put('mini', at(7, 8));
    expect(await store.write()).toEqual({ ok: true, value: undefined });
    expect(new WindowBoundsStore(file).get('mini')).toEqual(at(7, 8));
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
    expect(growFrom(at(-50, 700), ask, laptop)).toEqual({ x: 0, y: 380, ...ask });
    expect(growFrom(at(3000, 10), ask, beside)).toEqual({ x: 2560, y: 10, ...ask });
    // A laptop at a scale factor of 2.
    const low = { x: 0, y: 0, width: 512, height: 300 };
    expect(growFrom(at(40, 40), ask, low)).toEqual(low);
  });
});

describe('a frameless window', () => {
  it.each([
    ['stays on its screen', at(100, 200), at(100, 200)],
    ['stays where two screens show it together', at(1100, 200), at(1100, 200)],
    ['is moved from the edge of a screen', at(-300, 200), at(0, 200)],
    ['is moved up from a panel', at(100, 700), at(100, 584)],
    ['is moved to the screen that shows most of it', at(1250, 980), at(1280, 864)],
    ['is moved to the primary screen if none shows it', at(4000, 200), at(860, 200)],
  ])('%s', (_what, bounds, expected) => {
    expect(wholeWithin(bounds, [laptop, beside], laptop)).toEqual(expected);
  });

  it('is no larger than its screen', () => {
    const low = { x: 0, y: 0, width: 400, height: 200 };
    expect(wholeWithin(at(-20, 10), [low], low)).toEqual(low);
  });
});

const offScreen = { x: 3000, y: 20, width: 700, height: 600 };

it('a window on a removed display is moved to another one, only once, until the lifetime ends', async () => {
  const lifetime = new Lifetime('displays under test');
  const window = new BrowserWindow(offScreen);
  keepOnScreen(lifetime);
  screen.emit('display-removed');
  expect(window.bounds).toEqual({ x: 290, y: 100, width: 700, height: 600 });
  screen.emit('display-metrics-changed');
  expect(window.setBounds).toHaveBeenCalledOnce();
  await lifetime.end();
  window.bounds = offScreen;
  screen.emit('display-removed');
  expect(window.bounds).toEqual(offScreen);
  BrowserWindow.all.clear();
});

it('the mini window, which has no frame, is whole after its display shrank, and after it was shown again', async () => {
  const lifetime = new Lifetime('displays under test');
  const mini = createMiniWindow('preload.js', at(1172, 560));
  keepOnScreen(lifetime);
  // 108 pixels are visible, but not the buttons at its right end.
  screen.emit('display-metrics-changed');
  expect(mini.getBounds()).toEqual(at(860, 560));
  mini.setBounds(at(-200, 560));
  moveIntoReach(mini);
  expect(mini.getBounds()).toEqual(at(0, 560));
  await lifetime.end();
  BrowserWindow.all.clear();
});
