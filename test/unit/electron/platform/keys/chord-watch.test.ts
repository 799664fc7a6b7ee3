import { describe, expect, it } from 'vitest';
import { ChordWatch } from '../../../../../electron/platform/keys/uiohook-codes.ts';

/** Events of key moves: `+` for down, `-` for up. */
function eventsFor(chord: string, ...moves: readonly string[]): readonly string[] {
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

describe('ChordWatch', () => {
  it('reports one press despite key repeat, and one release', () => {
    expect(eventsFor('F8', '+F8', '+F8', '+F8', '-F8', '-F8')).toEqual(['press', 'release']);
  });

  it('ignores other keys, and its key with other modifiers except Shift', () => {
    expect(eventsFor('F8', '+F9', '-F9', '+ControlLeft', '+F8', '-F8', '-ControlLeft')).toEqual([]);
    expect(eventsFor('F8', '+ShiftLeft', '+F8', '-F8')).toEqual(['press', 'release']);
    expect(
      eventsFor('Control+KeyT', '+KeyT', '-KeyT', '+AltLeft', '+ControlLeft', '+KeyT'),
    ).toEqual([]);
  });

  it('reports a release when either part comes up, once', () => {
    const press = ['+ControlRight', '+KeyT'];
    expect(eventsFor('Control+KeyT', ...press, '-KeyT', '-ControlRight')).toEqual([
      'press',
      'release',
    ]);
    expect(eventsFor('Control+KeyT', ...press, '-ControlRight', '-KeyT', '+KeyT')).toEqual([
      'press',
      'release',
    ]);
  });

  it('can watch one modifier of one side', () => {
    expect(eventsFor('ControlRight', '+ControlLeft', '-ControlLeft', '+ControlRight')).toEqual([
      'press',
    ]);
  });
});
