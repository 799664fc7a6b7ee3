import { soundChoiceName, type AudioSettings } from '../../shared/settings/audio-settings.ts';
import type { AppError, Outcome } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import type { Log } from '../../shared/ports/log.ts';
import type {
  SessionSettings,
  DialectName,
  DuplexMode,
} from '../../shared/protocol/realtime-api.ts';
import { withConfig } from '../../shared/settings/assistant-settings.ts';
import type { ServerTraits } from '../../shared/settings/connection-settings.ts';
import { startsMuted } from '../../shared/settings/app-settings.ts';
import type {
  TalkStorageState,
  ToolTask,
  TalkState,
  UserPhrase,
} from '../../shared/talk/talk-view.ts';
import type { ContextFacts } from '../../shared/vision/context-facts.ts';
import type { BargeInOptions } from '../audio/detection/barge-in.ts';
import type { SoundOpeners } from '../audio/devices/sound-devices.ts';
import { throttleSilence } from '../audio/dsp/loudness.ts';
import type { ServerPaces } from '../settings/servers/server-facts.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';
import { ContextUsage } from './context-usage.ts';
import type {
  ConversationDeps,
  ConversationEvent,
  ConversationOptions,
  RecordTalk,
} from './conversation-options.ts';
import type { Conversation, OpenConversation } from './conversation.ts';
import type { ServerLimits } from './server-limits.ts';
import type { SessionPhase } from './session/session-event.ts';
import type { CrashedTalk, TalkJournal } from './talk-journal.ts';
import { TalkSoundDevices } from './talk-sound-devices.ts';
import type { UserTranscriptController } from './user-transcript/user-transcript-controller.ts';

/** The server of one talk, from the talk's start to its end. */
export interface TalkServer {
  readonly id: string;
  readonly name: string;
  /** Undefined for the demonstration. */
  readonly address?: string | undefined;
  readonly dialect: 'auto' | DialectName;
  readonly traits?: ServerTraits | undefined;
  /** When the talk was connected. This time names the talk's stored files. Incognito talks store none. */
  readonly stamp: string;
  readonly incognito: boolean;
  readonly openSession: ConversationDeps['openSession'];
  /** Undefined if the server's chat cannot shorten a transcript. */
  readonly shorten?: ConversationDeps['shorten'];
  /** Undefined if the model may know nothing about the user. */
  readonly memory?: ConversationDeps['memory'];
  /** Undefined if the model may call no tools. */
  readonly tools?: ConversationDeps['tools'];
  /** Undefined if the talk is not recorded. */
  readonly record?: Omit<RecordTalk, 'devices'> | undefined;
  /** Called once pages show the talk, so that the user sees messages about it. */
  readonly onShown?: (() => void) | undefined;
  /** The shortest pause between pictures that the server can take now. */
  readonly minPauseMs?: (() => number) | undefined;
  /** Reports whether the talk runs. After an end it can continue, so true may follow false. */
  readonly onTalking?: ((isTalking: boolean) => void) | undefined;
  /** Called when the talk is closed for good and sends nothing more to this server. */
  readonly onEnded?: (() => Promise<void>) | undefined;
}

/** The parts of a talk that are known before its server. */
export interface TalkPlan {
  readonly mode: DuplexMode;
  readonly chunkMs: number;
  readonly settings: SessionSettings;
  readonly carryOver: CoreMessages['carryOver'];
  readonly talkTools: CoreMessages['talkTools'];
}

/** System events that only some platforms report. */
interface SuspendAndLockEvents {
  readonly onSuspend?: (listener: () => void) => () => void;
  readonly onLock?: (listener: () => void) => () => void;
}

export interface TalkHistory {
  begin(talk: BegunTalk): void;
  restore(crashed: CrashedTalk, id: string): void;
  readonly onEvent: (event: ConversationEvent) => void;
  listen(onChange: (state: TalkStorageState) => void): void;
}

export interface BegunTalk {
  readonly id: string;
  readonly incognito: boolean;
  readonly mode: DuplexMode;
  readonly name: string;
  readonly address?: string | undefined;
}

/** Runs tools that the user's words or the model ask for. Gets the talk's events by these methods. */
interface ToolTasksPort {
  listen(listener: (task: ToolTask) => void): void;
  begin(talk: Pick<TalkServer, 'id' | 'incognito'>): void;
  onTalkState(state: TalkState): void;
  onPhrase(phrase: UserPhrase): void;
  onResultsGiven(ids: readonly string[]): void;
  onSession(callsTools: boolean): void;
  /** The model calls a tool, or gives the call up if `ask` is undefined. */
  onToolCall(call: string, ask: Extract<ConversationEvent, { event: 'toolCall' }>['ask']): void;
}

export interface TalkControllerDeps extends Pick<
  SoundOpeners,
  'createSpeaker' | 'openMicrophone' | 'openComputerSound'
> {
  readonly clock: Clock;
  readonly log: Log;
  readonly post: PostNotice;
  readonly settings: Pick<SettingsStore, 'get' | 'listen' | 'change'>;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
  readonly talkToolPrompts: () => Promise<CoreMessages['talkTools']>;
  readonly openConversation: OpenConversation;
  readonly bargeInOptions: () => BargeInOptions;
  /** Prepares the chosen server for a talk. */
  readonly connect: (plan: TalkPlan) => Promise<Outcome<TalkServer>>;
  readonly sessionSettings: () => Promise<Outcome<SessionSettings>>;
  /** Errors for voices that the session settings name but that no longer exist. */
  readonly missingVoiceErrors?: (() => readonly AppError[]) | undefined;
  /** Ends every other use of the microphone and speaker, such as a sound test. */
  readonly acquireSound?: (() => Promise<void>) | undefined;
  readonly paces: ServerPaces;
  readonly limits: ServerLimits;
  readonly talkRecorder: TalkHistory;
  readonly userTranscript: Pick<
    UserTranscriptController,
    'begin' | 'onEvent' | 'pushAudio' | 'listen'
  >;
  /** Undefined if talks have no tools. */
  readonly tasks?: ToolTasksPort | undefined;
  readonly journal: Pick<
    TalkJournal,
    'onViewChange' | 'readCrashedTalk' | 'removeCrashedTalk' | 'saveForRestart'
  >;
  /** Formats a time as the name of a folder. */
  readonly formatStamp: (time: number) => string;
  /** Formats a time for people to read. */
  readonly timeOfDay: (time: number) => string;
  readonly framePipeline: Pick<
    FramePipeline,
    | 'attach'
    | 'frameSent'
    | 'stepCounted'
    | 'listen'
    | 'setContext'
    | 'budget'
    | 'frameTokens'
    | 'pictureScale'
  >;
  /** Undefined where the system reports no sleep. */
  readonly systemSleep?: (SystemSleep & SuspendAndLockEvents) | undefined;
}

export type TalkListener = (event: ConversationEvent, talk: ActiveTalk) => void;

/**
 * One talk of the window: its conversation with the server, its sound devices and its camera frames. When the talk ends,
 * it closes the devices and takes no more frames.
 */
export class ActiveTalk {
  readonly conversation: Conversation;
  readonly devices: TalkSoundDevices;
  readonly mode: DuplexMode;
  readonly server: TalkServer;
  readonly vision: TalkVision;
  readonly #deps: TalkControllerDeps;
  readonly #emit: TalkListener;
  #phase: TalkState['phase'] = 'idle';
  /** The server has given the talk a worker, so the microphone may open. */
  #admitted = false;
  #leaveFramePipeline: () => void = () => undefined;

  /** Opens no device; `open` does. */
  constructor(
    { mode, chunkMs, settings, carryOver, talkTools }: TalkPlan,
    server: TalkServer,
    earlier: ConversationOptions['earlier'],
    deps: TalkControllerDeps,
    emit: TalkListener,
  ) {
    this.mode = mode;
    this.server = server;
    this.#deps = deps;
    this.#emit = emit;
    const { address, traits } = server;
    const { talking, audio } = deps.settings.get();
    this.devices = new TalkSoundDevices(
      audio,
      deps,
      throttleSilence((level) => deps.post('level', level)),
      (state) => this.conversation.onComputerSound(state),
    );
    this.vision = new TalkVision(mode, {
      clock: deps.clock,
      framePipeline: deps.framePipeline,
      contextFacts: (dialect) => deps.limits.contextFacts(address, traits, dialect),
    });
    // Events that arrive before `openConversation` returns wait until the conversation is assigned.
    let earlyEvents: ConversationEvent[] | undefined = [];
    this.conversation = deps.openConversation(
      {
        mode,
        settings: { ...settings, generation: withConfig(settings.generation, traits?.config) },
        dialect: server.dialect,
        ...deps.limits.limitsFor({ mode, address }, traits),
        chunkMs,
        talking: talking.mode,
        muted: startsMuted(talking),
        yielding: talking.yielding,
        handsOver: talking.longTalks === 'handOver',
        bargeIn: deps.bargeInOptions(),
        pace: deps.paces.recall(server),
        answers: talking.answers,
        carryOver,
        talkTools,
        earlier,
      },
      {
        openSession: server.openSession,
        shorten: server.shorten,
        memory: server.memory,
        tools: server.tools,
        speaker: this.devices.speaker,
        onPlayed: this.devices.played,
        onTransmitted: deps.userTranscript.pushAudio,
        addComputerSound: this.devices.computer.addTo,
        microphone: this.devices.microphone,
        record: server.record && { ...server.record, devices: deviceNames(audio) },
        emit: (event) => {
          if (earlyEvents === undefined) this.#onEvent(event);
          else earlyEvents.push(event);
        },
      },
    );
    const waiting = earlyEvents;
    earlyEvents = undefined;
    for (const event of waiting) this.#onEvent(event);
  }

  /** An ended talk can still continue. */
  get hasEnded(): boolean {
    return this.#phase === 'ended';
  }

  /** Opens devices and attaches frames, unless the talk has ended by now. */
  async open(): Promise<void> {
    this.#leaveFramePipeline();
    if (this.hasEnded) return;
    if (this.mode === 'video')
      this.#leaveFramePipeline = this.#deps.framePipeline.attach(
        this.conversation,
        this.server.minPauseMs,
      );
    await Promise.all([
      this.devices.openSpeaker(this.conversation),
      this.#admitted ? this.devices.openMicrophone(this.conversation) : undefined,
    ]);
  }

  #onEvent(event: ConversationEvent): void {
    // The phase is set before listeners run, because they may read it.
    if (event.event === 'talk') this.#setPhase(event.state.phase);
    if (event.event === 'state') this.#followSession(event.state);
    this.vision.onEvent(event);
    this.#emit(event, this);
    if (event.event === 'sent' && event.frames > 0) this.#deps.framePipeline.frameSent();
    if (event.event === 'metrics') {
      const { values, stepUsage } = event.metrics;
      const counted = stepUsage?.inputVision;
      this.#deps.framePipeline.stepCounted({
        ...values,
        ...(counted !== undefined && { vision_tokens: counted }),
      });
    }
    if (event.event !== 'talk' || event.state.phase !== 'ended') return;
    // Without a talk, the page shows a preview of the frames instead.
    this.#leaveFramePipeline();
    void this.devices.closeWhenHeard();
  }

  #setPhase(phase: TalkState['phase']): void {
    this.#phase = phase;
    this.server.onTalking?.(phase !== 'ended');
    if (phase !== 'queued' && phase !== 'ended') return;
    this.#admitted = false;
    // A talk whose connection was lost may queue again with an open microphone.
    if (phase === 'queued') void this.devices.closeMicrophone();
  }

  #followSession(phase: SessionPhase): void {
    if (this.#admitted || (phase !== 'configuring' && phase !== 'live')) return;
    this.#admitted = true;
    void this.devices.openMicrophone(this.conversation);
  }

  /** Ends the talk for good; it cannot continue afterwards. */
  async close(): Promise<void> {
    this.#leaveFramePipeline();
    await this.conversation.close();
    await this.devices.end();
    this.server.onTalking?.(false);
    await this.server.onEnded?.();
  }
}

function deviceNames({ microphone, speaker }: AudioSettings): RecordTalk['devices'] {
  return { microphone: soundChoiceName(microphone, []), speaker: soundChoiceName(speaker, []) };
}

export interface TalkVisionDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly framePipeline: Pick<FramePipeline, 'setContext' | 'budget' | 'frameTokens'>;
  readonly contextFacts: (dialect: DialectName) => ContextFacts;
}

/** Tells the frame budget how much context a talk has left, and who speaks. */
export class TalkVision {
  readonly contextUsage: ContextUsage;
  readonly #mode: DuplexMode;
  readonly #deps: TalkVisionDeps;

  constructor(mode: DuplexMode, deps: TalkVisionDeps) {
    this.#mode = mode;
    this.#deps = deps;
    this.contextUsage = new ContextUsage(() => deps.framePipeline.frameTokens);
  }

  onEvent(event: ConversationEvent): void {
    this.contextUsage.onEvent(event);
    if (this.#mode !== 'video') return;
    const { framePipeline, clock, contextFacts } = this.#deps;
    const { budget } = framePipeline;
    const now = clock.now();
    if (event.event === 'session') {
      framePipeline.setContext(contextFacts(event.dialect));
      budget.begin(now, event.promptLength);
    } else if (event.event === 'floor') {
      const { floor } = event;
      budget.setAttention(now, {
        userSpeaks: floor === 'you' || floor === 'both',
        answerSounds: floor === 'parley' || floor === 'both',
      });
    } else if (event.event === 'limits') {
      const { tokens, pruning } = event.limits;
      budget.setContextRoom(now, {
        tokensLeft: pruning ? undefined : tokens,
        otherTokensPerSecond: this.contextUsage.otherTokensPerSecond,
      });
    }
  }
}
