import { join } from 'node:path';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import { createChatStore } from '../adapters/files/chat-store.ts';
import { systemWallClock } from '../adapters/system/system-clock.ts';
import { removeLeftDrafts } from '../adapters/files/write-atomically.ts';
import { keptChatsOf } from '../controllers/kept-chats-of.ts';
import { composeChat } from './compose-chat.ts';
import type { ChatServices } from './compose-chat.ts';
import { composeRoom } from './compose-room.ts';
import { composeSaving } from './compose-saving.ts';
import { composeCompare } from './compose-compare.ts';
import { composeHistory } from './compose-history.ts';
import type { ExportServices } from './compose-export.ts';
import type { HistoryServices } from './compose-history.ts';
import { logFolder } from './compose-log.ts';
import { composePrivacy } from './compose-privacy.ts';
import { composeOwnWords } from './compose-own-words.ts';
import { composeReplay } from './compose-replay.ts';
import { composeRetention } from './compose-retention.ts';
import { composeUpdates } from './compose-updates.ts';
import type { RunningPackage, UpdateServices } from './compose-updates.ts';
import type { VisionServices } from './compose-vision.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { SoundServices } from './compose-sound.ts';
import { composeTalk } from './compose-talk.ts';
import type { ComposedTalk, TalkServices } from './compose-talk.ts';
import type { VoiceServices } from './compose-voices.ts';
import type { ControllerHandlers } from '../controllers/controller-handlers.ts';
import { tellHistory } from '../controllers/tell-history.ts';
import { createLogHandlers } from '../controllers/log-handlers.ts';
import { GlobalKeyController } from '../controllers/global-key-controller.ts';
import { LinkController } from '../controllers/link-controller.ts';
import { LinkSwitch } from '../controllers/link-switch.ts';
import { createSettingsHandlers } from '../controllers/settings-handlers.ts';
import { createSoundHandlers } from '../controllers/sound-handlers.ts';
import { SavedFolder } from '../controllers/saved-folder.ts';
import { ServerLimits } from '../controllers/server-limits.ts';
import { ServerPaces } from '../controllers/server-paces.ts';
import { DeviceLock } from '../controllers/device-lock.ts';
import { isSameVision, visionOptionsOf } from '../../shared/vision/convert-vision-settings.ts';
import { ServerAdmission } from '../settings/server-admission.ts';
import { createVoiceHandlers } from '../controllers/voice-handlers.ts';
import { createWindowHandlers } from '../controllers/window-handlers.ts';
import type { ReportMaker } from '../controllers/report-maker.ts';
import type { ReplayController } from '../controllers/replay-controller.ts';
import type { WireWatcher } from '../controllers/wire-watcher.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { AppWindows } from '../ports/app-windows.ts';
import type { Confirmation } from '../ports/confirmation.ts';
import type { Clock, Random } from '../ports/clock.ts';
import type { GlobalKeyBackend } from '../ports/global-keys.ts';
import type { Files } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { SaveWay } from '../ports/saving.ts';
import type { OpenFolder } from '../ports/open-folder.ts';
import type { ServerMemory } from '../ports/server-memory.ts';
import type { Pictures } from '../ports/pictures.ts';
import type { SoundDriver } from '../ports/sound.ts';
import type { SystemSleep } from '../ports/system-sleep.ts';
import type { Lifetime } from '../../shared/lifetime.ts';

/** What pages, keys and the tray ask for. */
export interface ControllerServices
  extends TalkServices, Omit<ChatServices, 'tidyChats'>, Pick<HistoryServices, 'history'> {
  readonly links: LinkController;
  readonly linkSwitch: LinkSwitch;
  readonly updates: Pick<UpdateServices, 'leave'>;
  readonly openTapeAt: ReplayController['openPath'];
  /**
   * For hosts that stay: vision takes the options that are stored, and what has been kept for long enough, or was left
   * by a crash, is removed.
   */
  readonly begin: () => void;
}

interface Deps
  extends
    SessionServices,
    SettingsServices,
    Pick<SoundServices, 'createSpeaker' | 'openSpeaker' | 'openMicrophone' | 'roomPhrase'>,
    VoiceServices,
    Pick<ExportServices, 'openExport' | 'hasFfmpeg'>,
    VisionServices {
  readonly sound: Pick<SoundDriver, 'devices'>;
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly lifetime: Lifetime;
  readonly servers: ServerMemory;
  readonly pictures: Pictures;
  readonly notices: NoticeBoard;
  readonly files: Files;
  readonly reports: ReportMaker;
  readonly wire: WireWatcher;
  readonly windows?: AppWindows | undefined;
  /** Where Parley runs from a package. */
  readonly runningPackage?: RunningPackage | undefined;
  readonly confirm?: Confirmation | undefined;
  readonly systemSleep?: SystemSleep | undefined;
  readonly openFolder?: OpenFolder | undefined;
  readonly saveWay?: SaveWay | undefined;
  readonly defaultDevices?: boolean | undefined;
  /** None where a host has none. */
  readonly globalKeys?: readonly GlobalKeyBackend[] | undefined;
}

export function composeControllers(deps: Deps): ControllerServices & {
  readonly handlers: ControllerHandlers;
} {
  const { settings, framePipeline, notices, wire, lifetime } = deps;
  const post: NoticeBoard['post'] = (name, payload) => {
    notices.post(name, payload);
  };
  const lock: DeviceLock = new DeviceLock({
    talking: () => talking.talk.active,
    silence: () => {
      chatting.silenceChats();
    },
  });
  const retaining = composeRetention({ ...deps, post });
  const { admit, admitProxy } = new ServerAdmission({ settings, confirm: deps.confirm });
  const paces = new ServerPaces(deps.servers);
  const limits = new ServerLimits(deps.servers, deps.clock);
  const chatStore = createChatStore(deps.folder);
  const history = composeHistory({
    ...deps,
    ...retaining,
    chatStore,
    chats: () => chatting.chats(),
    tidyChats: () => chatting.tidyChats(),
    chatsFound: () => {
      chatting.chatsFound();
    },
    tapes: () => talking.tapes,
    recent: () => talking.recent,
    wordsOf: (id) => words.tapeWords.stateOf(id),
  });
  const words: ReturnType<typeof composeOwnWords> = composeOwnWords({ ...deps, ...history });
  const talking: ComposedTalk = composeTalk({
    ...deps,
    ...retaining,
    ...history,
    ...words,
    lock,
    paces,
    limits,
  });
  const chatting: ReturnType<typeof composeChat> = composeChat({
    ...deps,
    ...retaining,
    chatStore: tellHistory(chatStore, history.historySync),
    kept: keptChatsOf(history.history),
    lock,
    paces,
  });
  const globalKey = new GlobalKeyController({
    ...deps,
    backends: deps.globalKeys ?? [],
    wallClock: systemWallClock,
    talkKey: talking.talk.talkKey,
    post,
  });
  lifetime.add(() => globalKey.end());
  const privacy = composePrivacy({ ...deps, ...talking, ...chatting, ...history, post });

  const links = new LinkController(post);
  const updates = composeUpdates({
    ...deps,
    package: deps.runningPackage,
    talking: () => talking.talk.active,
  });
  const replay = composeReplay({ ...deps, ...history, lock, post });
  const comparing = composeCompare({ ...deps, ...talking, post });
  const saved = new SavedFolder(deps.openFolder);
  const saving = composeSaving({
    ...deps,
    ...talking,
    ...chatting,
    ...history,
    replay,
    saved,
    post,
  });

  const applyVisionSettings = (): void => {
    const { vision, assistant } = settings.get();
    const stored = visionOptionsOf(vision, assistant.generation.chunkMs);
    if (!isSameVision(stored, framePipeline.options))
      framePipeline.setOptions({ ...framePipeline.options, ...stored });
    framePipeline.setBudget(vision.budget);
  };
  lifetime.add(settings.listen(applyVisionSettings));

  return {
    talk: talking.talk,
    tapes: talking.tapes,
    history: history.history,
    chats: chatting.chats,
    silenceChats: chatting.silenceChats,
    links,
    linkSwitch: new LinkSwitch(settings),
    updates,
    openTapeAt: (path) => replay.openPath(path),
    begin: () => {
      applyVisionSettings();
      globalKey.begin();
      updates.begin();
      for (const part of ['.', 'voices']) void removeLeftDrafts(join(deps.folder, part));
      retaining.retention.begin();
      history.begin();
      void talking.talk.restore();
    },
    handlers: {
      ...chatting.handlers,
      ...history.handlers,
      ...words.handlers,
      ...privacy,
      ...createLogHandlers({
        folder: createDataFolder(logFolder(deps.folder)),
        open: deps.openFolder,
      }),
      ...links.handlers,
      ...updates.handlers,
      ...replay.handlers,
      ...comparing.handlers,
      ...saving,
      ...wire.handlers,
      ...globalKey.handlers,
      ...createSettingsHandlers({ ...deps, admit, admitProxy, limits, post }),
      ...createVoiceHandlers({ ...deps, lock, post }),
      ...createSoundHandlers({ ...deps, lock, post }),
      ...composeRoom({ ...deps, saved, lock, post }),
      ...createWindowHandlers(deps.windows),
    },
  };
}
