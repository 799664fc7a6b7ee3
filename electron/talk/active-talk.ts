import { soundChoiceName } from '../../shared/audio/listed-device.ts';
import type { AppError, Outcome } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import type { DialectName, DuplexMode } from '../../shared/protocol/realtime-api.ts';
import type { TalkKeeping } from '../../shared/recordings/talk-keeping.ts';
import { withConfig } from '../../shared/settings/assistant-settings.ts';
import type { AudioSettings } from '../../shared/settings/audio-settings.ts';
import type { ServerTraits } from '../../shared/settings/endpoint-profile.ts';
import { beginsMuted } from '../../shared/settings/talking-settings.ts';
import type { TalkState } from '../../shared/talk/talk-state.ts';
import type { BargeInOptions } from '../audio/detection/barge-in.ts';
import type { SoundOpeners } from '../audio/devices/sound-devices.ts';
import { heardLevels } from '../audio/dsp/level-meter.ts';
import type { ServerPaces } from '../settings/servers/server-memory.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';
import { TalkVision } from './context-spending.ts';
import type { ConversationEvent } from './conversation-event.ts';
import type { ConversationDeps, ConversationOptions, RecordTalk } from './conversation-options.ts';
import type { Conversation, OpenConversation } from './conversation.ts';
import type { OwnWordsController } from './own-words/own-words-controller.ts';
import type { ServerLimits } from './server-limits.ts';
import type { SessionPhase } from './session/session-event.ts';
import type { CutTalk, TalkJournal } from './talk-journal.ts';
import { TalkSoundDevices } from './talk-sound-devices.ts';

/** The server that a talk begins with, and stays with. */
export interface TalkServer {
  readonly id: string;
  readonly name: string;
  /** Nothing for the demonstration. */
  readonly address?: string | undefined;
  readonly dialect: 'auto' | DialectName;
  readonly traits?: ServerTraits | undefined;
  /** When it was connected, as the name of what is kept of the talk, and whether nothing is. */
  readonly stamp: string;
  readonly incognito: boolean;
  readonly openSession: ConversationDeps['openSession'];
  /** Where its chat can be asked to. */
  readonly shorten?: ConversationDeps['shorten'];
  /** Where a tape is made of it. */
  readonly record?: Omit<RecordTalk, 'devices'> | undefined;
  /** Its talk is on the screen: what is to be said of it is seen from now on. */
  readonly shown?: (() => void) | undefined;
  /** The talk is over for good: nothing more is said to this server. */
  readonly left?: (() => Promise<void>) | undefined;
}

/** What is known of a talk before its server is. */
export interface TalkPlan {
  readonly mode: DuplexMode;
  readonly chunkMs: number;
  readonly settings: SessionSettings;
  readonly carryOver: CoreMessages['carryOver'];
}

/** What only some systems say: that it is about to sleep, and that its screen was locked. */
interface LockEvents {
  readonly onSuspend?: (suspends: () => void) => () => void;
  readonly onLock?: (locked: () => void) => () => void;
}

/** What keeps the words of talks. */
export interface TalkHistory {
  begin(talk: BegunTalk): void;
  restore(cut: CutTalk, id: string): void;
  readonly hear: (event: ConversationEvent) => void;
  listen(tell: (keeping: TalkKeeping) => void): void;
}

/** A talk that was begun, and where. */
export interface BegunTalk {
  readonly id: string;
  readonly incognito: boolean;
  readonly mode: DuplexMode;
  readonly name: string;
  readonly address?: string | undefined;
}

export interface TalkControllerDeps extends Pick<SoundOpeners, 'createSpeaker' | 'openMicrophone'> {
  readonly clock: Clock;
  readonly log: Log;
  readonly post: PostNotice;
  readonly settings: Pick<SettingsStore, 'get' | 'listen' | 'change'>;
  readonly carryOverMessages: () => Promise<CoreMessages['carryOver']>;
  readonly openConversation: OpenConversation;
  readonly overlap: () => BargeInOptions;
  /** The chosen server, ready to be talked with. */
  readonly connect: (plan: TalkPlan) => Promise<Outcome<TalkServer>>;
  readonly sessionSettings: () => Promise<Outcome<SessionSettings>>;
  /** What those settings name and is not there. */
  readonly missingVoices?: (() => readonly AppError[]) | undefined;
  /** Everybody else lets go of microphone and speaker. */
  readonly acquireSound?: (() => Promise<void>) | undefined;
  readonly paces: ServerPaces;
  readonly limits: ServerLimits;
  readonly keeper: TalkHistory;
  readonly ownWords: Pick<OwnWordsController, 'begin' | 'hear' | 'said' | 'listen'>;
  readonly journal: Pick<TalkJournal, 'changed' | 'left' | 'dropLeft' | 'hold'>;
  /** A moment as the name of a folder. */
  readonly stampOf: (time: number) => string;
  /** A moment as a person reads it. */
  readonly timeOfDay: (time: number) => string;
  readonly framePipeline: Pick<
    FramePipeline,
    | 'attach'
    | 'frameSent'
    | 'stepCounted'
    | 'listen'
    | 'setMemory'
    | 'budget'
    | 'frameTokens'
    | 'pictureScale'
  >;
  /** Missing where the system says nothing of it. */
  readonly systemSleep?: (SystemSleep & LockEvents) | undefined;
}

/** Hears what a talk emits. */
export type TalkListener = (event: ConversationEvent, talk: ActiveTalk) => void;

/** A talk with what is its own: it has devices and the camera's frames while it goes on, and gives them back when it ends. */
export class ActiveTalk {
  readonly conversation: Conversation;
  readonly devices: TalkSoundDevices;
  readonly mode: DuplexMode;
  readonly server: TalkServer;
  readonly vision: TalkVision;
  readonly #deps: TalkControllerDeps;
  readonly #emit: TalkListener;
  #phase: TalkState['phase'] = 'idle';
  /** A server takes the talk, or will in a moment. */
  #admitted = false;
  #leaveFramePipeline: () => void = () => undefined;

  /** The devices are opened when they are woken. */
  constructor(
    { mode, chunkMs, settings, carryOver }: TalkPlan,
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
      heardLevels((level) => deps.post('level', level)),
    );
    this.vision = new TalkVision(mode, {
      clock: deps.clock,
      framePipeline: deps.framePipeline,
      memory: (dialect) => deps.limits.memoryOf(address, traits, dialect),
    });
    // What is told while the conversation is still being opened waits until there is one.
    let early: ConversationEvent[] | undefined = [];
    this.conversation = deps.openConversation(
      {
        mode,
        settings: { ...settings, generation: withConfig(settings.generation, traits?.config) },
        dialect: server.dialect,
        ...deps.limits.of({ mode, address }, traits),
        chunkMs,
        talking: talking.mode,
        muted: beginsMuted(talking),
        yielding: talking.yielding,
        handsOver: talking.longTalks === 'handOver',
        bargeIn: deps.overlap(),
        pace: deps.paces.of(address),
        answers: talking.answers,
        carryOver,
        earlier,
      },
      {
        openSession: server.openSession,
        shorten: server.shorten,
        speaker: this.devices.speaker,
        played: this.devices.played,
        said: deps.ownWords.said,
        microphone: this.devices.microphone,
        record: server.record && { ...server.record, devices: namesOf(audio) },
        emit: (event) => {
          if (early === undefined) this.#hear(event);
          else early.push(event);
        },
      },
    );
    const waiting = early;
    early = undefined;
    for (const event of waiting) this.#hear(event);
  }

  /** It can go on, though. */
  get ended(): boolean {
    return this.#phase === 'ended';
  }

  /** One that has ended by now needs neither devices nor frames. */
  async open(): Promise<void> {
    this.#leaveFramePipeline();
    if (this.ended) return;
    if (this.mode === 'video')
      this.#leaveFramePipeline = this.#deps.framePipeline.attach(this.conversation);
    await Promise.all([
      this.devices.openSpeaker(this.conversation),
      this.#admitted ? this.devices.openMicrophone(this.conversation) : undefined,
    ]);
  }

  #hear(event: ConversationEvent): void {
    // Before anybody is told: they may ask at once whether it goes on.
    if (event.event === 'talk') this.#enter(event.state.phase);
    if (event.event === 'state') this.#followSession(event.state);
    this.vision.hear(event);
    this.#emit(event, this);
    if (event.event === 'sent' && event.frames > 0) this.#deps.framePipeline.frameSent();
    if (event.event === 'metrics') {
      const { figures, stepUsage } = event.metrics;
      const counted = stepUsage?.inputVision;
      this.#deps.framePipeline.stepCounted({
        ...figures,
        ...(counted !== undefined && { vision_tokens: counted }),
      });
    }
    if (event.event !== 'talk' || event.state.phase !== 'ended') return;
    // Without a talk the page is shown what would go.
    this.#leaveFramePipeline();
    void this.devices.closeWhenHeard();
  }

  #enter(phase: TalkState['phase']): void {
    this.#phase = phase;
    if (phase !== 'queued' && phase !== 'ended') return;
    this.#admitted = false;
    // Nobody's microphone is open for as long as a queue lasts; also not where a lost talk has to queue again.
    if (phase === 'queued') void this.devices.closeMicrophone();
  }

  #followSession(phase: SessionPhase): void {
    if (this.#admitted || (phase !== 'configuring' && phase !== 'live')) return;
    this.#admitted = true;
    void this.devices.openMicrophone(this.conversation);
  }

  /** For good: nothing goes on after this. */
  async leave(): Promise<void> {
    this.#leaveFramePipeline();
    await this.conversation.close();
    await this.devices.end();
    await this.server.left?.();
  }
}

function namesOf({ microphone, speaker }: AudioSettings): RecordTalk['devices'] {
  return { microphone: soundChoiceName(microphone, []), speaker: soundChoiceName(speaker, []) };
}
