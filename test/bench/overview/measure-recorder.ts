import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breath } from 'node:timers/promises';
import { recordingBenchmark } from '../../../electron/app/machine-bench.ts';
import { append, asReceived, delta } from '../protocol/protocol-cases.ts';
import { runInTurns, processorMs, type Row } from './row.ts';

const { seconds } = recordingBenchmark;
const rounds = 9;

const asked = asReceived(append());

/** The baseline: writes every frame as a line. */
async function log(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-overview-'));
  try {
    const file = createWriteStream(join(folder, 'frames.ndjson'));
    for (let second = 0; second < seconds; second += 1) {
      file.write(`${JSON.stringify({ at: second, sent: asked })}\n`);
      file.write(`${JSON.stringify({ at: second, received: delta })}\n`);
      await breath();
    }
    file.end();
    await once(file, 'close');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function tape(): Promise<void> {
  const recorded = await recordingBenchmark.work();
  if (!recorded.ok) throw new Error(recorded.error.code);
}

const aSecondOf = (work: () => Promise<void>) => async (): Promise<number> =>
  (await processorMs(work)) / seconds;

/** Processor time to record a second of a talk, compared with a bare log of its frames. */
export async function measureRecorder(): Promise<readonly Row[]> {
  const plain = aSecondOf(log);
  const found = await runInTurns(rounds, { baseline: plain, ours: aSecondOf(tape), again: plain });
  return [
    {
      id: 'recorder.second',
      section: 'Recorder',
      what: 'recording a second of a talk: frames, both voices as 16-bit WAV, checksums',
      unit: 'ms of CPU time',
      beside: 'a bare log of the frames',
      ...found,
    },
  ];
}
