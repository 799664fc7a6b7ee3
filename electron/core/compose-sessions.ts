import { languages } from '../../shared/i18n/languages.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { AppError } from '../../shared/errors/app-error.ts';
import { createClientCodec } from '../../shared/protocol/client-codec.ts';
import { encodeOlderChatRequest } from '../../shared/protocol/encode-older-chat-request.ts';
import type { ServerCodec } from '../../shared/protocol/server-codec.ts';
import { createServerCodec } from '../../shared/protocol/server-codec.ts';
import { bufferBase64 } from '../adapters/system/buffer-base64.ts';
import { unpackTape } from '../adapters/files/unpack-tape.ts';
import { startSha256 } from '../adapters/system/sha256-digest.ts';
import { inputRate, outputRate } from '../../shared/protocol/protocol-limits.ts';
import { SincResampler } from '../sound/dsp/sinc-resampler.ts';
import type { OpenConversation } from '../conversation/conversation.ts';
import { openTapedConversation } from '../conversation/taped-conversation.ts';
import { LiveConversation } from '../conversation/live-conversation.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { ServerMemory } from '../ports/server-memory.ts';
import type { Sockets } from '../ports/sockets.ts';
import { openLastingRecorder } from '../recorder/recording/lasting-recorder.ts';
import type { TapedTalkFacts } from '../recorder/history/taped-talk-source.ts';
import { lookAtTape } from './look-at-tape.ts';
import { RecentTape } from '../recorder/recording/recent-tape.ts';
import type { HeldTape } from '../controllers/recent-tapes.ts';
import { checkTape } from '../recorder/recording/check-tape.ts';
import type { TapeHealth } from '../recorder/recording/check-tape.ts';
import { repairTape } from '../recorder/recording/repair-tape.ts';
import { readTapeHeader } from '../recorder/recording/read-tape-header.ts';
import { loadTapeAt } from '../recorder/recording/load-tape.ts';
import type { LoadedTape } from '../recorder/recording/load-tape.ts';
import { inTapePlace } from '../recorder/recording/tape-place.ts';
import type { TapeUpsampler } from '../recorder/recording/both-sides.ts';
import type { TapeRecorder } from '../recorder/recording/tape-recorder.ts';
import type { TapeHeader } from '../recorder/recording/tape.ts';
import { madeTape } from './made-tape.ts';
import { spokenLanguage } from '../settings/spoken-language.ts';
import { OlderChatSession } from '../session/older-chat-session.ts';
import { OpenSockets } from '../session/open-sockets.ts';
import { openSession } from '../session/open-session.ts';
import { openSessionForChat } from '../session/open-session-for-chat.ts';
import type { SessionEvent } from '../session/session-event.ts';
import type { PendingQuestion } from '../session/session-state.ts';
import type { Session, SessionDeps, SessionOptions, WrittenSession } from '../session/session.ts';
import type { SettingsServices } from './compose-settings.ts';

/** What is chosen by the person; the rest of a tape's header is known here. */
export type TapeDetails = Omit<TapeHeader, 'format' | 'version' | 'recordedAt'>;

/** Sessions, and the tapes of them. */
export interface SessionServices {
  readonly openSession: (options: SessionOptions, deps: OpenSessionDeps) => Session;
  /** A written conversation, by whichever of two ways its server has for one. */
  readonly openWrittenSession: (
    options: Omit<SessionOptions, 'mode'>,
    deps: OpenSessionDeps,
  ) => WrittenSession;
  /** A spoken conversation, which opens its sessions by itself. */
  readonly openConversation: OpenConversation;
  /** What frames a transcript in the next session, in the language of the settings. */
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
  /** What asks for the bare words of a sound, in the language of the settings. */
  readonly phrasePrompt: () => Promise<CoreMessages['phrasePrompt']>;
  /** The presets' texts, in the language of the settings. */
  readonly presetMessages: () => Promise<CoreMessages['presets']>;
  /** What stands between the words of a transcript, in the language of the settings. */
  readonly transcriptWords: () => Promise<CoreMessages['transcript']>;
  /** Begins a tape in a new or empty folder; `onError` is called when it cannot be kept. */
  readonly openTape: (
    folder: string,
    facts: TapeDetails,
    onError: (error: AppError) => void,
  ) => Promise<Outcome<TapeRecorder>>;
  /** When a talk on a tape was, with whom and how long, without playing it. */
  readonly lookAtTape: (folder: string) => Promise<Outcome<TapedTalkFacts>>;
  /** Holds the last two minutes in memory, to make a tape of them. */
  readonly holdRecent: (facts: TapeDetails) => HeldTape;
  /** Whether a person asked for what was in memory only to become this tape. */
  readonly isSavedTape: (folder: string) => boolean;
  /** A tape as far as it is whole, to be played: its folder, the file of its lines, or all of it in one file. */
  readonly loadTapeAt: (path: string) => Promise<Outcome<LoadedTape>>;
  /** How much of a tape is whole. */
  readonly checkTape: (path: string) => Promise<Outcome<TapeHealth>>;
  /** Makes a whole tape of what is whole of another one, in a new or empty folder or as one file. */
  readonly repairTape: (path: string, into: string) => Promise<Outcome<TapeHealth>>;
  /** For those who play a server's part. */
  readonly serverCodec: ServerCodec;
}

export interface OpenSessionDeps {
  readonly sockets: Sockets;
  /** The machine's own, where it is left out; on another one a tape is played, which is on no line. */
  readonly clock?: Clock | undefined;
  readonly random?: Random | undefined;
  readonly emit: (event: SessionEvent) => void;
  /** The server's address, by which its dialect is remembered. */
  readonly server?: string | undefined;
}

interface Deps {
  readonly clock: Clock;
  readonly lifetime: Pick<Lifetime, 'add'>;
  readonly random: Random;
  readonly files: Files;
  readonly servers: ServerMemory;
  readonly log: Log;
  /** The calendar's milliseconds; a virtual clock has none. */
  readonly wallNow: (() => number) | undefined;
  readonly settings: Pick<SettingsServices['settings'], 'get'>;
  /** Of Parley and of what runs it, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Brings the person's sound to the rate of a tape's two voices; the real one where it is left out. */
  readonly upsampler?: (() => TapeUpsampler) | undefined;
}

export function composeSessions(deps: Deps): SessionServices {
  const { clock, lifetime, random, files, servers, log, wallNow, settings, versions } = deps;
  const { upsampler = () => new SincResampler(inputRate, outputRate) } = deps;
  const codec = createClientCodec(bufferBase64);
  const open = new OpenSockets();
  lifetime.add(open.cut, 'the connections');
  /** Of a tape that began so many milliseconds ago. */
  const headerOf = (facts: TapeDetails, ago: number): TapeHeader => {
    const recordedAt = new Date((wallNow?.() ?? Date.now()) - ago).toISOString();
    return { format: 'parley-tape', version: 1, ...facts, recordedAt };
  };
  const recalled = (
    given: SessionOptions,
    { server, ...deps }: OpenSessionDeps,
  ): readonly [SessionOptions, SessionDeps] => {
    const known = server === undefined ? {} : servers.recall(server);
    const options: SessionOptions = {
      ...given,
      rememberedDialect: known.dialect,
      voiceForm: given.voiceForm ?? known.voiceForm,
    };
    const all: SessionDeps = {
      // A tape that is left in the middle never says that its connection is over: nobody waits for that.
      sockets: (deps.clock ?? clock) === clock ? open.watch(deps.sockets) : deps.sockets,
      clock: deps.clock ?? clock,
      random: deps.random ?? random,
      codec,
      emit: deps.emit,
      rememberDialect: (dialect, voiceForm) => {
        if (server === undefined) return;
        servers.remember(server, { dialect, ...(voiceForm === undefined ? {} : { voiceForm }) });
      },
    };
    return [options, all];
  };
  // The one place where a written conversation's way is chosen.
  const openWrittenSession: SessionServices['openWrittenSession'] = (given, deps) => {
    const [options, all] = recalled({ ...given, mode: 'chat' }, deps);
    return openSessionForChat(options, {
      emit: deps.emit,
      open: (way, emit) =>
        way === 'olderPath'
          ? new OlderChatSession({ ...all, emit, encodeRequest })
          : openSession(
              way === 'chatMode' ? options : { ...options, rememberedDialect: 'legacy' },
              { ...all, emit },
            ),
    });
  };
  const recording = {
    files,
    clock,
    base64: bufferBase64,
    digest: startSha256,
    upsampler,
  };
  const messages = (): Promise<CoreMessages> =>
    languages[spokenLanguage(settings.get().appearance.language)].core();
  return {
    openSession: (given, deps) => openSession(...recalled(given, deps)),
    openWrittenSession,
    openConversation: (options, { record, ...given }) => {
      const deps = { ...given, clock, random, log, wallNow };
      return record === undefined
        ? new LiveConversation(options, deps)
        : openTapedConversation(options, deps, record, versions);
    },
    carryOverMessages: async () => (await messages()).carryOver,
    phrasePrompt: async () => (await messages()).phrasePrompt,
    presetMessages: async () => (await messages()).presets,
    transcriptWords: async () => (await messages()).transcript,
    openTape: (folder, facts, onError) => {
      return openLastingRecorder(folder, headerOf(facts, 0), { ...recording, onError });
    },
    holdRecent: (facts) => {
      const recent = new RecentTape(clock);
      return {
        recorder: recent,
        writeTo: (folder) =>
          recent.writeTo(folder, headerOf(facts, recent.milliseconds), {
            ...recording,
            // The first of them is what it comes to.
            onError: () => undefined,
          }),
      };
    },
    lookAtTape: (folder) => lookAtTape(folder, files),
    isSavedTape: (folder) => readTapeHeader(folder, files)?.saved === true,
    loadTapeAt: (path) => loadTapeAt(path, { files, base64: bufferBase64, unpack: unpackTape }),
    checkTape: (path) =>
      inTapePlace(path, { files, unpack: unpackTape }, (folder, called) =>
        checkTape(folder, { files, digest: startSha256, called }),
      ),
    repairTape: (path, into) =>
      inTapePlace(path, { files, unpack: unpackTape }, (folder, called) =>
        madeTape(into, files, (made) =>
          repairTape(folder, made, { files, base64: bufferBase64, called }),
        ),
      ),
    serverCodec: createServerCodec(bufferBase64),
  };
}

function encodeRequest(question: PendingQuestion): string {
  return encodeOlderChatRequest(question, bufferBase64);
}
