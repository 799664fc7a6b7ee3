import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  DeviceChoice,
  MicrophoneStream,
  SoundDriver,
  SpeakerStream,
} from '../../electron/audio/devices/sound-driver.ts';
import { createPortAudioDriver } from '../../electron/platform/portaudio/portaudio-driver.ts';
import { englishErrorMessage } from '../../shared/i18n/en/errors.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeSoundDriver } from '../fakes/fake-sound-driver.ts';
import { unwrap } from '../fakes/unwrap.ts';

/** A sound system and its time. */
interface SoundHarness {
  readonly name: string;
  readonly driver: SoundDriver;
  readonly pass: (ms: number) => Promise<void>;
  /** The reason why it cannot be tested here. */
  readonly missing: string | undefined;
}

function fakeRig(): SoundHarness {
  const clock = new FakeClock();
  const driver = new FakeSoundDriver(clock);
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await Promise.resolve();
    }
  };
  return { name: 'fake sound driver', driver, pass, missing: undefined };
}

async function portAudioRig(): Promise<SoundHarness> {
  const driver = createPortAudioDriver();
  const missing = await missingIn(driver);
  return {
    name: 'PortAudio driver',
    driver,
    pass: (ms) => wait(ms),
    missing,
  };
}

async function missingIn(driver: SoundDriver): Promise<string | undefined> {
  const listed = await driver.devices();
  if (!listed.ok) return englishErrorMessage(listed.error);
  if (!listed.value.some(({ defaultOutput }) => defaultOutput))
    return 'this machine has no speaker';
  if (!listed.value.some(({ defaultInput }) => defaultInput))
    return 'this machine has no microphone';
  return undefined;
}

/** Waits until the condition holds, within a generous time limit. */
async function until(
  rig: SoundHarness,
  what: string,
  isSo: () => boolean,
  maxMs = 8000,
): Promise<void> {
  for (let passed = 0; passed < maxMs; passed += 20) {
    if (isSo()) return;
    await rig.pass(20);
  }
  throw new Error(`It took more than ${maxMs} ms until ${what}.`);
}

/** Opens streams that close when the test ends. */
function openersOf(driver: SoundDriver) {
  let opened: (SpeakerStream | MicrophoneStream)[] = [];
  return {
    openSpeaker: async (choice: DeviceChoice = 'default'): Promise<SpeakerStream> => {
      const stream = unwrap(await driver.openSpeaker(choice, outputRate));
      opened.push(stream);
      return stream;
    },
    openMicrophone: async (
      hear: (block: Float32Array) => void = () => undefined,
    ): Promise<MicrophoneStream> => {
      const listener = { captured: hear };
      const stream = unwrap(await driver.openMicrophone('default', inputRate, listener));
      opened.push(stream);
      return stream;
    },
    closeAll: async (): Promise<void> => {
      await Promise.all(opened.map((stream) => stream.close()));
      opened = [];
    },
  };
}

const rigs = [fakeRig(), await portAudioRig()];

describe.each(rigs)('the $name', (rig) => {
  const { driver, pass, missing } = rig;
  const { openSpeaker, openMicrophone, closeAll } = openersOf(driver);
  const quiet = (samples: number): Float32Array => new Float32Array(samples).fill(0.001);
  const whenPlaying = async (stream: SpeakerStream): Promise<void> => {
    const began = stream.stats().played;
    await until(rig, 'it plays', () => stream.stats().played > began + 2400);
  };

  beforeEach(({ skip }) => {
    if (missing !== undefined) skip(missing);
  });

  afterEach(closeAll);

  describe('devices', () => {
    it('are listed with name, rate and channels, and one default of each kind', async () => {
      const devices = unwrap(await driver.devices());
      for (const device of devices) {
        expect(device.name).not.toBe('');
        expect(device.hostApi).not.toBe('');
        expect(device.rate).toBeGreaterThanOrEqual(8000);
        expect(device.inputChannels + device.outputChannels).toBeGreaterThan(0);
      }
      expect(devices.filter(({ defaultInput }) => defaultInput)).toHaveLength(1);
      expect(devices.filter(({ defaultOutput }) => defaultOutput)).toHaveLength(1);
    });

    it('are opened by name', async () => {
      const device = unwrap(await driver.devices()).find(({ defaultOutput }) => defaultOutput);
      if (device === undefined) throw new Error('The default speaker is missing.');
      const { name, hostApi } = device;
      const stream = await openSpeaker({ name, hostApi });
      expect(stream.device).toMatchObject({ name, hostApi });
      const both = await openSpeaker({ name: `${name}@${hostApi}` });
      expect(both.device).toMatchObject({ name, hostApi });
      expect((await driver.openSpeaker({ name: `${name}@Other` }, outputRate)).ok).toBe(false);
      expect(stream.rate).toBeGreaterThan(0);
    });

    it('are refused under an unknown name, with the names of the known devices', async () => {
      const known = unwrap(await driver.devices());
      const speaker = await driver.openSpeaker({ name: 'No Such Thing' }, outputRate);
      const microphone = await driver.openMicrophone({ name: 'No Such Thing' }, inputRate, {
        captured: () => {
          throw new Error('A missing microphone captured sound.');
        },
      });
      for (const [outcome, listed] of [
        [speaker, known.filter(({ outputChannels }) => outputChannels > 0)],
        [microphone, known.filter(({ inputChannels }) => inputChannels > 0)],
      ] as const) {
        if (outcome.ok) throw new Error('A missing device was opened.');
        expect(englishErrorMessage(outcome.error)).toContain(
          'There is no device called “No Such Thing”',
        );
        for (const { name } of listed)
          expect(englishErrorMessage(outcome.error)).toContain(`“${name}”`);
      }
    });

    it('are listed without closing a stream', async () => {
      const stream = await openSpeaker();
      stream.write(quiet(outputRate));
      await whenPlaying(stream);
      unwrap(await driver.devices());
      await whenPlaying(stream);
      expect(stream.stats().alive).toBe(true);
    });
  });

  describe('a speaker', () => {
    it('plays exactly what is written', async () => {
      const stream = await openSpeaker();
      const count = 12_345;
      expect(stream.write(quiet(count))).toBe(count);
      let before = { played: 0, heard: 0 };
      await until(rig, 'all is heard', () => {
        const { played, heard, queued } = stream.stats();
        // A device that asked too fast for sound, and then lost it, gets it again.
        if (played >= before.played) expect(heard).toBeGreaterThanOrEqual(before.heard);
        expect(heard).toBeLessThanOrEqual(played);
        expect(played + queued).toBeLessThanOrEqual(count);
        before = { played, heard };
        return heard === count;
      });
      await pass(100);
      expect(stream.stats()).toMatchObject({ played: count, heard: count, queued: 0 });
    });

    it('counts all sound as played or dropped at a flush, then is silent', async () => {
      const stream = await openSpeaker();
      let [written, dropped] = [0, 0];
      for (let round = 0; round < 4; round += 1) {
        written += stream.write(quiet(24_000));
        await whenPlaying(stream);
        const flushed = stream.flush();
        dropped += flushed.dropped;
        expect(flushed.played + dropped).toBe(written);
        // A second flush during the fade has nothing to drop.
        expect(stream.flush()).toEqual({ played: flushed.played, dropped: 0 });
        // On a busy machine the device may request the fade late.
        await until(rig, 'the fade is played', () => stream.stats().queued === 0);
        await pass(100);
        expect(stream.stats()).toMatchObject({ played: flushed.played, queued: 0 });
      }
    });

    it('plays and counts what is written right after a flush', async () => {
      const stream = await openSpeaker();
      stream.write(quiet(24_000));
      await whenPlaying(stream);
      const { played } = stream.flush();
      stream.write(quiet(4800));
      await until(rig, 'it is heard', () => stream.stats().heard === played + 4800);
      await pass(100);
      expect(stream.stats().played).toBe(played + 4800);
    });

    it('replaces and counts invalid and far too loud samples', async () => {
      const stream = await openSpeaker();
      const bad = Float32Array.of(0.001, Number.NaN, Infinity, -Infinity, 3e38, 0.001);
      expect(stream.write(bad)).toBe(6);
      await until(rig, 'it is played', () => stream.stats().played === 6);
      expect(stream.stats().repaired).toBe(4);
      expect(bad[1]).toBeNaN();
    });

    it('accepts what fits in its queue, and returns how much', async () => {
      const stream = await openSpeaker();
      let accepted = 0;
      for (let second = 0; second < 60; second += 1) {
        accepted += stream.write(quiet(stream.rate));
      }
      expect(accepted).toBeGreaterThanOrEqual(stream.rate * 10);
      expect(accepted).toBeLessThan(stream.rate * 60);
      expect(stream.write(new Float32Array(stream.rate).fill(Number.NaN))).toBeLessThan(
        stream.rate,
      );
      const { played, dropped } = stream.flush();
      expect(played + dropped).toBeGreaterThanOrEqual(accepted);
    });

    it('does nothing after it is closed, and may be closed twice', async () => {
      const stream = await openSpeaker();
      stream.write(quiet(2400));
      await Promise.all([stream.close(), stream.close()]);
      await stream.close();
      expect(stream.write(quiet(100))).toBe(0);
      expect(stream.flush().dropped).toBe(0);
      stream.setVolume(0.5);
      expect(stream.stats()).toMatchObject({ alive: false, queued: 0 });
    });
  });

  describe('a microphone', () => {
    it('captures blocks of 20 ms in real time', async () => {
      const lengths: number[] = [];
      const stream = await openMicrophone((block) => lengths.push(block.length));
      await until(rig, 'it hears', () => lengths.length > 5);
      const began = lengths.length;
      await pass(1000);
      const came = lengths.length - began;
      expect(new Set(lengths)).toEqual(new Set([stream.rate / 50]));
      // A second has 50 blocks. A busy machine delivers some of them late, but no second is captured twice.
      expect(came).toBeGreaterThan(25);
      expect(came).toBeLessThan(100);
      expect(stream.stats()).toMatchObject({ alive: true, lost: 0 });
      expect(stream.stats().captured).toBeGreaterThanOrEqual(lengths.length * (stream.rate / 50));
    });

    it('never reuses the buffer of a block', async () => {
      const blocks: Float32Array[] = [];
      await openMicrophone((block) => blocks.push(block));
      await until(rig, 'it hears', () => blocks.length > 3);
      expect(new Set(blocks.map(({ buffer }) => buffer)).size).toBe(blocks.length);
    });

    it('captures nothing after it is closed, and may be closed twice', async () => {
      let heard = 0;
      const stream = await openMicrophone(() => (heard += 1));
      await until(rig, 'it hears', () => heard > 2);
      const closing = Promise.all([stream.close(), stream.close()]);
      const then = heard;
      await closing;
      await pass(200);
      expect(heard).toBe(then);
      expect(stream.stats().alive).toBe(false);
    });

    it('captures while a speaker plays, and next to another microphone', async () => {
      let [one, other] = [0, 0];
      await openMicrophone(() => (one += 1));
      await openMicrophone(() => (other += 1));
      const speaker = await openSpeaker();
      speaker.write(quiet(2400));
      await until(rig, 'all run', () => one > 5 && other > 5 && speaker.stats().heard === 2400);
    });
  });
});
