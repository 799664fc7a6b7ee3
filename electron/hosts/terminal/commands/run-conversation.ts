import type { TalkWarning } from '../../../../shared/talk/talk-limits.ts';
import type { Parley } from '../../../core/compose-parley.ts';
import type { PlayoutSink } from '../../../sound/playback/playback.ts';
import type {
  Conversation,
  ConversationDeps,
  OpenConversation,
  RecordTalk,
} from '../../../conversation/conversation.ts';
import type { ConversationEvent } from '../../../conversation/conversation-event.ts';
import type { Sockets } from '../../../ports/sockets.ts';
import type { AnswerFiles } from './answer-files.ts';
import { CaptionAssembler } from '../views/caption-assembler.ts';
import type { Terminal } from '../terminal-command.ts';
import type { SessionClosedEvent } from './run-session.ts';
import { closedByUser, TerminableSockets } from './terminable-sockets.ts';
import { waitForPlayout } from './wait-for-playout.ts';
import { onCtrlC } from './on-ctrl-c.ts';
import { viewEventOf } from '../views/view-event-of.ts';
import type { ViewEvent } from '../views/terminal-view.ts';

/** Who plays the person's part, or leaves it to them. */
interface TalkScriptRun {
  readonly begun: (talk: Conversation) => void;
  readonly hear: (event: ConversationEvent) => void;
}

interface ConversationRun {
  readonly options: Parameters<OpenConversation>[0];
  readonly sockets: Sockets;
  /** The server's address, by which its dialect is remembered. */
  readonly server: string | undefined;
  readonly speaker: PlayoutSink | undefined;
  readonly microphone: ConversationDeps['microphone'];
  readonly record: RecordTalk | undefined;
  readonly files: Pick<AnswerFiles, 'played' | 'cue'>;
  readonly script: TalkScriptRun;
  readonly emit: (event: ViewEvent) => void;
  /** Of what a session has left. */
  readonly warns?: boolean | undefined;
}

type ControlsShown = Extract<ViewEvent, { event: 'controls' }>;

const nobodyWaits = (): void => undefined;

/** Holds one conversation until it has ended and has been heard. */
export async function runConversation(
  parley: Pick<Parley, 'openConversation' | 'openSession' | 'clock'>,
  terminal: Terminal,
  run: ConversationRun,
): Promise<SessionClosedEvent> {
  const { options, sockets, server, speaker, microphone, record, files, script, emit } = run;
  const terminable = new TerminableSockets(sockets);
  const captions = new CaptionAssembler(emit);
  let terminated = false;
  let controls: Pick<ControlsShown, 'muted' | 'paused'> = { muted: false, paused: false };
  let over: (ending: SessionClosedEvent) => void = nobodyWaits;
  const ended = new Promise<SessionClosedEvent>((resolve) => {
    over = resolve;
  });
  const hear = (event: ConversationEvent): void => {
    script.hear(event);
    if (event.event === 'caption') captions.patch(event.patch);
    if (event.event === 'warning' && run.warns === true) emit(warningNote(event.warning));
    const shown = viewEventOf(event);
    if (shown?.event === 'controls') {
      // The terminal shows only these two; the conversation also tells of other controls.
      if (shown.muted !== controls.muted || shown.paused !== controls.paused) emit(shown);
      controls = shown;
    } else if (shown?.event === 'closed') {
      const ending = terminated ? closedByUser : shown;
      emit(ending);
      over(ending);
    } else if (shown !== undefined) emit(shown);
  };
  const conversation = parley.openConversation(options, {
    openSession: (how, emitSession) =>
      parley.openSession(how, { sockets: terminable, server, emit: emitSession }),
    speaker,
    microphone,
    record,
    played: files.played,
    cue: files.cue,
    emit: hear,
  });
  script.begun(conversation);
  const stopListening = onCtrlC(terminal, {
    end: () => {
      conversation.end();
    },
    terminate: () => {
      terminated = true;
      terminable.terminate();
    },
  });
  const ending = await ended;
  stopListening?.();
  await waitForPlayout(parley.clock, terminal, conversation);
  await conversation.close();
  return ending;
}

function warningNote({ limit, secondsLeft }: TalkWarning): ViewEvent {
  const sentence =
    limit === 'time'
      ? `${secondsLeft} seconds are left of this session.`
      : `The model can remember ${secondsLeft} more seconds of this session.`;
  return { event: 'note', sentence };
}
