import type { Language } from '../../shared/presets/preset.ts';
import type { SessionSettings } from '../../shared/protocol/client-ask.ts';
import type { DialectName } from '../../shared/protocol/names.ts';
import type { OverlapOptions } from '../../shared/sound/overlap-options.ts';
import type { ConversationNeeds } from '../conversation/conversation.ts';
import type { Clock, Log, Outcome, Random } from '../ports.ts';
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
  readonly connect: () => Promise<Outcome<TalkServer>>;
  readonly sessionSettings: () => Promise<Outcome<SessionSettings>>;
  readonly seeing: Pick<Seeing, 'join' | 'frameWent'>;
}
