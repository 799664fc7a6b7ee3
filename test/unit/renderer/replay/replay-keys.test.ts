import { describe, expect, it } from 'vitest';
import { replayKeyAction } from '../../../../renderer/replay/replay-keys.ts';
import type { ReplayKeyPress } from '../../../../renderer/replay/replay-keys.ts';

const noModifiers = { shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, busy: false };
const press = (key: string, modifiers: Partial<ReplayKeyPress> = {}) =>
  replayKeyAction({ ...noModifiers, key, ...modifiers });

describe('the replay keys', () => {
  it('seek by five seconds, with Shift by one, with Control by a word', () => {
    expect(press('ArrowRight')).toEqual({ kind: 'by', ms: 5000 });
    expect(press('ArrowLeft')).toEqual({ kind: 'by', ms: -5000 });
    expect(press('ArrowLeft', { shiftKey: true })).toEqual({ kind: 'by', ms: -1000 });
    expect(press('ArrowRight', { ctrlKey: true })).toEqual({ kind: 'word', direction: 'next' });
  });

  it('match characters in every keyboard layout', () => {
    const altGr = { ctrlKey: true, altKey: true };
    expect(press('[', altGr)).toEqual({ kind: 'step', direction: 'previous' });
    expect(press(']')).toEqual({ kind: 'step', direction: 'next' });
    expect(press('>', { shiftKey: true })).toEqual({ kind: 'speed', steps: 1 });
    expect(press('<')).toEqual({ kind: 'speed', steps: -1 });
  });

  it('play, close, and go to either end; other keys have no action', () => {
    expect(press(' ')).toEqual({ kind: 'toggle' });
    expect(press('Escape')).toEqual({ kind: 'close' });
    expect(press('Home')).toEqual({ kind: 'toStart' });
    expect(press('End')).toEqual({ kind: 'toEnd' });
    for (const key of ['k', 'i', 'Enter', 'Tab', 'toString'])
      expect(press(key), key).toBeUndefined();
    expect(press(' ', { busy: true })).toBeUndefined();
    expect(press(' ', { ctrlKey: true })).toBeUndefined();
    expect(press('ArrowLeft', { altKey: true })).toBeUndefined();
    expect(press('[', { metaKey: true })).toBeUndefined();
  });
});
