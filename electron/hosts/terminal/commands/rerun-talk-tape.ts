import type { SessionSettings } from '../../../../shared/protocol/client-event.ts';
import type { DuplexMode } from '../../../../shared/protocol/dialect-and-mode.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { Sockets } from '../../../ports/sockets.ts';
import { recordSockets } from '../../../recorder/recording/record-sockets.ts';
import type { Tape } from '../../../recorder/recording/tape.ts';
import type { TapeRecorder } from '../../../recorder/recording/tape-recorder.ts';
import { rerunDevices, rerunOptions } from '../../../recorder/replay/rerun/rerun-options.ts';
import { TapedTalk } from '../../../recorder/replay/rerun/taped-talk.ts';
import { SilentSpeaker } from '../../../sound/playback/silent-speaker.ts';
import type { ConnectionOptions } from '../options/connection-options.ts';
import type { Terminal } from '../terminal-command.ts';
import type { ViewEvent } from '../views/terminal-view.ts';
import type { AnswerFiles } from './answer-files.ts';
import { runConversation } from './run-conversation.ts';
import type { SessionClosedEvent } from './run-session.ts';
import { recordOn } from './talk-tape.ts';

/** With what a tape is sent again, and where to. */
export interface RerunParts {
  readonly tape: Tape;
  readonly settings: SessionSettings;
  readonly chunkMs: number;
  readonly sockets: Sockets;
  readonly connection: Pick<ConnectionOptions, 'dialect' | 'endpoint'>;
  readonly recorder: TapeRecorder | undefined;
  readonly files: AnswerFiles;
  readonly emit: (event: ViewEvent) => void;
}

/** So often it is said how far it has come. */
const noteEveryMs = 10_000;

/** Holds the talk of a tape again. */
export async function rerunTalkTape(
  parley: Pick<
    Parley,
    'openConversation' | 'openSession' | 'clock' | 'serverCodec' | 'carryOverMessages'
  >,
  terminal: Terminal,
  mode: DuplexMode,
  { tape, settings, chunkMs, sockets, connection, recorder, files, emit }: RerunParts,
): Promise<SessionClosedEvent> {
  const { clock, serverCodec: codec } = parley;
  const record = recorder && recordOn(recorder);
  let noted = -noteEveryMs;
  const script = new TapedTalk(tape, {
    clock,
    codec,
    write: record?.write,
    progress: (doneMs, ofMs) => {
      if (doneMs < noted + noteEveryMs) return;
      noted = doneMs;
      const [done, of] = [doneMs, ofMs].map((ms) => Math.round(ms / 1000));
      emit({ event: 'note', sentence: `${done} of ${of} s of the tape are said.` });
    },
  });
  return runConversation(parley, terminal, {
    options: rerunOptions({
      mode,
      settings,
      dialect: connection.dialect,
      chunkMs,
      carryOver: await parley.carryOverMessages(),
    }),
    sockets: recorder === undefined ? sockets : recordSockets(sockets, recorder),
    server: connection.endpoint?.url,
    speaker: new SilentSpeaker(clock),
    microphone: undefined,
    record: record && { ...record, write: script.write, devices: rerunDevices },
    files,
    script,
    emit,
  });
}
