import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createGlobalShortcutBackend,
  HeldKeyFilter,
  shortcutAccelerator,
} from '../../../../../electron/hosts/desktop/global-key-backends.ts';
import { canBeTaken } from '../../../../../shared/talk/global-key.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { globalShortcut } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

beforeEach(() => {
  globalShortcut.taken.clear();
  globalShortcut.pressed.clear();
});

async function listen(...chords: readonly string[]) {
  const clock = new FakeClock();
  const heard: string[] = [];
  const backend = createGlobalShortcutBackend(clock, () => true);
  const outcome = await backend.listen(
    chords.map((chord) => ({ id: chord, chord })),
    (id, event) => heard.push(id === chords[0] ? event : `${event} ${id}`),
    () => heard.push('ended'),
  );
  return { heard, outcome, clock };
}

describe('a global key that is a shortcut of Electron', () => {
  it('reports each press as a toggle until it is stopped', async () => {
    const { heard, outcome, clock } = await listen('Control+F8');
    const press = globalShortcut.pressed.get('Control+F8');
    press?.();
    clock.advance(5_000);
    press?.();
    clock.advance(500);
    press?.();
    if (outcome.ok) await outcome.value.stop();
    clock.advance(5_000);
    expect(heard).toEqual(['toggle', 'toggle']);
    expect(globalShortcut.pressed.size).toBe(0);
  });

  it('is registered with others, of which only a key in use is refused', async () => {
    globalShortcut.taken.add('Control+F9');
    const { heard, outcome } = await listen('Control+F8', 'Control+F9', 'Control+F10');
    globalShortcut.pressed.get('Control+F10')?.();
    globalShortcut.pressed.get('Control+F8')?.();
    expect(heard).toEqual(['toggle Control+F10', 'toggle']);
    expect(outcome.ok && [...outcome.value.refused.keys()]).toEqual(['Control+F9']);
    if (outcome.ok) await outcome.value.stop();
    expect(globalShortcut.pressed.size).toBe(0);
  });

  it.each([
    ['Control+F9', 'globalKeyTaken'],
    ['KeyA', 'globalKeyAlone'],
    ['ControlRight', 'globalKeyUnknown'],
    ['Control+IntlYen', 'globalKeyUnknown'],
    // Electron cannot parse this chord.
    ['Control+ScrollLock', 'globalKeyUnknown'],
  ])('is refused for %s with the error %s', async (chord, code) => {
    globalShortcut.taken.add('Control+F9');
    expect((await listen(chord)).outcome).toMatchObject({ ok: false, error: { code } });
    expect(globalShortcut.pressed.size).toBe(0);
  });
});

/** Calls a filter at these times, and returns the times at which it reports a press. */
function pressesOf(...times: readonly number[]): readonly number[] {
  const clock = new FakeClock();
  const reported: number[] = [];
  const filter = new HeldKeyFilter(clock, () => reported.push(clock.now()));
  for (const time of times) {
    clock.advance(time - clock.now());
    filter.handlePress();
  }
  clock.advance(5_000);
  return reported;
}

/** The times of the calls for a key that is held from `from` on: the press and 30 repeats. */
const held = (from: number, after: number, every: number): readonly number[] => [
  from,
  ...Array.from({ length: 30 }, (_, index) => from + after + index * every),
];

describe('the filter for a held key', () => {
  it.each([
    [660, 40],
    [500, 33],
  ])('reports one press if repeats begin after %i ms and come every %i ms', (after, every) => {
    expect(pressesOf(...held(0, after, every))).toEqual([0]);
  });

  it('reports the next press after a release, at the latest after the longest pause between repeats', () => {
    const again = 660 + 29 * 40 + 150;
    expect(pressesOf(...held(0, 660, 40), again)).toEqual([0, again]);
    expect(pressesOf(0, 300, 600)).toEqual([0, 410, 710]);
    expect(pressesOf(0, 2_000)).toEqual([0, 2_000]);
  });
});

it('a held key stays held while the process cannot run, whether the key’s repeats or the timer come first', () => {
  const clock = new FakeClock();
  let late = 0;
  const reported: number[] = [];
  const now = () => clock.now() + late;
  const filter = new HeldKeyFilter({ now, after: clock.after }, () => reported.push(now()));
  const pressAfter = (ms: number): void => {
    clock.advance(ms);
    filter.handlePress();
  };
  pressAfter(0);
  pressAfter(500);
  pressAfter(40);
  clock.advance(109);
  // The process is stuck for 300 ms; then its timer runs before the repeats arrive.
  late += 300;
  clock.advance(1);
  for (let repeat = 0; repeat < 8; repeat += 1) pressAfter(1);
  pressAfter(40);
  clock.advance(100);
  late += 300;
  filter.handlePress();
  expect(reported).toEqual([0]);
  clock.advance(200);
  pressAfter(0);
  expect(reported).toHaveLength(2);
});

describe('a chord in Electron’s notation', () => {
  it.each([
    ['Control+Alt+KeyT', 'Control+Alt+T'],
    ['Meta+Space', 'Super+Space'],
    ['Shift+F12', 'Shift+F12'],
    ['Control+Digit7', 'Control+7'],
    ['Control+Numpad7', 'Control+num7'],
    ['Control+Backquote', 'Control+`'],
  ])('is, for %s, %s', (chord, accelerator) => {
    expect(shortcutAccelerator(chord)).toBe(accelerator);
    expect(canBeTaken(chord)).toBe(true);
  });
});
