import { describe, expect, it } from 'vitest';
import { ChordWatch } from '../../../../../electron/platform/keys/chord-watch.ts';

/** The events that a watch reports for these key moves: `+` for down, `-` for up. */
function eventsFor(chords: string, ...moves: readonly string[]): readonly string[] {
  const watch = new ChordWatch(chords.split(','));
  const named = (event: string, index: number): string =>
    index === 0 ? event : `${event} ${index}`;
  const held = new Set<string>();
  const down = (name: string): boolean => [...held].some((code) => code.startsWith(name));
  return moves.flatMap((move) => {
    const code = move.slice(1);
    if (move.startsWith('-')) {
      held.delete(code);
      return watch.keyUp(code).map((index) => named('release', index));
    }
    held.add(code);
    const stroke = {
      ctrlKey: down('Control'),
      altKey: down('Alt'),
      shiftKey: down('Shift'),
      metaKey: down('Meta'),
    };
    const pressed = watch.keyDown({ code, ...stroke });
    return pressed === undefined ? [] : named('press', pressed);
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

  it('reports one release when the first part of a chord comes up', () => {
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

  it('watches several chords, and prefers one with Shift while Shift is down', () => {
    const chords = 'Control+Space,Control+Shift+Space,F8';
    const shifted = ['+ControlLeft', '+ShiftLeft', '+Space', '+Space', '-Space', '-ShiftLeft'];
    expect(eventsFor(chords, ...shifted, '+Space', '-ControlLeft')).toEqual([
      'press 1',
      'release 1',
      'press',
      'release',
    ]);
    expect(eventsFor(chords, '+F8', '+ControlLeft', '+Space', '-F8', '-Space')).toEqual([
      'press 2',
      'press',
      'release 2',
      'release',
    ]);
  });

  it('can watch one modifier of one side', () => {
    expect(eventsFor('ControlRight', '+ControlLeft', '-ControlLeft', '+ControlRight')).toEqual([
      'press',
    ]);
  });
});
