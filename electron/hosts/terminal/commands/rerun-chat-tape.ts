import type { Parley } from '../../../core/compose-parley.ts';
import { recordSockets } from '../../../recorder/recording/record-sockets.ts';
import { questionsOnTape } from '../../../recorder/replay/rerun/questions-on-tape.ts';
import type { SessionEvent } from '../../../session/session-event.ts';
import type { Session } from '../../../session/session.ts';
import type { Terminal } from '../terminal-command.ts';
import { runSession } from './run-session.ts';
import type { SessionClosedEvent } from './run-session.ts';
import type { RerunParts } from './rerun-talk-tape.ts';

/** Asks again what was asked in writing, each when the one before was answered. */
export async function rerunChatTape(
  parley: Pick<Parley, 'openSession' | 'clock' | 'serverCodec'>,
  terminal: Terminal,
  { tape, settings, sockets, connection, recorder, files, emit }: Omit<RerunParts, 'chunkMs'>,
): Promise<SessionClosedEvent> {
  const questions = questionsOnTape(tape, parley.serverCodec);
  let session: Session | undefined;
  let asked = 0;
  const askNext = (): void => {
    const question = questions[asked];
    if (question === undefined) {
      session?.end();
      return;
    }
    asked += 1;
    const sentence = `Question ${asked} of ${questions.length}.`;
    emit({ event: 'note', sentence });
    session?.ask(question);
  };
  const hear = (event: SessionEvent): void => {
    if (event.event === 'audio') {
      files.played(event.audio);
      emit({ event: 'audio', turn: event.turn, samples: event.audio.length });
    } else if (event.event === 'listen') emit({ event: 'listen', flushedSamples: 0 });
    else emit(event);
    if (event.event === 'done') askNext();
  };
  return runSession(terminal, {
    open: (deps) =>
      parley.openSession(
        { mode: 'chat', settings, dialect: connection.dialect, chunkMs: 1000 },
        deps,
      ),
    sockets: recorder === undefined ? sockets : recordSockets(sockets, recorder),
    clock: parley.clock,
    server: connection.endpoint?.url,
    onEvent: hear,
    onBegun: (begun) => {
      session = begun;
      askNext();
    },
  });
}
