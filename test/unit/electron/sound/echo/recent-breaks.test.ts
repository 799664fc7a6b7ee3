import { describe, expect, it } from 'vitest';
import { RecentBreaks } from '../../../../../electron/sound/echo/recent-breaks.ts';

describe('a break of what is played', () => {
  it('is heard as much later as everything is, and a little sooner and later', () => {
    const breaks = new RecentBreaks();
    breaks.push(-3);
    const heard = Array.from({ length: 20 }, () => {
      breaks.goOn();
      return breaks.isHeard(6);
    });
    // Played three blocks from now and heard six later: in the ninth.
    expect(heard.indexOf(true)).toBe(7);
    expect(heard.filter(Boolean)).toHaveLength(6);
  });

  it('is forgotten with the room', () => {
    const breaks = new RecentBreaks();
    breaks.push(0);
    breaks.forget();
    expect(breaks.isHeard(0)).toBe(false);
  });
});
