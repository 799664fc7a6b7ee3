import { describe, expect, it } from 'vitest';
import { ChordWatch } from '../../../../../electron/platform/keys/uiohook-codes.ts';

/** What is heard of a hand that does this: `+` before a key goes down, `-` comes up. */
function heardOf(chord: string, ...moves: readonly string[]): readonly string[] {
  const watch = new ChordWatch(chord);
  const held = new Set<string>();
  const down = (name: string): boolean => [...held].some((code) => code.startsWith(name));
  return moves.flatMap((move) => {
    const code = move.slice(1);
    if (move.startsWith('-')) {
      held.delete(code);
      return watch.keyUp(code) ?? [];
    }
    held.add(code);
    const stroke = {
      ctrlKey: down('Control'),
      altKey: down('Alt'),
      shiftKey: down('Shift'),
      metaKey: down('Meta'),
    };
    return watch.keyDown({ code, ...stroke }) ?? [];
  });
}

describe('of all keys, one chord', () => {
  it('is pressed once however often it is repeated, and released once', () => {
    expect(heardOf('F8', '+F8', '+F8', '+F8', '-F8', '-F8')).toEqual(['press', 'release']);
  });

  it('is not another key, nor itself with other modifiers; Shift is none', () => {
    expect(heardOf('F8', '+F9', '-F9', '+ControlLeft', '+F8', '-F8', '-ControlLeft')).toEqual([]);
    expect(heardOf('F8', '+ShiftLeft', '+F8', '-F8')).toEqual(['press', 'release']);
    expect(heardOf('Control+KeyT', '+KeyT', '-KeyT', '+AltLeft', '+ControlLeft', '+KeyT')).toEqual(
      [],
    );
  });

  it('ends with either part, and the other one coming up is nothing more', () => {
    const press = ['+ControlRight', '+KeyT'];
    expect(heardOf('Control+KeyT', ...press, '-KeyT', '-ControlRight')).toEqual([
      'press',
      'release',
    ]);
    expect(heardOf('Control+KeyT', ...press, '-ControlRight', '-KeyT', '+KeyT')).toEqual([
      'press',
      'release',
    ]);
  });

  it('may be a modifier by itself, of one side', () => {
    expect(heardOf('ControlRight', '+ControlLeft', '-ControlLeft', '+ControlRight')).toEqual([
      'press',
    ]);
  });
});
