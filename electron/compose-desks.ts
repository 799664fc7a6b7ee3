import { composeChat } from './compose-chat.ts';
import type { ChatDoors } from './compose-chat.ts';
import type { GatewayDoors } from './compose-gateway.ts';
import { composePrivacy } from './compose-privacy.ts';
import type { SeeingDoors } from './compose-seeing.ts';
import type { SessionDoors } from './compose-sessions.ts';
import type { SettingsDoors } from './compose-settings.ts';
import type { SoundDoors } from './compose-sound.ts';
import { composeTalk } from './compose-talk.ts';
import type { TalkDoors } from './compose-talk.ts';
import type { VoiceDoors } from './compose-voices.ts';
import type { DeskHandlers } from './desk/desk-handlers.ts';
import { createSettingsHandlers } from './desk/settings-requests.ts';
import { createSoundHandlers } from './desk/sound-requests.ts';
import { SoundTurns } from './desk/sound-turns.ts';
import type { TalkHandlers } from './desk/talk-requests.ts';
import { isSameSeeing, seeingOf } from '../shared/vision/kept-seeing.ts';
import { createVoiceHandlers } from './desk/voice-requests.ts';
import { createWindowHandlers } from './desk/window-requests.ts';
import type { WireWatch } from './desk/wire-watch.ts';
import type { NoticeBoard } from './ipc/notice-board.ts';
import type { AppWindows } from './ports/app-windows.ts';
import type { Clock, Random } from './ports/clock.ts';
import type { Files } from './ports/files.ts';
import type { Log } from './ports/log.ts';
import type { Pictures } from './ports/pictures.ts';
import type { Lifetime } from '../shared/lifetime.ts';

/** What pages, keys and the tray ask for. */
export interface DeskDoors extends TalkDoors, ChatDoors {
  /**
   * For hosts that stay: seeing becomes what is kept of it, and what has been kept for long enough is
   * removed.
   */
  readonly begin: () => void;
}

interface Needs
  extends GatewayDoors, SessionDoors, SettingsDoors, SoundDoors, VoiceDoors, SeeingDoors {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly files: Files;
  readonly pictures: Pictures;
  readonly notices: NoticeBoard;
  readonly wire: WireWatch;
  readonly windows?: AppWindows | undefined;
}

export function composeDesks(needs: Needs): DeskDoors & {
  readonly talkHandlers: TalkHandlers;
  readonly handlers: DeskHandlers;
} {
  const { settings, seeing, notices, wire, lifetime } = needs;
  const post: NoticeBoard['post'] = (name, payload) => {
    notices.post(name, payload);
  };
  const turns: SoundTurns = new SoundTurns({
    talking: () => talking.talk.active,
    quiet: () => {
      chatting.silenceChats();
    },
  });
  const talking = composeTalk({ ...needs, turns });
  const chatting = composeChat({ ...needs, turns });
  const privacy = composePrivacy({ ...needs, ...talking, ...chatting });

  const see = (): void => {
    const { vision, assistant } = settings.get();
    const kept = seeingOf(vision, assistant.generation.chunkMs);
    if (!isSameSeeing(kept, seeing.settings)) seeing.set({ ...seeing.settings, ...kept });
  };
  lifetime.add(settings.listen(see));

  return {
    talk: talking.talk,
    tapes: talking.tapes,
    chats: chatting.chats,
    silenceChats: chatting.silenceChats,
    begin: () => {
      see();
      void talking.tapes.tidy();
      void chatting.chats();
    },
    talkHandlers: talking.handlers,
    handlers: {
      ...chatting.handlers,
      ...privacy,
      ...wire.handlers,
      ...createSettingsHandlers({ ...needs, post }),
      ...createVoiceHandlers({ ...needs, turns, post }),
      ...createSoundHandlers({ ...needs, turns, post }),
      ...createWindowHandlers(needs.windows),
    },
  };
}
