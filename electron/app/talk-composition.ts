import type { CursorKey } from '../../shared/cursor/quick-view.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import { defaultChunkMs } from '../../shared/protocol/realtime-api.ts';
import { endpointAddress } from '../../shared/settings/connection-settings.ts';
import { withInstructions } from '../../shared/settings/preset.ts';
import type { TalkKeyEvent } from '../../shared/talk/global-key.ts';
import { defaultBargeInOptions } from '../audio/detection/barge-in.ts';
import { stampOf, timeOfDay } from '../platform/system/system-clock.ts';
import { TapeTranscriber } from '../recordings/history/tape-transcriber.ts';
import { recordSockets } from '../recordings/record/tape-recorder.ts';
import { ToolTasks } from '../chat/tool-tasks.ts';
import { spokenLanguage } from '../settings/core-texts.ts';
import type { VoiceController } from '../settings/voices/voice-controller.ts';
import type { TalkPlan, TalkServer } from '../talk/active-talk.ts';
import type { GlobalKeyBackend } from '../talk/keys/global-key-backend.ts';
import { GlobalKeyController } from '../talk/keys/global-key-controller.ts';
import { MicrophoneSounds } from '../talk/microphone-sounds.ts';
import { UserTranscriptController } from '../talk/user-transcript/user-transcript-controller.ts';
import { PhraseTranscriber } from '../talk/user-transcript/phrase-transcriber.ts';
import { shortenByChat } from '../talk/transcript-shortener.ts';
import { TalkController } from '../talk/talk-controller.ts';
import { TalkJournal } from '../talk/talk-journal.ts';
import type { AudioComposition } from './audio-composition.ts';
import type { Machine } from './machine.ts';
import type { MemoryComposition } from './memory-composition.ts';
import type { ModelComposition } from './model-composition.ts';
import type { RecordingsComposition, Tapes } from './recordings-composition.ts';
import type { ServersComposition } from './servers-composition.ts';
import type { ToolsComposition } from './tools-composition.ts';
import type { VisionComposition } from './vision-composition.ts';

export interface TalkParts {
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly audio: AudioComposition;
  readonly voices: VoiceController;
  readonly vision: VisionComposition;
  readonly tapes: Tapes;
  readonly recordings: RecordingsComposition;
  readonly memory: Pick<MemoryComposition, 'sender' | 'suggester' | 'formatPast' | 'talkPassages'>;
  readonly tools: Pick<ToolsComposition, 'forChats'>;
  readonly systemSleep?: SystemSleep | undefined;
  readonly globalKeys?: readonly GlobalKeyBackend[] | undefined;
  readonly onCursorKey: (key: CursorKey, event: TalkKeyEvent) => void;
}

/** How long the last lines of a tape take until they are in its file. */
const tapeWrittenAfterMs = 500;

/** Traits of a talk with the model on this computer that other talks do not have. */
function computerTraits(model: ModelComposition): Pick<TalkServer, 'minPauseMs' | 'onTalking'> {
  return {
    minPauseMs: model.minPauseMs,
    onTalking: (isTalking) => model.arbiter.setTalking(isTalking),
  };
}

/** Spoken talks: the controller, its keys and tasks, the transcription of the user, and the crash journal. */
export class TalkComposition {
  readonly userTranscript: UserTranscriptController;
  readonly tapeTranscriber: TapeTranscriber;
  readonly journal: TalkJournal;
  readonly tasks: ToolTasks;
  readonly controller: TalkController;
  readonly globalKey: GlobalKeyController;
  readonly #parts: TalkParts;

  constructor(parts: TalkParts) {
    this.#parts = parts;
    this.userTranscript = this.#openUserTranscript();
    this.tapeTranscriber = this.#openTapeTranscriber();
    this.#openSounds();
    this.journal = this.#openJournal();
    this.tasks = this.#openTasks();
    this.controller = this.#openController();
    this.#followStorageSetting();
    parts.audio.lock.setTalk(this.controller);
    this.globalKey = this.#openGlobalKey();
  }

  /** Transcribes what the user says, if they turned that on. */
  #openUserTranscript(): UserTranscriptController {
    const { machine, servers, recordings } = this.#parts;
    const { settings } = servers;
    const userTranscript = new UserTranscriptController({
      clock: machine.clock,
      wallNow: machine.wallClock,
      getMode: () => settings.get().privacy.ownWords,
      keepsRecent: () => settings.get().tools.talks,
      saveTurn: (talk, turn) => recordings.talkRecorder.addWords(talk, turn),
      openTranscriber: ({ onProgress, onStatus }) =>
        new PhraseTranscriber({
          onProgress,
          onStatus,
          clock: machine.clock,
          prompt: servers.texts.phrasePrompt,
          openSession: (server, emit) => {
            const profile = servers.profile(server);
            return servers.sessions.openSession(
              {
                mode: 'chat',
                settings: {},
                dialect: profile?.dialect ?? 'auto',
                chunkMs: defaultChunkMs,
              },
              {
                emit,
                server: profile && endpointAddress(profile),
                sockets: servers.openLazySockets(server),
              },
            );
          },
        }),
    });
    machine.lifetime.add(
      settings.listen((event) => {
        if (event.kind !== 'changed') return;
        const { settings: now, before } = event;
        if (
          now.privacy.ownWords !== before.privacy.ownWords ||
          now.tools.talks !== before.tools.talks
        )
          userTranscript.onSettingsChanged();
      }),
      'settings listener: user transcript',
    );
    machine.lifetime.add(
      recordings.sync.onChange(({ does, ref }) => {
        if (does === 'deleted' && ref.kind === 'talk') userTranscript.forget(ref.id);
      }),
      'history listener: user transcript',
    );
    machine.lifetime.add(() => userTranscript.end(), 'user transcript');
    return userTranscript;
  }

  #openTapeTranscriber(): TapeTranscriber {
    const { machine, servers, tapes, recordings } = this.#parts;
    const transcriber = new TapeTranscriber({
      clock: machine.clock,
      userTranscript: this.userTranscript,
      parseTime: Date.parse,
      record: recordings.readTalkRecord,
      keepRecord: (talk) => recordings.talks.keepRecord(talk),
      hasRecord: async (talk) => (await recordings.texts.record(talk)).ok,
      loadTape: (talk) => recordings.finder.openStored(talk),
      rendering: tapes.rendering,
      servers: () => servers.settings.get().endpoints.list,
      onProgress: (id) => void recordings.sync.update({ kind: 'talk', id }),
    });
    machine.lifetime.add(() => transcriber.end(), 'tape transcriber');
    return transcriber;
  }

  #openSounds(): void {
    const { machine, servers, audio, recordings } = this.#parts;
    const { lifetime, notices } = machine;
    const { createSpeaker } = audio.devices;
    const sounds = new MicrophoneSounds({ settings: servers.soundSettings, createSpeaker });
    lifetime.add(() => sounds.end(), 'microphone sounds');
    lifetime.add(notices.listen(sounds.onNotice), 'notice listener: microphone sounds');
    lifetime.add(
      notices.listen(({ name, payload }) => {
        if (name === 'frameSent') recordings.talkRecorder.picture(payload);
      }),
      'notice listener: pictures of the talk record',
    );
  }

  #openJournal(): TalkJournal {
    const { machine, servers, recordings } = this.#parts;
    const { talkRecorder } = recordings;
    const journal = new TalkJournal({
      file: machine.journal('talk-journal'),
      clock: machine.clock,
      wallNow: machine.wallClock,
      allowed: () => servers.settings.get().privacy.keepTalks !== 'no' && !talkRecorder.isIncognito,
      asksUser: () => talkRecorder.awaitsDecision,
    });
    machine.lifetime.add(() => journal.end(), 'talk journal');
    return journal;
  }

  /** A chat session with the talk's server calls the tools that the user asks for. */
  #openTasks(): ToolTasks {
    const { machine, servers, tools } = this.#parts;
    const { settings, texts } = servers;
    const tasks = new ToolTasks({
      clock: machine.clock,
      wallClock: machine.wallClock,
      random: machine.random,
      tools: () => tools.forChats,
      settings: settings.get,
      view: () => this.controller.view,
      prompts: texts.talkToolPrompts,
      lastWords: () => this.userTranscript.lastWords(),
      openSession: (server, emit) => servers.openWrittenSession(server, emit),
      contextTokens: servers.contextTokens,
      lacksChat: (server) =>
        servers.profile(server)?.kind === 'computer' && !servers.model.wouldStart('chat'),
      // On this computer, a chat has another process than the talk, so its start says nothing about the talk's next session.
      chatStartsAsFastAsTalk: (server) => servers.profile(server)?.kind !== 'computer',
      answerCall: (call, text) => this.controller.withTalk((talk) => talk.answerCall(call, text)),
      tell: (result, sessionStartMs) => {
        this.controller.withTalk((talk) => talk.addResult(result, sessionStartMs));
      },
    });
    machine.lifetime.add(() => tasks.end(), 'tool tasks');
    return tasks;
  }

  #openController(): TalkController {
    const { machine, servers, audio, voices, vision, recordings, memory, systemSleep } =
      this.#parts;
    const { clock, log, lifetime, notices } = machine;
    const { settings, sessions, texts, paces, limits } = servers;
    const language = () => spokenLanguage(settings.get().appearance.language);
    const talk = new TalkController({
      clock,
      log,
      post: notices.post,
      timeOfDay: (time) => timeOfDay(time, language()),
      formatStamp: stampOf,
      settings: servers.soundSettings,
      carryOverMessages: texts.carryOverMessages,
      talkToolPrompts: texts.talkToolPrompts,
      openConversation: sessions.openConversation,
      connect: (plan) => this.#connect(plan),
      sessionSettings: () => voices.sessionSettings(language()),
      missingVoiceErrors: voices.missingVoiceErrors,
      createSpeaker: audio.devices.createSpeaker,
      openMicrophone: audio.devices.openMicrophone,
      openComputerSound: audio.devices.openComputerSound,
      acquireSound: () => {
        memory.suggester.cancelRequest();
        return audio.lock.preempt();
      },
      bargeInOptions: () => ({ ...defaultBargeInOptions, ...settings.get().talking.overlap }),
      paces,
      limits,
      talkRecorder: recordings.talkRecorder,
      userTranscript: this.userTranscript,
      tasks: this.tasks,
      journal: this.journal,
      framePipeline: vision.framePipeline,
      systemSleep,
    });
    // A talk ends before its tape, and both before the stores that they write to.
    lifetime.add(() => recordings.tapes.end(), 'talk tapes');
    lifetime.add(() => talk.end(), 'talk');
    return talk;
  }

  /**
   * Connects to the chosen server. Records to a tape if the user keeps tapes; otherwise, if the user turned that on,
   * holds the last two minutes in memory. Records nothing in Incognito.
   */
  async #connect(plan: TalkPlan): Promise<Outcome<TalkServer>> {
    const { machine, servers, recordings, memory, systemSleep } = this.#parts;
    const { talkRecorder, tapes, recent } = recordings;
    const connected = await servers.connector.connect();
    if (!connected.ok) return connected;
    const { profile, endpoint, sockets: serverSockets } = connected.value;
    const { id, name, dialect, traits } = profile;
    const address = endpoint?.url;
    const stamp = stampOf(machine.wallClock());
    const { incognito } = talkRecorder.storage;
    if (!incognito) memory.suggester.noteServer({ kind: 'talk', id: stamp }, id);
    const facts = { ...plan, dialect, endpoint: address ?? id };
    const tape = incognito ? undefined : await tapes.begin(stamp, facts);
    const recorder = tape && (tape.recorder ?? recent.begin(stamp, facts));
    const stopWatching =
      recorder &&
      systemSleep?.onSuspend?.(() => recorder.record({ dir: 'event', event: { kind: 'sleep' } }));
    // History lists the tape of an ended talk, even if its text is not kept.
    const indexTape = (): void => {
      if (tape?.recorder !== undefined) void recordings.sync.update({ kind: 'talk', id: stamp });
    };
    let stopIndexing: (() => void) | undefined;
    const setTalking = (isTalking: boolean): void => {
      tape?.setTalking(isTalking);
      stopIndexing?.();
      stopIndexing = isTalking ? undefined : machine.clock.after(tapeWrittenAfterMs, indexTape);
    };
    const endRecording = async (): Promise<void> => {
      stopWatching?.();
      stopIndexing?.();
      await recent.discard(stamp);
      await tape?.finish();
      indexTape();
    };
    const computer = profile.kind === 'computer' ? computerTraits(servers.model) : undefined;
    const sockets = recorder === undefined ? serverSockets : recordSockets(serverSockets, recorder);
    const { openSession } = servers.sessions;
    return {
      ok: true,
      value: {
        id,
        stamp,
        incognito,
        name,
        address,
        dialect,
        traits,
        ...computer,
        onTalking: (isTalking) => {
          computer?.onTalking?.(isTalking);
          setTalking(isTalking);
        },
        openSession: (options, emit) =>
          openSession(
            { ...options, voiceForm: traits?.voiceForm },
            { sockets, emit, server: address },
          ),
        shorten: shortenByChat(dialect, {
          clock: machine.clock,
          // Nobody records this session, because the tape holds only the talk.
          openSession: (options, emit) =>
            openSession(options, { sockets: serverSockets, emit, server: address }),
        }),
        memory: incognito ? undefined : await this.#readMemory(),
        tools: incognito ? undefined : this.tasks.definitions,
        record: recorder && {
          write: (event) => recorder.record({ dir: 'event', event }),
          onAnswer: recorder.countAnswer,
          onSound: recorder.addSound,
        },
        onShown: tape?.onShown,
        onEnded: endRecording,
      },
    };
  }

  /**
   * Returns a function that formats what the model is given: the sentences about the user, and passages of earlier
   * conversations that the user asked about. The role is the one that the talk began with.
   */
  async #readMemory(): Promise<TalkServer['memory']> {
    const { servers, memory } = this.#parts;
    const { preset } = servers.settings.get().assistant;
    const format = await memory.sender.prepare();
    const formatPast = await memory.formatPast();
    return (instructions, contextTokens) => {
      const known = format({ role: preset, instructions, contextTokens });
      const before = withInstructions(instructions, known);
      return withInstructions(known, memory.talkPassages.text(formatPast, before, contextTokens));
    };
  }

  #followStorageSetting(): void {
    const { machine, servers } = this.#parts;
    machine.lifetime.add(
      servers.settings.listen((event) => {
        if (event.kind !== 'changed') return;
        const { keepTalks } = event.settings.privacy;
        if (keepTalks === event.before.privacy.keepTalks) return;
        this.journal.onViewChange(this.controller.view);
        if (keepTalks === 'no') this.journal.removeCrashedTalk();
      }),
      'settings listener: talk journal',
    );
  }

  #openGlobalKey(): GlobalKeyController {
    const { machine, servers, globalKeys = [], onCursorKey } = this.#parts;
    const key = new GlobalKeyController({
      backends: globalKeys,
      settings: servers.settings,
      clock: machine.clock,
      wallClock: machine.wallClock,
      talkKey: this.controller.talkKey,
      onCursorKey,
      post: machine.notices.post,
    });
    machine.lifetime.add(() => key.end(), 'global keys');
    return key;
  }
}
