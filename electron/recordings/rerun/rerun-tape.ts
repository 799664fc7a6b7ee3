import {
  appError,
  type AppError,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { SessionSettings } from '../../../shared/protocol/client-event.ts';
import type { DialectName, DuplexMode } from '../../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { RerunProgress } from '../../../shared/recordings/tape-comparison.ts';
import { defaultBargeInOptions } from '../../audio/detection/barge-in.ts';
import { SilentSpeaker } from '../../audio/playback/playback.ts';
import type { ConversationEvent } from '../../talk/conversation-event.ts';
import type { ConversationDeps, ConversationOptions } from '../../talk/conversation-options.ts';
import type { Conversation, OpenConversation } from '../../talk/conversation.ts';
import type { TapeRecorder } from '../record/tape-recorder.ts';
import { hasInput, settingsOnTape } from '../replay/tape-lines.ts';
import type { Tape, TapeHeader } from '../tape/tape.ts';
import { TapedTalk } from './taped-talk.ts';

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
    write: (event) => {
      recorder.record({ dir: 'event', event });
    },
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

interface Chosen {
  readonly mode: DuplexMode;
  readonly settings: SessionSettings;
  readonly chunkMs: number;
  readonly dialect: 'auto' | DialectName;
  readonly carryOver: CoreMessages['carryOver'];
}

/** How the talk of a tape is held again. */
export function rerunOptions(chosen: Chosen): ConversationOptions {
  return {
    ...chosen,
    // What was let through stands on the tape: nothing is gated again, and nobody is there to wait for a lost session.
    talking: 'open',
    reconnects: false,
    // The echo on the tape is that of another answer.
    bargeIn: { ...defaultBargeInOptions, enabled: false },
  };
}

/** Whoever reads the new tape is to know that it was played to as by a speaker. */
export const rerunDevices = { microphone: undefined, speaker: 'silent' } as const;
