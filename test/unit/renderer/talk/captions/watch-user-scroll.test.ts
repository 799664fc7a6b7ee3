import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchUserScroll } from '../../../../../renderer/talk/captions/caption-list.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** A scroller with a fake element, window and clock. */
function scrollHarness() {
  const element = new EventTarget();
  const page = new EventTarget();
  let time = 0;
  vi.stubGlobal('window', page);
  const watch = watchUserScroll(element as HTMLElement, () => time);
  return {
    ...watch,
    emit: (name: string, key?: string) =>
      element.dispatchEvent(Object.assign(new Event(name), { key })),
    letGo: () => page.dispatchEvent(new Event('pointerup')),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('the user scroll watch', () => {
  it('reports no scrolling without input', () => {
    expect(scrollHarness().isScrolling()).toBe(false);
  });

  it.each(['wheel', 'touchmove'])(
    'reports scrolling after %s for as long as the momentum lasts',
    (name) => {
      const { emit, pass, isScrolling } = scrollHarness();
      emit(name);
      pass(900);
      expect(isScrolling()).toBe(true);
      pass(900);
      expect(isScrolling()).toBe(true);
      pass(1100);
      expect(isScrolling()).toBe(false);
    },
  );

  it('reports scrolling for scroll keys, not for the talk key', () => {
    const { emit, isScrolling } = scrollHarness();
    emit('keydown', ' ');
    expect(isScrolling()).toBe(false);
    emit('keydown', 'PageUp');
    expect(isScrolling()).toBe(true);
  });

  it('reports scrolling while the scrollbar is dragged', () => {
    const { emit, pass, isScrolling, letGo } = scrollHarness();
    emit('pointerdown');
    pass(60_000);
    expect(isScrolling()).toBe(true);
    letGo();
    pass(1100);
    expect(isScrolling()).toBe(false);
  });

  it('reports nothing after it was stopped', () => {
    const { emit, stop, isScrolling } = scrollHarness();
    stop();
    emit('wheel');
    expect(isScrolling()).toBe(false);
  });
});
