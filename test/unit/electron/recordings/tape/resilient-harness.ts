import { SincResampler } from '../../../../../electron/audio/dsp/sinc-resampler.ts';
import { bufferBase64 } from '../../../../../electron/platform/system/base64-sha256.ts';
import { openResilientRecorder } from '../../../../../electron/recordings/record/resilient-recorder.ts';
import { openTape } from '../../../../../electron/recordings/tape/open-tape.ts';
import type { AppError } from '../../../../../shared/errors/app-error.ts';
import type { JsonObject } from '../../../../../shared/protocol/json.ts';
import { inputRate, outputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { header, wireSound } from './recorder-harness.ts';

const init = JSON.stringify({ type: 'session.init', payload: { system: 'x'.repeat(5000) } });
const append = JSON.stringify({ type: 'input.append', input: { audio: wireSound(0.5) } });
const created = JSON.stringify({ type: 'session.created' });
export const heard = (text: string) =>
  JSON.stringify({ type: 'response.output.delta', kind: 'text', text });
export const sound = (...samples: readonly number[]) =>
  JSON.stringify({ type: 'response.output.delta', kind: 'audio', audio: wireSound(...samples) });
export const long = Array.from({ length: 2000 }, () => 0.25);

const whatIn = ({ text, type }: JsonObject): string =>
  typeof text === 'string' ? text : typeof type === 'string' ? type : 'something else';

/** A resilient recorder on fake files and a manual clock. */
export async function createResilientHarness(room = Number.POSITIVE_INFINITY) {
  const files = new FakeFiles();
  const clock = new FakeClock();
  const errors: AppError[] = [];
  files.fill(room);
  const opened = await openResilientRecorder('/tapes/t', header, {
    files,
    upsampler: () => new SincResampler(inputRate, outputRate),
    clock,
    base64: bufferBase64,
    onError: (error) => errors.push(error),
  });
  if (!opened.ok) throw new Error(opened.error.code);
  const recorder = opened.value;
  const runCheck = async (): Promise<void> => {
    clock.advance(3000);
    for (let turn = 0; turn < 60; turn += 1) await Promise.resolve();
  };
  const begin = (connection: number): void => {
    recorder.record({ dir: 'open', connection });
    recorder.record({ dir: 'out', connection, text: init });
    recorder.record({ dir: 'in', connection, text: created });
    recorder.record({ dir: 'out', connection, text: append });
  };
  const texts = async () => {
    const tape = await openTape('/tapes/t', { files, base64: bufferBase64 });
    if (!tape.ok) throw new Error(tape.error.code);
    const { lines, frame, damage } = tape.value;
    const all = lines.map((line) => {
      const { at, dir, connection } = line;
      const what = line.dir === 'event' ? whatIn({ type: line.event['kind'] ?? '' }) : dir;
      const said = 'frame' in line ? whatIn(frame(line.frame)) : what;
      return `${at} ${connection} ${said}`;
    });
    return { all, damage: damage?.code };
  };
  return { files, clock, errors, recorder, runCheck, begin, texts };
}
