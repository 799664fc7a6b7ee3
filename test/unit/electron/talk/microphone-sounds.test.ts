import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NoticeBoard } from '../../../../electron/app/ipc/request-dispatcher.ts';
import { MicrophoneSounds, microphoneTones } from '../../../../electron/talk/microphone-sounds.ts';
import { outputRate } from '../../../../shared/protocol/realtime-api.ts';
import { ManualDevices, settled } from './manual-devices.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

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
  await settled();
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

  it('release the device with the talk, once the last sound was heard', async () => {
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
    await settled();
    expect(devices.open[0]).toBe(0);
  });

  it('can be turned on during a talk', async () => {
    await live('hold', false);
    press();
    speak();
    release();
    harness.settings.change({ talking: { sounds: true } });
    await settled();
    // Earlier sounds are not played later.
    expect([devices.open[0], sounded()]).toEqual([1, 0]);
    harness.settings.change({ talking: { sounds: false } });
    harness.clock.advance(1000);
    await settled();
    expect(devices.open[0]).toBe(0);
  });
});
