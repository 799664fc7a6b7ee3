import { beforeEach, describe, expect, it } from 'vitest';
import { SincResampler } from '../../electron/audio/dsp/sinc-resampler.ts';
import { createFiles } from '../../electron/platform/files/file-storage.ts';
import { bufferBase64, startSha256 } from '../../electron/platform/system/base64-sha256.ts';
import { systemClock } from '../../electron/platform/system/system-clock.ts';
import { RecentTalkBuffer } from '../../electron/recordings/record/recent-talk-buffer.ts';
import { checkTape } from '../../electron/recordings/tape/inspect-tape.ts';
import { readTapeHeader } from '../../electron/recordings/tape/open-tape.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Files } from '../../shared/ports/files.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { recordTalk } from '../fixtures/record-talk.ts';
import { renderInSteps, tapeIn } from '../unit/electron/recordings/replay/render-tapes.ts';
import { header } from '../unit/electron/recordings/tape/recorder-harness.ts';

const realFiles = createFiles();
let at: (name: string) => string;
beforeEach(() => {
  at = workFolder();
});

const deps = (clock: Clock, files: Files = realFiles) => ({
  files,
  clock,
  base64: bufferBase64,
  digest: startSha256,
  upsampler: () => new SincResampler(inputRate, outputRate),
  onError: () => undefined,
});

/** Records a talk, and saves its last two minutes to another tape after a time. Returns the seconds saved. */
async function recordAndSave(ms: number, maxBytes?: number) {
  let recent: RecentTalkBuffer | undefined;
  let kept: ReturnType<RecentTalkBuffer['writeTo']> | undefined;
  await recordTalk(at('whole'), realFiles, {
    mode: 'audio',
    bothSides: true,
    speaks: (now) => now % 9000 < 1800,
    openSecondRecorder: (clock) => {
      recent = new RecentTalkBuffer(clock, maxBytes);
      clock.after(ms, () => {
        // Writing takes real time, as in a talk.
        kept = recent?.writeTo(at('kept'), header, deps(systemClock));
      });
      return recent;
    },
    actions: [[152_000, (talk) => talk.end()]],
    endsAfterMs: 160_000,
  });
  const written = await kept;
  if (written?.ok !== true) throw new Error(JSON.stringify(written));
  return written.value.seconds;
}

async function readWords(name: string) {
  const tape = await tapeIn(at(name), realFiles);
  const { rendered } = await renderInSteps(tape);
  tape.close();
  const texts = new Map<number, string>();
  for (const notice of rendered.notices) {
    if (notice.name !== 'caption') continue;
    const { turn, added = '' } = notice.payload as { turn: number; added?: string };
    texts.set(turn, (texts.get(turn) ?? '') + added);
  }
  return { words: [...texts.values()], turns: rendered.turns, heard: rendered.heard };
}

describe('the last two minutes of a talk', { timeout: 90_000 }, () => {
  it('are a tape that replays what was said and heard, at the same times', async () => {
    const seconds = await recordAndSave(150_000);
    expect(seconds).toBeGreaterThanOrEqual(120);
    expect(seconds).toBeLessThan(140);
    const health = await checkTape(at('kept'), { files: realFiles, digest: startSha256 });
    expect(health).toMatchObject({ value: { state: 'early', changed: [], missing: [] } });
    const [whole, kept] = [await readWords('whole'), await readWords('kept')];
    const began = 150_000 - seconds * 1000;
    expect(kept.turns.length).toBeGreaterThan(9);
    const first = whole.turns.findIndex(({ from }) => from > began - 500);
    expect(first).toBeGreaterThan(0);
    for (const [n, turn] of kept.turns.slice(0, -1).entries()) {
      const then = whole.turns[first + n];
      expect(turn.from + began).toBeCloseTo(then?.from ?? NaN, -3.1);
      expect(turn.to - turn.from).toBeCloseTo((then?.to ?? NaN) - (then?.from ?? NaN), -2.7);
      expect(kept.words[n]).toBe(whole.words[first + n]);
    }
  });

  it('are marked on their tape as saved by the user', async () => {
    const clock = new FakeClock();
    const recent = new RecentTalkBuffer(clock);
    recent.record({ dir: 'open', connection: 1 });
    clock.advance(1000);
    const saved = await recent.writeTo(at('saved'), { ...header, saved: true }, deps(systemClock));
    const other = await recent.writeTo(at('other'), header, deps(systemClock));
    expect([saved.ok, other.ok]).toEqual([true, true]);
    expect(readTapeHeader(at('saved'), realFiles)?.saved).toBe(true);
    expect(readTapeHeader(at('other'), realFiles)?.saved).toBeUndefined();
  });

  it('stay within their memory limit', async () => {
    const seconds = await recordAndSave(100_000, 4_000_000);
    expect(seconds).toBeLessThan(60);
    expect((await readWords('kept')).words.length).toBeGreaterThan(0);
  });
});
