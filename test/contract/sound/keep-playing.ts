// A process of its own: it plays and hears on a sound server that is killed meanwhile, tells on
// standard output what it notices, and must be able to exit at any moment.
import { createSoundDriver } from '../../../electron/adapters/portaudio/sound-driver.ts';
import { systemClock } from '../../../electron/adapters/system-clock.ts';
import { openMicrophone } from '../../../electron/audio/microphone.ts';
import type { SoundNews } from '../../../electron/audio/keep-stream.ts';
import { openSpeaker } from '../../../electron/audio/speaker.ts';
import { outputRate } from '../../../shared/protocol/limits.ts';
import { FakeRateConverter } from '../../fakes/fake-rate-converter.ts';

function say(word: string, figures: Readonly<Record<string, unknown>>): void {
  const at = performance.timeOrigin + performance.now();
  process.stdout.write(`${JSON.stringify({ word, at, ...figures })}\n`);
}

export async function run(name: string): Promise<void> {
  const driver = createSoundDriver();
  const needs = (who: string) => ({
    driver,
    clock: systemClock,
    convert: (from: number, to: number) => new FakeRateConverter(from, to),
    tell: (news: SoundNews) => {
      say('news', { who, kind: news.kind });
    },
  });
  let loud = 0;
  const choice = name === 'default' ? name : { name };
  const speaker = await openSpeaker(choice, needs('speaker'));
  const microphone = await openMicrophone('default', {
    ...needs('microphone'),
    hear: (block) => (loud += block.length),
    chain: { badSamples: 0, push: (block) => block },
  });
  const second = new Float32Array(outputRate).fill(0.001);
  const figures = setInterval(() => {
    if (speaker.queued() < outputRate) speaker.write(second);
    say('figures', {
      heard: speaker.heard(),
      captured: microphone.counters().captured,
      silenced: microphone.counters().silenced,
      lost: microphone.counters().lost,
      devices: microphone.counters().devices,
      samples: loud,
      rss: process.memoryUsage().rss,
    });
  }, 50);
  process.stdin.once('data', () => {
    clearInterval(figures);
    void end();
  });
  async function end(): Promise<void> {
    await Promise.all([speaker.end(), microphone.end()]);
    say('ended', {});
    process.stdin.destroy();
  }
}
