// Runs in its own process: plays and captures on a sound server that is killed meanwhile, reports events on
// standard output, and must be able to exit at any moment.
import { CapturePipeline } from '../../../electron/audio/capture/capture-pipeline.ts';
import { SupervisedMicrophone } from '../../../electron/audio/capture/microphone.ts';
import type { DeviceEvent } from '../../../electron/audio/devices/stream-supervisor.ts';
import { Speaker } from '../../../electron/audio/playback/speaker.ts';
import { createPortAudioDriver } from '../../../electron/platform/portaudio/portaudio-driver.ts';
import { systemClock } from '../../../electron/platform/system/system-clock.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';

function say(word: string, facts: Readonly<Record<string, unknown>>): void {
  const at = performance.timeOrigin + performance.now();
  process.stdout.write(`${JSON.stringify({ word, at, ...facts })}\n`);
}

export async function run(name: string): Promise<void> {
  const driver = createPortAudioDriver();
  const deps = (who: string) => ({
    driver,
    clock: systemClock,
    emit: (event: DeviceEvent) => {
      say('event', { who, kind: event.kind });
    },
  });
  let samples = 0;
  const choice = name === 'default' ? name : { name };
  const { emit, ...speakerDeps } = deps('speaker');
  const speaker = new Speaker({ device: choice, emit }, speakerDeps);
  await speaker.open();
  const microphone = new SupervisedMicrophone('default', {
    ...deps('microphone'),
    pipeline: new CapturePipeline(
      { pushAudio: (block) => void (samples += block.length) },
      { gain: () => 1 },
    ),
  });
  await microphone.begin();
  const second = new Float32Array(outputRate).fill(0.001);
  const timer = setInterval(() => {
    if (speaker.queued() < outputRate) speaker.write(second);
    say('stats', {
      heard: speaker.heard(),
      captured: microphone.counters().captured,
      silenced: microphone.counters().silenced,
      lost: microphone.counters().lost,
      devices: microphone.counters().devices,
      samples,
      rss: process.memoryUsage().rss,
    });
  }, 50);
  process.stdin.once('data', () => {
    clearInterval(timer);
    void end();
  });
  async function end(): Promise<void> {
    await Promise.all([speaker.end(), microphone.end()]);
    say('ended', {});
    process.stdin.destroy();
  }
}
