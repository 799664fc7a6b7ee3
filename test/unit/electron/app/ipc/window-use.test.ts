import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { watchWindowUse } from '../../../../../electron/app/ipc/window-use.ts';

function open() {
  const contents = new EventEmitter();
  let now = 60_000;
  const usedJustNow = watchWindowUse(contents, () => now);
  return {
    usedJustNow,
    use: (type: string) => contents.emit('input-event', {}, { type }),
    wait: (ms: number) => (now += ms),
  };
}

describe('a window', () => {
  it('counts as unused before the first input', () => {
    expect(open().usedJustNow()).toBe(false);
  });

  it.each(['mouseDown', 'rawKeyDown', 'touchStart', 'gestureTap'])(
    'was used just now after %s, for ten seconds',
    (type) => {
      const { use, wait, usedJustNow } = open();
      use(type);
      wait(10_000);
      expect(usedJustNow()).toBe(true);
      wait(1);
      expect(usedJustNow()).toBe(false);
    },
  );

  it.each(['mouseMove', 'mouseEnter', 'mouseLeave', 'mouseWheel', 'gestureScrollUpdate'])(
    'was not used by %s',
    (type) => {
      const { use, usedJustNow } = open();
      use(type);
      expect(usedJustNow()).toBe(false);
    },
  );
});
