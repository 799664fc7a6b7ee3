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

async function ask(...chords: readonly string[]) {
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

describe('a key by a shortcut of Electron', () => {
  it('toggles with each press until it is stopped', async () => {
    const { heard, outcome, clock } = await ask('Control+F8');
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

  it('is registered with others, of which only the taken one is refused', async () => {
    globalShortcut.taken.add('Control+F9');
    const { heard, outcome } = await ask('Control+F8', 'Control+F9', 'Control+F10');
    globalShortcut.pressed.get('Control+F10')?.();
    globalShortcut.pressed.get('Control+F8')?.();
    expect(heard).toEqual(['toggle Control+F10', 'toggle']);
    expect(outcome.ok && [...outcome.value.refused.keys()]).toEqual(['Control+F9']);
    if (outcome.ok) await outcome.value.stop();
    expect(globalShortcut.pressed.size).toBe(0);
  });

  it('opens the small window at once when the key follows an earlier press', async () => {
    const clock = new FakeClock();
    const heard: string[] = [];
    await createGlobalShortcutBackend(clock, () => true).listen(
      [{ id: 'ask', chord: 'Control+F8' }],
      (id, event) => heard.push(`${id} ${event}`),
      () => undefined,
    );
    for (const pauseMs of [0, 400, 30, 30]) {
      clock.advance(pauseMs);
      globalShortcut.pressed.get('Control+F8')?.();
    }
    expect(heard).toEqual(['ask toggle', 'ask toggle']);
  });

  it.each([
    ['Control+F9', 'globalKeyTaken'],
    ['KeyA', 'globalKeyAlone'],
    ['Shift+KeyA', 'globalKeyAlone'],
    ['Space', 'globalKeyAlone'],
    ['ControlRight', 'globalKeyUnknown'],
    ['Control+IntlYen', 'globalKeyUnknown'],
    // Electron cannot parse this chord.
    ['Control+ScrollLock', 'globalKeyUnknown'],
  ])('is refused: %s, as %s', async (chord, code) => {
    globalShortcut.taken.add('Control+F9');
    expect((await ask(chord)).outcome).toMatchObject({ ok: false, error: { code } });
    expect(globalShortcut.pressed.size).toBe(0);
  });
});

/** The callback times that count as presses, and when each is reported. */
function pressesOf(...times: readonly number[]): readonly number[] {
  const clock = new FakeClock();
  const told: number[] = [];
  const filter = new HeldKeyFilter(clock, () => told.push(clock.now()));
  for (const time of times) {
    clock.advance(time - clock.now());
    filter.handlePress();
  }
  clock.advance(5_000);
  return told;
}

/** Auto-repeat of a key that is held from this time on. */
const held = (from: number, after: number, every: number): readonly number[] => [
  from,
  ...Array.from({ length: 30 }, (_, index) => from + after + index * every),
];

describe('a key that is held', () => {
  it.each([
    [660, 40],
    [500, 33],
    [250, 30],
    [1_000, 100],
  ])('is pressed once where repeats begin after %i ms and come every %i', (after, every) => {
    expect(pressesOf(...held(0, after, every))).toEqual([0]);
  });

  it('can be pressed again at once after its release', () => {
    const again = 660 + 29 * 40 + 150;
    expect(pressesOf(...held(0, 660, 40), again)).toEqual([0, again]);
    expect(pressesOf(0, 300, 600)).toEqual([0, 410, 710]);
    expect(pressesOf(0, 2_000)).toEqual([0, 2_000]);
  });
});

describe('Electron’s notation', () => {
  it.each([
    ['Control+Alt+KeyT', 'Control+Alt+T'],
    ['Meta+Space', 'Super+Space'],
    ['Shift+F12', 'Shift+F12'],
    ['Control+Digit7', 'Control+7'],
    ['Control+Numpad7', 'Control+num7'],
    ['Control+Backquote', 'Control+`'],
    ['MediaTrackNext', 'MediaNextTrack'],
  ])('of a chord writes %s as %s', (chord, accelerator) => {
    expect(shortcutAccelerator(chord)).toBe(accelerator);
    expect(canBeTaken(chord)).toBe(true);
  });

  it('is undefined for a key that Electron cannot name', () => {
    expect(shortcutAccelerator('F25')).toBeUndefined();
    expect(shortcutAccelerator('Control+ShiftLeft')).toBeUndefined();
  });
});
