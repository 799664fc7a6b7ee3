import { appError, failure } from '../../shared/errors/app-error.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { RerunProgress } from '../../shared/compare/compared-tapes.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { ServerCodec } from '../../shared/protocol/server-codec.ts';
import type {
  Conversation,
  ConversationDeps,
  OpenConversation,
} from '../conversation/conversation.ts';
import type { ConversationEvent } from '../conversation/conversation-event.ts';
import type { Clock } from '../ports/clock.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { Tape, TapeHeader } from '../recorder/recording/tape.ts';
import type { TapeRecorder } from '../recorder/recording/tape-recorder.ts';
import { hasInput } from '../recorder/replay/rerun/has-input.ts';
import { rerunDevices, rerunOptions } from '../recorder/replay/rerun/rerun-options.ts';
import { settingsOnTape } from '../recorder/replay/rerun/settings-on-tape.ts';
import { TapedTalk } from '../recorder/replay/rerun/taped-talk.ts';
import { SilentSpeaker } from '../sound/playback/silent-speaker.ts';

/** A server to which a tape goes, with everything that passes on the way there recorded. */
export interface RerunServer {
  readonly dialect: TapeHeader['dialect'];
  readonly openSession: ConversationDeps['openSession'];
  readonly recorder: TapeRecorder;
}

export interface TapeRerunnerDeps {
  readonly clock: Clock;
  readonly codec: ServerCodec;
  readonly openConversation: OpenConversation;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
}

type Facts = Pick<TapeHeader, 'mode' | 'chunkMs' | 'settings'>;

interface Rerun {
  readonly tape: Tape;
  readonly connect: (facts: Facts) => Promise<Outcome<RerunServer>>;
  readonly progress: (progress: RerunProgress) => void;
  /** Told how it is stopped. */
  readonly stoppable: (stop: () => void) => void;
}

const nothing = (): void => undefined;

/** Holds the talk of a tape with a server again, until it is over. */
export async function rerunTape(
  { tape, connect, progress, stoppable }: Rerun,
  deps: TapeRerunnerDeps,
): Promise<Outcome<undefined>> {
  const { clock, codec } = deps;
  const { mode, chunkMs } = tape.header;
  if (mode === 'chat') return failure('replayOfChat');
  if (!hasInput(tape, codec)) return failure('rerunOfNothing');
  const settings = settingsOnTape(tape, codec);
  const { voice: _voice, ...kept } = settings;
  const carryOver = await deps.carryOverMessages();
  const server = await connect({ mode, chunkMs, settings: kept });
  if (!server.ok) return server;
  const { dialect, openSession, recorder } = server.value;
  const script = new TapedTalk(tape, {
    clock,
    codec,
    write: recorder.happened,
    progress: (doneMs, ofMs) => {
      progress({ phase: 'live', doneMs, ofMs });
    },
  });
  progress({ phase: 'connecting', doneMs: 0, ofMs: 0 });
  const run = new TalkRun(script, () => {
    progress({ phase: 'queued', doneMs: 0, ofMs: 0 });
  });
  const talk = deps.openConversation(
    rerunOptions({ mode, settings, chunkMs, dialect, carryOver }),
    {
      openSession,
      speaker: new SilentSpeaker(clock),
      microphone: undefined,
      record: {
        write: script.write,
        answered: recorder.answered,
        sounded: recorder.sounded,
        devices: rerunDevices,
      },
      emit: run.hear,
    },
  );
  return run.end(talk, stoppable);
}

/** One such talk, from its first event to its last. */
class TalkRun {
  readonly #script: TapedTalk;
  readonly #queued: () => void;
  #over: (trouble: AppError | undefined) => void = nothing;
  readonly #ended = new Promise<AppError | undefined>((resolve) => {
    this.#over = resolve;
  });

  constructor(script: TapedTalk, queued: () => void) {
    this.#script = script;
    this.#queued = queued;
  }

  readonly hear = (event: ConversationEvent): void => {
    this.#script.hear(event);
    if (event.event !== 'talk') return;
    const { state } = event;
    if (state.phase === 'queued') this.#queued();
    if (state.phase === 'ended') this.#over(state.ending.orderly ? undefined : state.ending.error);
  };

  async end(
    talk: Conversation,
    stoppable: (stop: () => void) => void,
  ): Promise<Outcome<undefined>> {
    this.#script.begun(talk);
    stoppable(() => {
      this.#over(appError('rerunStopped'));
    });
    const error = await this.#ended;
    await talk.close();
    return error === undefined ? { ok: true, value: undefined } : { ok: false, error };
  }
}
