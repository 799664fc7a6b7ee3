import type { AppError } from '../../shared/errors/app-error.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { SessionSettings } from '../../shared/protocol/client-event.ts';
import type { DialectName, DuplexMode } from '../../shared/protocol/dialect-and-mode.ts';
import type { BargeInOptions } from '../../shared/sound/barge-in-options.ts';
import type {
  ConversationDeps,
  OpenConversation,
  RecordTalk,
} from '../conversation/conversation.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { SystemSleep } from '../ports/system-sleep.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { FramePipeline } from '../vision/frame-pipeline.ts';
import type { OwnWordsController } from './own-words-controller.ts';
import type { ServerTraits } from '../../shared/settings/server-traits.ts';
import type { ServerLimits } from './server-limits.ts';
import type { ServerPaces } from './server-paces.ts';
import type { TalkJournal } from './talk-journal.ts';
import type { TalkKeeper } from './talk-keeper.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';
import type { SoundOpeners } from '../sound/playback/speaker.ts';

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

export interface TalkControllerDeps extends SoundOpeners {
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
  readonly keeper: Pick<TalkKeeper, 'begin' | 'hear' | 'leave' | 'restore' | 'listen' | 'asks'>;
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
