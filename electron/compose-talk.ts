import { join } from 'node:path';
import type { Lifetime } from '../shared/lifetime.ts';
import type { Language } from '../shared/presets/preset.ts';
import { defaultOverlap } from '../shared/sound/overlap-options.ts';
import { createKeptFolder } from './adapters/kept-folder.ts';
import type { SeeingDoors } from './compose-seeing.ts';
import type { SessionDoors } from './compose-sessions.ts';
import type { SettingsDoors } from './compose-settings.ts';
import type { SoundDoors } from './compose-sound.ts';
import type { VoiceDoors } from './compose-voices.ts';
import { TalkDesk } from './desk/talk-desk.ts';
import { createTalkHandlers } from './desk/talk-requests.ts';
import type { TalkHandlers } from './desk/talk-requests.ts';
import type { SoundTurns } from './desk/sound-turns.ts';
import { TalkTapes } from './desk/talk-tapes.ts';
import type { NoticeBoard } from './ipc/notice-board.ts';
import type { Clock, Random } from './ports/clock.ts';
import type { Log } from './ports/log.ts';
import { recordSockets } from './recording/record-sockets.ts';

/** The spoken conversation that pages, keys and the tray all mean. */
export interface TalkDoors {
  readonly talk: TalkDesk;
  readonly tapes: TalkTapes;
}

interface Needs
  extends
    Pick<SessionDoors, 'openSession' | 'openTape'>,
    Pick<SettingsDoors, 'settings' | 'endpoints'>,
    Pick<SoundDoors, 'openSpeaker' | 'openMicrophone'>,
    Pick<VoiceDoors, 'sessionSettings'>,
    SeeingDoors {
  readonly folder: string;
  readonly turns: SoundTurns;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly notices: NoticeBoard;
  readonly lifetime: Lifetime;
}

const wallNow = (): number => Date.now();

export function composeTalk(needs: Needs): TalkDoors & { readonly handlers: TalkHandlers } {
  const { settings, endpoints, notices, openSession, sessionSettings } = needs;
  const language = (): Language => spokenLanguage(settings.get().appearance.language);
  const tapes = new TalkTapes({
    folder: createKeptFolder(join(needs.folder, 'tapes')),
    openTape: needs.openTape,
    privacy: () => settings.get().privacy,
    wallNow,
    stamp: () => new Date().toISOString().replaceAll(/[:.]/g, '-'),
    trouble: (told) => {
      notices.post('talkTrouble', { ...told, code: 'tape' });
    },
  });
  const talk = new TalkDesk({
    ...needs,
    post: (name, payload) => {
      notices.post(name, payload);
    },
    wallNow,
    takeSound: () => needs.turns.clear(),
    language,
    overlap: () => ({ ...defaultOverlap, ...settings.get().talking.overlap }),
    sessionSettings: () => sessionSettings(language()),
    connect: async (plan) => {
      const connected = await endpoints.connect();
      if (!connected.ok) return connected;
      const { profile, endpoint } = connected.value;
      const address = endpoint?.url ?? profile.id;
      const tape = await tapes.begin({ ...plan, dialect: profile.dialect, endpoint: address });
      const sockets =
        tape === undefined
          ? connected.value.sockets
          : recordSockets(connected.value.sockets, tape.recorder);
      return {
        ok: true,
        value: {
          id: profile.id,
          name: profile.name,
          dialect: profile.dialect,
          openSession: (options, tell) =>
            openSession(options, { sockets, tell, server: endpoint?.url }),
          left: tape?.finish,
        },
      };
    },
  });
  needs.lifetime.add(() => talk.end());
  return { talk, tapes, handlers: createTalkHandlers(talk) };
}

/** The system's own where none was chosen; of the two that Parley has words in. */
function spokenLanguage(chosen: 'system' | Language): Language {
  if (chosen !== 'system') return chosen;
  return Intl.DateTimeFormat().resolvedOptions().locale.startsWith('zh') ? 'zh' : 'en';
}
