import { describe, expect, it } from 'vitest';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { lost, Stage } from './stage.ts';

/** Plays presses and releases at their times; returns whether the microphone is open after each. */
function play(stage: Stage, ...steps: readonly (readonly [number, string])[]): readonly boolean[] {
  return steps.map(([ms, step]) => {
    stage.clock.advance(ms);
    if (step === 'down') stage.talk.controls.press();
    else if (step === 'toggle') stage.talk.controls.toggle();
    else stage.talk.controls.release(step === 'lost' ? 'lost' : 'released');
    if (step === 'up') stage.clock.advance(40);
    return open(stage);
  });
}

function open(stage: Stage): boolean {
  return stage.emittedOf('controls').at(-1)?.controls.transmitting ?? false;
}

const key = (talking: 'open' | 'hold' | 'tap' | 'holdOrTap'): Stage =>
  new Stage({ talking }).live();

describe('the talk key', () => {
  it('opens the microphone in hold mode while it is down', () => {
    expect(play(key('hold'), [0, 'down'], [100, 'up'], [50, 'down'], [2000, 'up'])).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('opens the microphone in tap mode from one press to the next', () => {
    expect(play(key('tap'), [0, 'down'], [100, 'up'], [900, 'down'], [900, 'up'])).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('latches in holdOrTap mode after a short press and not after a long one', () => {
    const stage = key('holdOrTap');
    expect(play(stage, [0, 'down'], [200, 'up'])).toEqual([true, true]);
    expect(stage.emittedOf('controls').at(-1)?.controls.latched).toBe(true);
    expect(play(stage, [1000, 'down'], [100, 'up'])).toEqual([true, false]);
    expect(play(stage, [1000, 'down'], [400, 'up'])).toEqual([true, false]);
  });

  it('counts repeats by the system as one press', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const stage = key(talking);
      const repeats = Array.from({ length: 50 }, () => [30, 'down'] as const);
      expect(new Set(play(stage, [0, 'down'], ...repeats)), talking).toEqual(new Set([true]));
      expect(play(stage, [30, 'up']), talking).toEqual([talking === 'tap']);
    }
  });

  it('counts repeats that arrive as release and press as one press', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const stage = key(talking);
      stage.talk.controls.press();
      for (let times = 0; times < 50; times += 1) {
        stage.clock.advance(30);
        stage.talk.controls.release();
        stage.clock.advance(2);
        stage.talk.controls.press();
        expect(open(stage), talking).toBe(true);
      }
      expect(play(stage, [30, 'up']), talking).toEqual([talking === 'tap']);
    }
  });

  it('closes a held microphone when it is lost', () => {
    expect(play(key('hold'), [0, 'down'], [100, 'lost'])).toEqual([true, false]);
    expect(play(key('holdOrTap'), [0, 'down'], [100, 'lost'])).toEqual([true, false]);
    // A latched key stays open when the window loses the keyboard.
    const latched = key('holdOrTap');
    expect(play(latched, [0, 'down'], [100, 'up'], [100, 'lost'])).toEqual([true, true, true]);
  });

  it('can be toggled by another source in every mode but open', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const twice = [
        [0, 'toggle'],
        [5000, 'toggle'],
      ] as const;
      expect(play(key(talking), ...twice, ...twice), talking).toEqual([true, false, true, false]);
    }
    expect(play(key('open'), [0, 'toggle'], [100, 'toggle'])).toEqual([true, true]);
  });

  it('can be combined with toggles: either ends what the other began', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const stage = key(talking);
      // Toggled from outside, ended by the key.
      expect(play(stage, [0, 'toggle'], [900, 'down'], [900, 'up'])[2], talking).toBe(false);
      // Pressed, then toggled from outside, even if the key is released at once.
      expect(play(stage, [900, 'down'], [100, 'toggle'], [50, 'up']), talking).toEqual([
        true,
        false,
        false,
      ]);
      expect(stage.emittedOf('controls').at(-1)?.controls.latched, talking).toBe(false);
      expect(play(stage, [0, 'toggle']), talking).toEqual([true]);
    }
  });

  it('has no effect in open mode', () => {
    expect(play(key('open'), [0, 'down'], [100, 'up'])).toEqual([true, true]);
  });

  it('must be pressed again after a change of mode', () => {
    const stage = key('hold');
    stage.talk.controls.press();
    stage.talk.controls.setTalking('holdOrTap');
    expect(open(stage)).toBe(false);
    expect(play(stage, [30, 'down'], [30, 'up'], [100, 'down'])).toEqual([false, false, true]);
  });

  it('pressed before the session is live counts from then on', () => {
    const stage = new Stage({ talking: 'hold' });
    stage.talk.controls.press();
    stage.pass(100, 0.5).live().pass(100, 0.5);
    expect(stage.session.heard.length).toBe(1600);
    expect(stage.session.heard.at(-1)).toBe(0.5);
  });
});

describe('speech at the release of the key', () => {
  const chunk = 16_000;
  const lastSound = ({ session }: Stage) => session.heard.findLastIndex((sample) => sample !== 0);

  it.each([300, 860, 1000, 1740])(
    'after %i ms of talking is sent at once, padded with silence that is left out later',
    (heldMs) => {
      const stage = key('hold').pass(600, 0.5);
      stage.talk.controls.press();
      stage.pass(heldMs, 0.5);
      stage.talk.controls.release();
      stage.pass(100, 0.5);
      const { heard } = stage.session;
      const chunks = Math.floor(heard.length / chunk);
      expect(chunks * chunk).toBeGreaterThan(lastSound(stage));
      // Only one chunk is filled this way.
      expect(chunks * chunk - lastSound(stage)).toBeLessThan(chunk + 800);
      stage.pass(5000);
      expect(heard).toHaveLength((600 + heldMs + 100 + 5000) * 16);
    },
  );

  it('waits behind sound buffered during a reconnect', () => {
    const stage = key('hold');
    stage.talk.controls.press();
    stage.pass(1500, 0.5);
    stage.session.close(lost);
    stage.clock.advance(5000);
    stage.pass(1500, 0.5);
    stage.live();
    stage.talk.controls.release();
    stage.pass(100, 0.5);
    expect(stage.session.heard.length).toBeLessThanOrEqual(2 * chunk + 320);
  });

  it('is sent until the sound from before the release has arrived (latency plus one block)', () => {
    for (const latencyMs of [10, 80]) {
      const stage = new Stage(
        { talking: 'hold' },
        { microphone: { ...plainMicrophone, latencyMs: () => latencyMs } },
      ).live();
      stage.talk.controls.press();
      stage.pass(500, 0.5);
      const before = stage.session.heard.length;
      stage.talk.controls.release();
      stage.pass(400, 0.5);
      // Sound captured before the release: the latency, one block, and the fade of 5 ms.
      const ms = (lastSound(stage) + 1 - before) / 16;
      expect(ms).toBeGreaterThan(latencyMs + 20 - 15);
      expect(ms).toBeLessThan(latencyMs + 20 + 10);
    }
  });
});

describe('a closed gate', () => {
  const loud = (stage: Stage): number => {
    const before = stage.session.heard.length;
    stage.pass(1000, 0.5);
    const heard = stage.session.heard.slice(before);
    expect(heard).toHaveLength(16_000);
    // The last fade may still be in progress.
    return heard.slice(160).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  };

  it('sends silence of the same length', () => {
    const stage = key('hold');
    expect(loud(stage)).toBe(0);
    stage.talk.controls.setTalking('open');
    expect(loud(stage)).toBe(0.5);
  });

  it('mutes permanently or for a cough, regardless of the key', () => {
    const stage = key('hold');
    stage.talk.controls.press();
    stage.talk.controls.setCoughMuted(true);
    expect(loud(stage)).toBe(0);
    stage.talk.controls.setCoughMuted(false);
    expect(loud(stage)).toBe(0.5);
    stage.talk.controls.setMuted(true);
    stage.talk.controls.setCoughMuted(true);
    stage.talk.controls.setCoughMuted(false);
    expect(loud(stage)).toBe(0);
  });

  it('may begin muted', () => {
    const stage = new Stage({ muted: true }).live();
    expect(open(stage)).toBe(false);
    expect(loud(stage)).toBe(0);
  });

  it('sends no sound during a pause, while received sound plays to its end', () => {
    const stage = key('open').says('one two three', 1);
    stage.talk.setPaused(true);
    expect(stage.session.calls).toEqual(['pause']);
    const before = stage.session.heard.length;
    stage.pass(2000, 0.5);
    expect(stage.session.heard.length).toBe(before);
    expect(stage.speaker.queued()).toBe(0);
    stage.talk.setPaused(false);
    expect(stage.session.calls).toEqual(['pause', 'resume']);
    expect(loud(stage)).toBe(0.5);
  });

  it('emits controls only on change', () => {
    const stage = key('open');
    stage.talk.controls.setMuted(false);
    stage.talk.controls.setTalking('open');
    stage.talk.setPaused(false);
    expect(stage.emittedOf('controls')).toHaveLength(1);
  });
});
