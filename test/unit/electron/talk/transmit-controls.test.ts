import { flushPromises } from '../../../fakes/promises.ts';
import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import { appError } from '../../../../shared/errors/app-error.ts';
import { plainMicrophone } from '../../../fakes/fake-devices.ts';
import { ConversationHarness, lost } from './conversation-harness.ts';
import { NoticeBoard } from '../../../../electron/app/ipc/request-dispatcher.ts';
import { MicrophoneSounds, microphoneTones } from '../../../../electron/talk/microphone-sounds.ts';
import { outputRate } from '../../../../shared/protocol/realtime-api.ts';
import { ManualDevices, TalkControllerHarness } from './talk-controller-harness.ts';

/** Plays steps, each after its delay in milliseconds; returns whether the microphone is open after each. */
function play(
  harness: ConversationHarness,
  ...steps: readonly (readonly [number, string])[]
): readonly boolean[] {
  return steps.map(([ms, step]) => {
    harness.clock.advance(ms);
    if (step === 'down') harness.talk.controls.press();
    else if (step === 'toggle') harness.talk.controls.toggle();
    else harness.talk.controls.release(step === 'lost' ? 'lost' : 'released');
    if (step === 'up') harness.clock.advance(40);
    return open(harness);
  });
}

function open(harness: ConversationHarness): boolean {
  return harness.emittedOf('controls').at(-1)?.controls.transmitting ?? false;
}

const key = (talking: 'open' | 'hold' | 'tap' | 'holdOrTap'): ConversationHarness =>
  new ConversationHarness({ talking }).live();

describe('the talk key', () => {
  it.each([
    ['hold', 'while it is down', [100, 50, 2000], [true, false, true, false]],
    ['tap', 'from one press to the next', [100, 900, 900], [true, true, false, false]],
  ] as const)('opens the microphone in %s mode %s', (talking, _when, [up, down, end], states) => {
    expect(play(key(talking), [0, 'down'], [up, 'up'], [down, 'down'], [end, 'up'])).toEqual(
      states,
    );
  });

  it('latches in holdOrTap mode after a short press and not after a long one', () => {
    const harness = key('holdOrTap');
    expect(play(harness, [0, 'down'], [200, 'up'])).toEqual([true, true]);
    expect(harness.emittedOf('controls').at(-1)?.controls.latched).toBe(true);
    expect(play(harness, [1000, 'down'], [100, 'up'])).toEqual([true, false]);
    expect(play(harness, [1000, 'down'], [400, 'up'])).toEqual([true, false]);
  });

  it('counts repeats by the system as one press', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const harness = key(talking);
      const repeats = Array.from({ length: 50 }, () => [30, 'down'] as const);
      expect(new Set(play(harness, [0, 'down'], ...repeats)), talking).toEqual(new Set([true]));
      expect(play(harness, [30, 'up']), talking).toEqual([talking === 'tap']);
    }
  });

  it('counts repeats that arrive as release and press as one press', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const harness = key(talking);
      harness.talk.controls.press();
      for (let times = 0; times < 50; times += 1) {
        harness.clock.advance(30);
        harness.talk.controls.release();
        harness.clock.advance(2);
        harness.talk.controls.press();
        expect(open(harness), talking).toBe(true);
      }
      expect(play(harness, [30, 'up']), talking).toEqual([talking === 'tap']);
    }
  });

  it('closes a held microphone when the key is lost', () => {
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

  it('can be combined with toggles: the key ends what a toggle began, and a toggle what the key began', () => {
    for (const talking of ['hold', 'tap', 'holdOrTap'] as const) {
      const harness = key(talking);
      // Toggled from outside, ended by the key.
      expect(play(harness, [0, 'toggle'], [900, 'down'], [900, 'up'])[2], talking).toBe(false);
      // Pressed, then toggled from outside, even if the key is released at once.
      expect(play(harness, [900, 'down'], [100, 'toggle'], [50, 'up']), talking).toEqual([
        true,
        false,
        false,
      ]);
      expect(harness.emittedOf('controls').at(-1)?.controls.latched, talking).toBe(false);
      expect(play(harness, [0, 'toggle']), talking).toEqual([true]);
    }
  });

  it('must be pressed again after a change of mode', () => {
    const harness = key('hold');
    harness.talk.controls.press();
    harness.talk.controls.setTalking('holdOrTap');
    expect(open(harness)).toBe(false);
    expect(play(harness, [30, 'down'], [30, 'up'], [100, 'down'])).toEqual([false, false, true]);
  });

  it('counts from the start of the session if it is pressed earlier', () => {
    const harness = new ConversationHarness({ talking: 'hold' });
    harness.talk.controls.press();
    harness.pass(100, 0.5).live().pass(100, 0.5);
    expect(harness.session.heard.length).toBe(1600);
    expect(harness.session.heard.at(-1)).toBe(0.5);
  });
});

describe('speech at the release of the key', () => {
  const chunk = 16_000;
  const lastSound = ({ session }: ConversationHarness) =>
    session.heard.findLastIndex((sample) => sample !== 0);

  it.each([300, 860, 1000, 1740])(
    'after %i ms of talking is sent at once, padded with silence that is left out later',
    (heldMs) => {
      const harness = key('hold').pass(600, 0.5);
      harness.talk.controls.press();
      harness.pass(heldMs, 0.5);
      harness.talk.controls.release();
      harness.pass(100, 0.5);
      const { heard } = harness.session;
      const chunks = Math.floor(heard.length / chunk);
      expect(chunks * chunk).toBeGreaterThan(lastSound(harness));
      // Silence fills one chunk only.
      expect(chunks * chunk - lastSound(harness)).toBeLessThan(chunk + 800);
      harness.pass(5000);
      expect(heard).toHaveLength((600 + heldMs + 100 + 5000) * 16);
    },
  );

  it('is sent until the sound from before the release has arrived (latency plus one block)', () => {
    for (const latencyMs of [10, 80]) {
      const harness = new ConversationHarness(
        { talking: 'hold' },
        { microphone: { ...plainMicrophone, latencyMs: () => latencyMs } },
      ).live();
      harness.talk.controls.press();
      harness.pass(500, 0.5);
      const before = harness.session.heard.length;
      harness.talk.controls.release();
      harness.pass(400, 0.5);
      // Sound from before the release arrives for as long as the latency and one block, followed by a fade of 5 ms.
      const ms = (lastSound(harness) + 1 - before) / 16;
      expect(ms).toBeGreaterThan(latencyMs + 20 - 15);
      expect(ms).toBeLessThan(latencyMs + 20 + 10);
    }
  });
});

describe('a closed gate', () => {
  const loud = (harness: ConversationHarness): number => {
    const before = harness.session.heard.length;
    harness.pass(1000, 0.5);
    const heard = harness.session.heard.slice(before);
    expect(heard).toHaveLength(16_000);
    // The last fade may still be in progress.
    return heard.slice(160).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  };

  it('sends silence of the same length', () => {
    const harness = key('hold');
    expect(loud(harness)).toBe(0);
    harness.talk.controls.setTalking('open');
    expect(loud(harness)).toBe(0.5);
  });

  it('mutes permanently, or while the cough key is held, regardless of the talk key', () => {
    const harness = key('hold');
    harness.talk.controls.press();
    harness.talk.controls.setCoughMuted(true);
    expect(loud(harness)).toBe(0);
    harness.talk.controls.setCoughMuted(false);
    expect(loud(harness)).toBe(0.5);
    harness.talk.controls.setMuted(true);
    harness.talk.controls.setCoughMuted(true);
    harness.talk.controls.setCoughMuted(false);
    expect(loud(harness)).toBe(0);
  });

  it('lets no sound through during a pause, while received sound plays to its end', () => {
    const harness = key('open').says('one two three', 1);
    harness.talk.setPaused(true);
    expect(harness.session.calls).toEqual(['pause']);
    const before = harness.session.heard.length;
    harness.pass(2000, 0.5);
    expect(harness.session.heard.length).toBe(before);
    expect(harness.speaker.queued()).toBe(0);
    harness.talk.setPaused(false);
    expect(harness.session.calls).toEqual(['pause', 'resume']);
    expect(loud(harness)).toBe(0.5);
  });
});

describe('the shown state of the microphone', () => {
  const passing = (harness: ConversationHarness): boolean =>
    harness.emittedOf('controls').at(-1)?.controls.passing ?? false;

  const hold = (): ConversationHarness =>
    new ConversationHarness({ talking: 'hold' }).live().pass(100, 0.5);

  it('is open from the first transmitted block after the press until the release', () => {
    const harness = hold();
    expect(passing(harness)).toBe(false);
    harness.talk.controls.press();
    expect(passing(harness)).toBe(false);
    harness.pass(20, 0.5);
    expect(passing(harness)).toBe(true);
    harness.talk.controls.release();
    harness.clock.advance(40);
    expect(passing(harness)).toBe(false);
    harness.pass(100, 0.5);
    expect(passing(harness)).toBe(false);
  });

  it('is closed while the microphone is missing, until another microphone captures', () => {
    const harness = hold();
    harness.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('noMicrophone') });
    harness.talk.controls.press();
    // Silence replaces the lost microphone.
    harness.pass(100, 0);
    expect(passing(harness)).toBe(false);
    harness.talk.onDeviceEvent('microphone', { kind: 'using', device: 'Headset' });
    expect(passing(harness)).toBe(false);
    harness.pass(20, 0.5);
    expect(passing(harness)).toBe(true);
    harness.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('noMicrophone') });
    expect(passing(harness)).toBe(false);
  });

  it('is closed while no session takes the sound', () => {
    const harness = hold();
    harness.talk.controls.press();
    harness.pass(20, 0.5);
    harness.session.close(lost);
    expect([harness.state?.phase, passing(harness)]).toEqual(['reconnecting', false]);
    harness.pass(100, 0.5);
    expect(passing(harness)).toBe(false);
    harness.clock.advance(10_000);
    harness.live().pass(20, 0.5);
    expect(passing(harness)).toBe(true);
    harness.talk.setPaused(true);
    expect(passing(harness)).toBe(false);
    harness.talk.setPaused(false);
    harness.pass(20, 0.5);
    harness.talk.end();
    harness.session.enter('closing');
    expect(passing(harness)).toBe(false);
  });
});

describe('the sounds of the microphone', () => {
  const tone = microphoneTones('opened', outputRate).length;

  let harness: TalkControllerHarness;
  let devices: ManualDevices;
  let sounds: MicrophoneSounds;

  beforeEach(() => {
    const notices = new NoticeBoard();
    harness = new TalkControllerHarness({
      post: (name, payload) => {
        notices.post(name, payload);
      },
    });
    devices = new ManualDevices(harness.clock);
    sounds = new MicrophoneSounds({
      settings: harness.settings,
      createSpeaker: devices.createSpeaker,
    });
    notices.listen(sounds.onNotice);
  });
  afterEach(() => sounds.end());

  async function live(mode: 'hold' | 'open', on = true): Promise<void> {
    harness.settings.change({ talking: { mode, sounds: on } });
    await harness.live();
    await flushPromises();
  }

  const press = (): void => {
    harness.controller.withTalk(({ controls }) => {
      controls.press();
    });
  };
  const release = (): void => {
    harness.controller.withTalk(({ controls }) => {
      controls.release();
    });
    harness.clock.advance(40);
  };
  const speak = (): void => {
    harness.devices.microphone.hear(new Float32Array(320).fill(0.5));
  };
  /** Samples of tones sent to the device since the last call. */
  const sounded = (): number => {
    const { queued } = devices.speaker;
    devices.speaker.playAll();
    return queued;
  };

  describe('the microphone sounds', () => {
    it('are two quiet notes that rise if the microphone opens and fall if it closes', () => {
      const crossings = (part: Float32Array): number =>
        part.filter((sample, n) => n > 0 && sample < 0 !== (part[n - 1] ?? 0) < 0).length;
      const notes = (['opened', 'closed'] as const).map((kind) => {
        const tones = microphoneTones(kind, 48_000);
        return [tones.subarray(0, 3360), tones.subarray(3360)] as const;
      });
      expect(notes.map((pair) => pair.map(crossings))).toEqual([
        [73, 109],
        [109, 73],
      ]);
      for (const note of notes.flat()) {
        expect(Math.max(...note)).toBeCloseTo(0.06, 3);
        expect([note[0], note.at(-1)]).toEqual([0, expect.closeTo(0, 3)]);
      }
    });

    it('play with the first transmitted block, and at once with the release', async () => {
      await live('hold');
      expect([devices.open[0], sounded()]).toEqual([1, 0]);
      press();
      expect(sounded()).toBe(0);
      speak();
      expect(sounded()).toBe(tone);
      speak();
      expect(sounded()).toBe(0);
      release();
      expect(sounded()).toBe(tone);
      speak();
      expect(sounded()).toBe(0);
    });

    it.each([
      ['the user turned them off', 'hold', false],
      ['the microphone is open without a key', 'open', true],
    ] as const)('open no device if %s', async (_name, mode, on) => {
      await live(mode, on);
      press();
      speak();
      release();
      expect(devices.speakers).toEqual([]);
    });

    it('release the speaker with the talk, after the last sound has been heard', async () => {
      await live('hold');
      press();
      speak();
      devices.speaker.playAll();
      harness.controller.withTalk((conversation) => {
        conversation.end();
      });
      harness.session.enter('closing');
      expect(sounded()).toBe(tone);
      harness.clock.advance(1000);
      await flushPromises();
      expect(devices.open[0]).toBe(0);
    });
  });
});
