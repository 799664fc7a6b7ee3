import type { Language } from '../../shared/presets/preset.ts';
import type { SessionSettings } from '../../shared/protocol/client-ask.ts';
import type { DialectName, DuplexMode } from '../../shared/protocol/names.ts';
import type { OverlapOptions } from '../../shared/sound/overlap-options.ts';
import type { ConversationNeeds } from '../conversation/conversation.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Seeing } from '../vision/seeing.ts';
import type { SoundOpeners } from './talk-devices.ts';
import type { Post } from './talk-news.ts';

/** The server that a talk begins with, and stays with. */
export interface TalkServer {
  readonly id: string;
  readonly name: string;
  readonly dialect: 'auto' | DialectName;
  readonly openSession: ConversationNeeds['openSession'];
  /** The talk is over for good: nothing more is said to this server. */
  readonly left?: (() => Promise<void>) | undefined;
}

/** What is known of a talk before its server is. */
export interface TalkPlan {
  readonly mode: DuplexMode;
  readonly chunkMs: number;
  readonly settings: SessionSettings;
}

export interface TalkDeskNeeds extends SoundOpeners {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly post: Post;
  /** The calendar's milliseconds. */
  readonly wallNow: () => number;
  readonly settings: Pick<SettingsStore, 'get' | 'listen'>;
  readonly language: () => Language;
  readonly overlap: () => OverlapOptions;
  /** The chosen server, ready to be talked with. */
  readonly connect: (plan: TalkPlan) => Promise<Outcome<TalkServer>>;
  readonly sessionSettings: () => Promise<Outcome<SessionSettings>>;
  /** Everybody else lets go of microphone and speaker. */
  readonly takeSound?: (() => Promise<void>) | undefined;
  readonly seeing: Pick<Seeing, 'join' | 'frameWent'>;
}
