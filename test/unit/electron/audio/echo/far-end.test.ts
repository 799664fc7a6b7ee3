import { describe, expect, it } from 'vitest';
import type { SpeakerStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import { FarEndSignal } from '../../../../../electron/audio/echo/far-end-signal.ts';
import { outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeSoundDriver } from '../../../../fakes/fake-sound-driver.ts';

const sine = (from: number, count: number): Float32Array =>
  Float32Array.from({ length: count }, (_, n) => 0.5 * Math.sin(((from + n) * 2 * Math.PI) / 61.7));

function stage() {
  const clock = new FakeClock();
  const played = new FarEndSignal();
  const driver = played.watch(new FakeSoundDriver(clock));
  const open = async (): Promise<SpeakerStream> => {
    const opened = await driver.openSpeaker('default', outputRate);
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const pass = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 10) clock.advance(10);
  };
  /** The 20 ms heard `ms` ago. */
  const heardAgo = (ms: number): Float32Array => {
    const reference = new Float32Array(320);
    const { fill } = played;
    fill(reference, clock.now() - ms);
    return reference;
  };
  return { open, pass, heardAgo };
}

const loudest = (block: Float32Array): number =>
  block.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

describe('FarEndSignal', () => {
  it('finds playback at the time it was heard, at the captured rate', async () => {
    const { open, pass, heardAgo } = stage();
    const speaker = await open();
    pass(100);
    speaker.write(sine(0, outputRate / 2));
    pass(300);
    const reference = heardAgo(100);
    // The fake plays immediately and is heard 20 ms and a callback of 10 ms later.
    const since = 300 - 100 - 20;
    const exact = Float32Array.from(reference, (_, n) => {
      return 0.5 * Math.sin(((since + n / 16) * 24 * 2 * Math.PI) / 61.7);
    });
    const off = reference.map((sample, n) => sample - (exact[n] ?? 0));
    expect(loudest(reference)).toBeGreaterThan(0.45);
    expect(loudest(off)).toBeLessThan(0.02);
    await speaker.close();
  });

  it('is silent where nothing was played', async () => {
    const { open, pass, heardAgo } = stage();
    expect(loudest(heardAgo(100))).toBe(0);
    const speaker = await open();
    pass(500);
    expect(loudest(heardAgo(100))).toBe(0);
    await speaker.close();
  });

  it('keeps the playback of a closed stream and adds that of the next', async () => {
    const { open, pass, heardAgo } = stage();
    const first = await open();
    first.write(sine(0, outputRate / 10));
    pass(200);
    expect(loudest(heardAgo(120))).toBeGreaterThan(0.4);
    await first.close();
    expect(loudest(heardAgo(120))).toBeGreaterThan(0.4);
    const second = await open();
    second.write(sine(0, outputRate / 5));
    pass(200);
    expect(loudest(heardAgo(50))).toBeGreaterThan(0.4);
    expect(loudest(heardAgo(320))).toBeGreaterThan(0.4);
    await second.close();
  });
});
