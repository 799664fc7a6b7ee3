import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { DeviceLock } from '../../electron/audio/devices/device-lease.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { ActiveReplay } from '../../electron/recordings/replay/active-replay.ts';
import { openTape } from '../../electron/recordings/tape/tape-archive.ts';
import { fakeJpeg } from '../fakes/fake-pictures.ts';
import { type TalkScript, recordTalk } from '../fixtures/record-talk.ts';
import { renderDeps } from '../unit/electron/recordings/replay/render-tapes.ts';

const minutes = 10;

const talk: TalkScript = {
  mode: 'video',
  speaks: (ms) => ms % 9000 < 1800,
  actions: [
    ...Array.from(
      { length: minutes * 30 },
      (_none, n) =>
        [2000 * (n + 1), (one) => one.pushFrame(fakeJpeg)] as TalkScript['actions'][number],
    ),
    [minutes * 60_000, (one) => one.end()],
  ],
  endsAfterMs: (minutes + 1) * 60_000,
};

/** A ten-minute tape: time until its timeline is ready, event loop delay, speed of rendering, and time of a seek. */
export async function bench(): Promise<void> {
  const folder = join(await mkdtemp(join(tmpdir(), 'parley-replay-')), 'tape');
  await recordTalk(folder, createFiles(), talk);
  const began = performance.now();
  const workedBefore = process.cpuUsage().user / 1000;
  const tape = await openTape(folder, { files: createFiles(), base64: bufferBase64 });
  if (!tape.ok) throw new Error(tape.error.code);
  const opened = { tape: tape.value, folder, path: folder, release: () => Promise.resolve() };
  let finish: (() => void) | undefined;
  const rendered = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const replay = new ActiveReplay(
    { kind: 'file', name: 'tape' },
    { mode: 'video', title: '' },
    opened,
    {
      ...renderDeps,
      clock: systemClock,
      lock: new DeviceLock(),
      isWireWatched: () => false,
      audio: () => ({ speaker: 'default', playbackVolume: 1 }),
      createSpeaker: () => {
        throw new Error('A replay must not open a speaker.');
      },
      post: (name, payload) => {
        if (name !== 'replayTimeline') return;
        const { readyMs, lengthMs } = payload as { readyMs: number; lengthMs: number };
        if (readyMs >= lengthMs) finish?.();
      },
    },
  );
  const { timeline } = replay.view;
  const usable = performance.now() - began;
  let longest = 0;
  // Processor time, because other programs may use the machine.
  const busy = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let last = busy();
  const timer = setInterval(() => {
    const now = busy();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  replay.startRendering();
  await rendered;
  clearInterval(timer);
  const renderMs = performance.now() - began;
  const worked = busy() - workedBefore;
  const jumps: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    const from = performance.now();
    replay.player.seek((n * 7919) % (minutes * 60_000));
    jumps.push(performance.now() - from);
  }
  await replay.end();
  await rm(join(folder, '..'), { recursive: true });
  process.stdout.write(
    [
      `a tape of ${minutes} minutes, with ${timeline.marks.length} pictures`,
      `  building its timeline  ${usable.toFixed(0)} ms`,
      `  rendering its sound               ${(renderMs / 1000).toFixed(1)} s, ${(worked / 1000).toFixed(1)} s of CPU time: ${((minutes * 60_000) / worked).toFixed(0)}× real time`,
      `  longest block of the loop     ${longest.toFixed(0)} ms of CPU time`,
      `  longest jump               ${Math.max(...jumps).toFixed(1)} ms`,
      '',
    ].join('\n'),
  );
}
