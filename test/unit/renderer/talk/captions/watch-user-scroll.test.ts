import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchUserScroll } from '../../../../../renderer/talk/captions/caption-list.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An element, a window and a clock that the test holds. */
function watched() {
  const element = new EventTarget();
  const page = new EventTarget();
  let time = 0;
  vi.stubGlobal('window', page);
  const hand = watchUserScroll(element as HTMLElement, () => time);
  return {
    ...hand,
    emit: (name: string, key?: string) =>
      element.dispatchEvent(Object.assign(new Event(name), { key })),
    letGo: () => page.dispatchEvent(new Event('pointerup')),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('a hand that scrolls', () => {
  it('is not there by itself', () => {
    expect(watched().isScrolling()).toBe(false);
  });

  it.each(['wheel', 'touchmove'])('is known by a %s, for as long as the page rolls on', (name) => {
    const { emit, pass, isScrolling } = watched();
    emit(name);
    pass(900);
    expect(isScrolling()).toBe(true);
    pass(900);
    expect(isScrolling()).toBe(true);
    pass(1100);
    expect(isScrolling()).toBe(false);
  });

  it('is known by the keys that scroll, and not by the talk key', () => {
    const { emit, isScrolling } = watched();
    emit('keydown', ' ');
    expect(isScrolling()).toBe(false);
    emit('keydown', 'PageUp');
    expect(isScrolling()).toBe(true);
  });

  it('holds the bar until it lets go', () => {
    const { emit, pass, isScrolling, letGo } = watched();
    emit('pointerdown');
    pass(60_000);
    expect(isScrolling()).toBe(true);
    letGo();
    pass(1100);
    expect(isScrolling()).toBe(false);
  });

  it('is looked for no more after that', () => {
    const { emit, stop, isScrolling } = watched();
    stop();
    emit('wheel');
    expect(isScrolling()).toBe(false);
  });
});
