import {
  appError,
  type AppError,
  done,
  failure,
  type Outcome,
} from '../../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../../shared/i18n/messages.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type {
  SessionSettings,
  DialectName,
  DuplexMode,
} from '../../../shared/protocol/realtime-api.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { RerunProgress } from '../../../shared/recordings/tape-comparison.ts';
import { defaultBargeInOptions } from '../../audio/detection/barge-in.ts';
import { SilentSpeaker } from '../../audio/playback/playback.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
} from '../../talk/conversation-options.ts';
import type { Conversation, OpenConversation } from '../../talk/conversation.ts';
import { recordSockets, type TapeRecorder } from '../record/tape-recorder.ts';
import { hasInput, readSessionSettings } from '../replay/tape-lines.ts';
import type { Tape, TapeHeader } from '../tape/tape.ts';
import { RerunDriver } from './rerun-driver.ts';
import type { EndpointConnector } from '../../settings/servers/endpoint-connector.ts';
import type { Sessions } from '../../talk/sessions.ts';
import type { TalkTapes } from '../record/talk-tapes.ts';

export interface RerunServer {
  readonly dialect: TapeHeader['dialect'];
  readonly openSession: ConversationDeps['openSession'];
  readonly recorder: TapeRecorder;
  /** Resolves with the first error of the recording; pending as long as everything is recorded. */
  readonly unrecorded: Promise<AppError>;
}

/** A connected server and the tape that records the rerun. */
export interface ConnectedRerun extends RerunServer {
  readonly tape: string;
  readonly finish: () => Promise<void>;
  /** Deletes the finished tape. */
  readonly discard: () => Promise<unknown>;
}

export interface TapeRerunnerDeps {
  readonly clock: Clock;
  readonly codec: ServerCodec;
  readonly openConversation: OpenConversation;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
}

type RerunFacts = Pick<TapeHeader, 'mode' | 'chunkMs' | 'settings'>;

interface RerunJob {
  readonly tape: Tape;
  readonly connect: (facts: RerunFacts) => Promise<Outcome<RerunServer>>;
  readonly onProgress: (progress: RerunProgress) => void;
  /** Receives a function that stops the rerun. */
  readonly onStoppable: (stop: () => void) => void;
}

/** Repeats a tape's talk with a server, until it is over. */
export async function rerunTape(
  { tape, connect, onProgress, onStoppable }: RerunJob,
  deps: TapeRerunnerDeps,
): Promise<Outcome<undefined>> {
  const { clock, codec } = deps;
  const { mode, chunkMs } = tape.header;
  if (mode === 'chat') return failure('replayOfChat');
  if (!hasInput(tape, codec)) return failure('rerunOfNothing');
  const settings = readSessionSettings(tape, codec);
  const { voice: _voice, ...settingsWithoutVoice } = settings;
  const carryOver = await deps.carryOverMessages();
  const server = await connect({ mode, chunkMs, settings: settingsWithoutVoice });
  if (!server.ok) return server;
  const { dialect, openSession, recorder, unrecorded } = server.value;
  const driver = new RerunDriver(tape, {
    clock,
    codec,
    write: (event) => recorder.record({ dir: 'event', event }),
    onProgress: (doneMs, ofMs) => onProgress({ phase: 'live', doneMs, ofMs }),
  });
  onProgress({ phase: 'connecting', doneMs: 0, ofMs: 0 });
  const run = new RerunTalk(driver, () => onProgress({ phase: 'queued', doneMs: 0, ofMs: 0 }));
  const talk = deps.openConversation(
    toRerunOptions({ mode, settings, chunkMs, dialect, carryOver }),
    {
      openSession,
      speaker: new SilentSpeaker(clock),
      microphone: undefined,
      record: {
        write: driver.write,
        onAnswer: recorder.countAnswer,
        onSound: recorder.addSound,
        devices: rerunDevices,
      },
      emit: run.handleEvent,
    },
  );
  return run.runToEnd(talk, unrecorded, onStoppable);
}

class RerunTalk {
  readonly #driver: RerunDriver;
  readonly #queued: () => void;
  #over: (error: AppError | undefined) => void = () => undefined;
  readonly #ended = new Promise<AppError | undefined>((resolve) => {
    this.#over = resolve;
  });

  constructor(driver: RerunDriver, queued: () => void) {
    this.#driver = driver;
    this.#queued = queued;
  }

  readonly handleEvent = (event: ConversationEvent): void => {
    this.#driver.handleEvent(event);
    if (event.event !== 'talk') return;
    const { state } = event;
    if (state.phase === 'queued') this.#queued();
    if (state.phase === 'ended') this.#over(state.ending.orderly ? undefined : state.ending.error);
  };

  /** Ends early if the answers are not recorded, because the comparison would be wrong. */
  async runToEnd(
    talk: Conversation,
    unrecorded: Promise<AppError>,
    onStoppable: (stop: () => void) => void,
  ): Promise<Outcome<undefined>> {
    this.#driver.begun(talk);
    onStoppable(() => this.#over(appError('rerunStopped')));
    void unrecorded.then((error) => this.#over(notRecorded(error)));
    const error = await this.#ended;
    await talk.close();
    return error === undefined ? done : { ok: false, error };
  }
}

/** The error for a rerun in place of one that speaks of a talk. */
function notRecorded(error: AppError): AppError {
  return appError('rerunNotRecorded', {}, { cause: error.cause ?? error });
}

interface RerunSetup {
  readonly mode: DuplexMode;
  readonly settings: SessionSettings;
  readonly chunkMs: number;
  readonly dialect: 'auto' | DialectName;
  readonly carryOver: CoreMessages['carryOver'];
}

export function toRerunOptions(chosen: RerunSetup): ConversationOptions {
  return {
    ...chosen,
    // The tape has the sound that the gate passed, so nothing is gated again. A lost session ends the rerun.
    talking: 'open',
    reconnects: false,
    // Echo on the tape belongs to the earlier answer.
    bargeIn: { ...defaultBargeInOptions, enabled: false },
  };
}

/** Recorded on the new tape: answers were played as on a speaker, but silently. */
export const rerunDevices = { microphone: undefined, speaker: 'silent' } as const;

interface RerunConnectorDeps {
  readonly connector: Pick<EndpointConnector, 'connect'>;
  readonly sessions: Pick<Sessions, 'openSession'>;
  readonly tapes: Pick<TalkTapes, 'begin' | 'remove'>;
  /** Current time, as a tape name. */
  readonly stamp: () => string;
}

/** Connects a rerun to a server and records it on a new tape, regardless of the settings. */
export class RerunConnector {
  readonly #deps: RerunConnectorDeps;

  constructor(deps: RerunConnectorDeps) {
    this.#deps = deps;
  }

  readonly connect = async (
    id: string,
    facts: Pick<TapeHeader, 'mode' | 'chunkMs' | 'settings'>,
  ): Promise<Outcome<ConnectedRerun>> => {
    const { connector, sessions, tapes, stamp } = this.#deps;
    const connected = await connector.connect(id);
    if (!connected.ok) return connected;
    const { profile, endpoint, sockets } = connected.value;
    const { dialect } = profile;
    const tape = stamp();
    const address = endpoint?.url ?? profile.id;
    const header = { ...facts, dialect, endpoint: address };
    const failed: { error?: AppError; resolve?: (error: AppError) => void } = {};
    const unrecorded = new Promise<AppError>((resolve) => {
      failed.resolve = resolve;
    });
    const report = (error: AppError): void => {
      if (error.code === 'tapeLowSpace') return;
      failed.error ??= error;
      failed.resolve?.(error);
    };
    const { recorder, finish, onShown } = await tapes.begin(tape, header, 'request', report);
    onShown();
    if (recorder === undefined)
      return { ok: false, error: notRecorded(failed.error ?? appError('shuttingDown')) };
    const recorded = recordSockets(sockets, recorder);
    return {
      ok: true,
      value: {
        tape,
        finish,
        discard: () => tapes.remove(tape),
        dialect,
        recorder,
        unrecorded,
        openSession: (options, emit) =>
          sessions.openSession(options, { sockets: recorded, emit, server: endpoint?.url }),
      },
    };
  };
}
