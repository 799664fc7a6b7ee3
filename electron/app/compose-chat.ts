import { join } from 'node:path';
import { isSameDevice } from '../../shared/audio/listed-device.ts';
import type { ChatHandlers } from '../../shared/ipc/chat-ipc.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { DataFolder } from '../../shared/ports/files.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import {
  addressOf,
  chosenEndpoint,
  isSameEndpoint,
} from '../../shared/settings/connection-settings.ts';
import type { DeviceLock } from '../audio/devices/device-lease.ts';
import { JitterBuffer } from '../audio/playback/jitter-buffer.ts';
import { type ChatController, openChatController } from '../chat/chat-controller.ts';
import { createChatHandlers } from '../chat/chat-handlers.ts';
import type { KeptChats } from '../chat/chat-library.ts';
import { ChatOpener, ChatPace, ChatSessions } from '../chat/chat-opener.ts';
import type { ChatStore } from '../chat/stored-chat.ts';
import { YieldingPlayer } from '../chat/yielding-player.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { systemWallClock } from '../platform/system/system-clock.ts';
import type { ServerPaces } from '../settings/servers/server-memory.ts';
import { lazySockets } from '../talk/session/open-sockets.ts';
import type { RetentionServices } from './compose-history.ts';
import type { SoundServices, VoiceServices } from './compose-media.ts';
import type { SessionServices, SettingsServices } from './compose-servers.ts';
import type { NoticeBoard } from './ipc/request-dispatcher.ts';

/** Written conversations; nothing of them is read or opened before they are asked for. */
export interface ChatServices {
  readonly chats: () => Promise<ChatController>;
  /** Lets old conversations go. */
  readonly tidyChats: () => Promise<void>;
  /** Silences an answer that is being spoken, and lets the speaker go. */
  readonly silenceChats: () => void;
}

interface Deps
  extends
    Pick<SessionServices, 'openWrittenSession' | 'presetMessages' | 'carryOverMessages'>,
    Pick<SettingsServices, 'settings' | 'endpoints'>,
    Pick<SoundServices, 'createSpeaker' | 'openMicrophone'>,
    Pick<VoiceServices, 'voiceSound'>,
    RetentionServices {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly chatStore: ChatStore;
  readonly kept: KeptChats;
  readonly pictures: Pictures;
  readonly notices: NoticeBoard;
  readonly lock: DeviceLock;
  readonly paces: ServerPaces;
  readonly lifetime: Lifetime;
  /** This machine's own, where it is left out. */
  readonly machine?: ChatMachine | undefined;
}

/** What written conversations need of the machine beside their store. */
interface ChatMachine {
  readonly folder: DataFolder;
  readonly wallNow: WallClock;
}

/** What servers take for granted. */
const stepMs = 1000;
/** The next answer may follow at once. */
const closeAfterMs = 4000;

export function composeChat(deps: Deps): ChatServices & {
  readonly handlers: ChatHandlers;
  /** The folders were looked at, and the list may be another one. */
  readonly chatsFound: () => void;
} {
  const { settings, endpoints, clock, notices, lock, paces, lifetime } = deps;
  const { folder, wallNow }: ChatMachine = deps.machine ?? {
    folder: createDataFolder(join(deps.folder, 'chats')),
    wallNow: systemWallClock,
  };
  const { speaker: device, playbackVolume } = settings.get().audio;
  const speaker = deps.createSpeaker({
    device,
    closeAfterMs,
    emit: (event) => {
      if (event.kind !== 'lost') return;
      notices.post('chatProblem', event.error);
    },
  });
  speaker.setVolume(playbackVolume);
  const playback = new JitterBuffer({
    rate: outputRate,
    heard: nobodyListens,
    clock,
    speaker,
    stepMs,
    starts: () => settings.get().talking.answers,
  });
  const player = new YieldingPlayer({ clock, playback }, () => lock.free);

  const pace = new ChatPace(paces, playback);
  const sessions = new ChatSessions((emit) => {
    const profile = chosenEndpoint(settings.get().endpoints);
    const server = addressOf(profile);
    const over = pace.answersFrom(server);
    return deps.openWrittenSession(
      { settings: {}, dialect: profile.dialect, chunkMs: stepMs },
      {
        emit: (event) => {
          if (event.event === 'closed') over();
          emit(event);
        },
        server,
        sockets: lazySockets(async () => {
          const connected = await endpoints.connect(profile.id);
          return connected.ok ? { ok: true, value: connected.value.sockets } : connected;
        }),
      },
    );
  });
  const opener = new ChatOpener({
    ...deps,
    sessions,
    trash: deps.trashOf('chats'),
    folder,
    open: (how, { voice, manner, goOnPrompt, emit }) =>
      openChatController(how, {
        ...deps,
        wallClock: wallNow,
        store: deps.chatStore,
        player,
        openSession: sessions.openSession,
        voice,
        manner,
        goOnPrompt,
        emit,
      }),
  });

  const stopListening = settings.listen((event) => {
    if (event.kind !== 'changed') return;
    const { settings: now, before } = event;
    speaker.setVolume(now.audio.playbackVolume);
    if (!isSameDevice(now.audio.speaker, before.audio.speaker))
      void speaker.choose(now.audio.speaker);
    opener.settingsChanged(now);
    const [server, last] = [chosenEndpoint(now.endpoints), chosenEndpoint(before.endpoints)];
    if (!isSameEndpoint(server, last)) sessions.serverChanged(opener.busy);
  });
  lifetime.add(() => speaker.end(), 'the speaker of written conversations');
  lifetime.add(stopListening);

  return {
    chats: opener.controller,
    chatsFound: opener.foldersLookedAt,
    tidyChats: opener.tidy,
    silenceChats: () => {
      player.silence();
      void speaker.close();
    },
    handlers: createChatHandlers({
      ...deps,
      devices: deps,
      openController: opener.controller,
      readyVoice: opener.readyVoice,
      post: (name, payload) => {
        notices.post(name, payload);
      },
      stamp: (view) => notices.stamp(view),
    }),
  };
}

const nobodyListens = (): void => undefined;
