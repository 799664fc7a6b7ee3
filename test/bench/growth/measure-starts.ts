import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataFolder } from '../../../electron/platform/files/data-folder.ts';
import { createFiles } from '../../../electron/platform/files/file-storage.ts';
import { bufferBase64 } from '../../../electron/platform/system/base64-sha256.ts';
import { openResilientRecorder } from '../../../electron/recordings/record/resilient-recorder.ts';
import { TalkTapes } from '../../../electron/recordings/record/talk-tapes.ts';
import { header } from '../../unit/electron/recordings/tape/recorder-harness.ts';
import { endedByUser } from '../../unit/electron/talk/conversation-harness.ts';
import { TalkControllerHarness } from '../../unit/electron/talk/talk-controller-harness.ts';
import type { GrowthRow } from './growth-row.ts';
import { median } from '../../../shared/statistics.ts';

const sizes = [0, 2000];
const rounds = 15;
/** Minimum files of a tape with video. */
const files = [
  'tape.ndjson',
  'microphone.wav',
  'answer.wav',
  'both.wav',
  'checksums.json',
  'a.jpg',
];

/** Time from click to connecting, and until the next talk can start, with few and many tapes, in turns. */
export async function measureStarts(): Promise<readonly GrowthRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-growth-'));
  try {
    for (const size of sizes) fillTapes(join(folder, String(size)), size);
    return [await measure(folder, false), await measure(folder, true)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function fillTapes(folder: string, count: number): void {
  for (let number = 0; number < count; number += 1) {
    const tape = join(folder, 'tapes', `tape-${number}`);
    mkdirSync(tape, { recursive: true });
    for (const name of files) writeFileSync(join(tape, name), 'x');
  }
}

async function measure(folder: string, keepTapes: boolean): Promise<GrowthRow> {
  const times: number[][] = sizes.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [at, size] of sizes.entries()) {
      const harness = harnessOn(join(folder, String(size)), keepTapes);
      const began = performance.now();
      await harness.live();
      // The next talk waits for this talk's tape.
      const ending = harness.controller.end();
      harness.session.close(endedByUser);
      await ending;
      times[at]?.push(performance.now() - began);
    }
  return {
    operation: `starting and ending a talk, ${keepTapes ? 'recorded' : 'not recorded'}`,
    sizeUnit: 'stored recordings',
    sizes,
    costs: times.map(median),
    costUnit: 'ms',
    expected: 'flat',
    reason: 'a start reads no recording and empties no trash',
  };
}

/** Uses real tape files; devices and server are fakes. */
function harnessOn(folder: string, keepTapes: boolean): TalkControllerHarness {
  const harness = new TalkControllerHarness();
  const files = createFiles();
  const tapes = new TalkTapes({
    folder: createDataFolder(join(folder, 'tapes')),
    openTape: (path, facts, onError) =>
      openResilientRecorder(
        path,
        { ...header, ...facts },
        { files, clock: harness.clock, base64: bufferBase64, onError },
      ),
    privacy: () => ({ keepTapes }),
    reportError: ({ code }) => {
      throw new Error(code);
    },
  });
  harness.connected = async () => {
    const tape = await tapes.begin('now', header);
    return { ok: true, value: { ...harness.server('one'), onEnded: tape.finish } };
  };
  return harness;
}
