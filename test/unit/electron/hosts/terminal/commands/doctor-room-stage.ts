import type { AppError } from '../../../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../../../shared/settings/default-settings.ts';
import { inputRate, outputRate } from '../../../../../../shared/protocol/protocol-limits.ts';
import type { InputLine } from '../../../../../../electron/hosts/terminal/line-input.ts';
import { tryRoom } from '../../../../../../electron/hosts/terminal/commands/doctor-room.ts';
import { echoBlockSamples } from '../../../../../../electron/sound/capture/echo-canceller.ts';
import type { RoomTestDeps } from '../../../../../../electron/sound/devices/room-test.ts';
import { resample } from '../../../../../../electron/sound/dsp/resample.ts';
import { echoRoom } from '../../../../../fakes/echo-room.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { seeded } from '../../../../../fakes/seeded.ts';

interface RoomStage {
  /** What somebody types, a line at a question, or `^C`; without it nobody sits there. */
  readonly types?: readonly string[];
  readonly json?: boolean;
  readonly alone?: boolean;
  readonly into?: string;
  /** How much of what is played comes back, 60 ms later. */
  readonly echo?: number;
  readonly muted?: boolean;
  readonly lost?: AppError;
  /** Ctrl-C so long after the beginning. */
  readonly interruptedAt?: number;
}

const phrase = echoRoom({ seed: 1, seconds: 3 }).played;
const lateSamples = (60 * inputRate) / 1000;

/** A terminal and a room with a loudspeaker, where time passes until the test of the room is over. */
export async function roomTried(stage: RoomStage) {
  const { types, json = false, alone = false, into, echo = 0.3, muted = false, lost } = stage;
  const clock = new FakeClock();
  const files = new FakeFiles();
  files.putFolder('rooms');
  const asked: string[] = [];
  const lines = [...(types ?? [])];
  let [out, err, ended, played] = ['', '', 0, 0];
  let air: Float32Array = new Float32Array();
  let airFrom = 0;
  let recorder: Parameters<RoomTestDeps['openMicrophone']>[2]['recorder'];
  let interrupt: () => void = () => undefined;
  const end = () => Promise.resolve(void (ended += 1));
  const core = {
    clock,
    files,
    settings: { get: () => defaultSettings },
    roomPhrase: () =>
      Promise.resolve({ ok: true as const, value: resample(phrase, inputRate, outputRate) }),
    openMicrophone: (...[, , options]: Parameters<RoomTestDeps['openMicrophone']>) => {
      recorder = options.recorder;
      if (lost !== undefined) options.emit({ kind: 'lost', error: lost });
      return Promise.resolve({ end });
    },
    openSpeaker: () =>
      Promise.resolve({
        end,
        setVolume: () => undefined,
        write: () => {
          played += 1;
          air = phrase;
          airFrom = (clock.now() * inputRate) / 1000;
        },
      }),
  };
  const terminal = {
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    onInterrupt: (listener: () => void) => {
      interrupt = listener;
      return () => undefined;
    },
    openLines: () => ({
      typed: types !== undefined,
      next: (question: string): Promise<InputLine> => {
        asked.push(question.trim());
        const text = lines.shift();
        if (text === undefined) return Promise.resolve({ kind: 'ended' });
        if (text === '^C') return Promise.resolve({ kind: 'interrupted', cleared: false });
        return Promise.resolve({ kind: 'line', text, goesOn: false });
      },
      close: () => undefined,
    }),
  };
  const random = seeded(3);
  const heardAt = (n: number): number => air[n - airFrom] ?? 0;
  const over = new AbortController();
  const running = tryRoom(core, terminal, { json, alone, into }).finally(() => {
    over.abort();
  });
  running.catch(() => undefined);
  for (let ms = 0; !over.signal.aborted && ms < 60_000; ms += 10) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    if (ms === stage.interruptedAt) interrupt();
    const from = (clock.now() * inputRate) / 1000;
    const now = Float32Array.from({ length: echoBlockSamples }, (_, n) => heardAt(from + n));
    const heard = now.map(
      (_, n) => echo * heardAt(from + n - lateSamples) + 0.002 * (random() - 0.5),
    );
    recorder?.process(muted ? heard.fill(0) : heard, now);
    clock.advance(10);
  }
  await running;
  return { out, err, asked, ended, played, files: files.names(), bytes: files };
}
