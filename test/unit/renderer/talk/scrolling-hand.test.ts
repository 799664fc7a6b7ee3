import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchHand } from '../../../../renderer/talk/scrolling-hand.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An element, a window and a clock that the test holds. */
function watched() {
  const element = new EventTarget();
  const page = new EventTarget();
  let time = 0;
  vi.stubGlobal('window', page);
  const hand = watchHand(element as HTMLElement, () => time);
  return {
    ...hand,
    tell: (name: string, key?: string) =>
      element.dispatchEvent(Object.assign(new Event(name), { key })),
    letGo: () => page.dispatchEvent(new Event('pointerup')),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('a hand that scrolls', () => {
  it('is not there by itself', () => {
    expect(watched().scrolls()).toBe(false);
  });

  it.each(['wheel', 'touchmove'])('is known by a %s, for as long as the page rolls on', (name) => {
    const { tell, pass, scrolls } = watched();
    tell(name);
    pass(900);
    expect(scrolls()).toBe(true);
    pass(900);
    expect(scrolls()).toBe(true);
    pass(1100);
    expect(scrolls()).toBe(false);
  });

  it('is known by the keys that scroll, and not by the talk key', () => {
    const { tell, scrolls } = watched();
    tell('keydown', ' ');
    expect(scrolls()).toBe(false);
    tell('keydown', 'PageUp');
    expect(scrolls()).toBe(true);
  });

  it('holds the bar until it lets go', () => {
    const { tell, pass, scrolls, letGo } = watched();
    tell('pointerdown');
    pass(60_000);
    expect(scrolls()).toBe(true);
    letGo();
    pass(1100);
    expect(scrolls()).toBe(false);
  });

  it('is looked for no more after that', () => {
    const { tell, leave, scrolls } = watched();
    leave();
    tell('wheel');
    expect(scrolls()).toBe(false);
  });
});
