import { runRoomTest } from '../../../../../../electron/hosts/terminal/commands/doctor-room.ts';
import type { InputLine } from '../../../../../../electron/hosts/terminal/line-input.ts';
import type { AppError } from '../../../../../../shared/errors/app-error.ts';
import { defaultSettings } from '../../../../../../shared/settings/settings.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { FakeRoom } from '../../../../../fakes/fake-room.ts';

interface RoomStage {
  /** Typed lines, one per question, or `^C`; without lines there is no user. */
  readonly types?: readonly string[];
  readonly json?: boolean;
  readonly alone?: boolean;
  readonly into?: string;
  /** The gain of the echo, which comes 60 ms after the sound. */
  readonly echo?: number;
  readonly muted?: boolean;
  readonly lost?: AppError;
  /** When Ctrl-C is pressed, in milliseconds since the start. */
  readonly interruptedAt?: number;
}

/** Runs the test of a room in a terminal to its end. */
export async function roomTried(stage: RoomStage) {
  const { types, json = false, alone = false, into, echo = 0.3, muted = false, lost } = stage;
  const clock = new FakeClock();
  const files = new FakeFiles();
  files.putFolder('rooms');
  const asked: string[] = [];
  const lines = [...(types ?? [])];
  let [out, err] = ['', ''];
  let interrupt: () => void = () => undefined;
  const room = new FakeRoom(clock, { echo, muted, lost });
  const core = { ...room.parts, clock, files, settings: { get: () => defaultSettings } };
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
        return Promise.resolve({ kind: 'line', text, continues: false });
      },
      close: () => undefined,
    }),
  };
  const over = new AbortController();
  const running = runRoomTest(core, terminal, { json, alone, into }).finally(() => {
    over.abort();
  });
  running.catch(() => undefined);
  for (let ms = 0; !over.signal.aborted && ms < 60_000; ms += 10) {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    if (ms === stage.interruptedAt) interrupt();
    room.passStep();
  }
  await running;
  const { ended, played } = room;
  return { out, err, asked, ended, played, files: files.names(), bytes: files };
}
