import { join } from 'node:path';
import type { PrivacyHandlers } from '../../shared/ipc/app-ipc.ts';
import type { ControllerHandlers, PostNotice } from '../../shared/ipc/contract.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { AppWindows, Confirmation, SystemSleep } from '../../shared/ports/desktop.ts';
import type { Files, OpenFolder, SaveWay } from '../../shared/ports/files.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { isSameVision, visionOptionsOf } from '../../shared/vision/vision-options.ts';
import { DeviceLock } from '../audio/devices/device-lease.ts';
import { SoundController } from '../audio/devices/sound-controller.ts';
import type { SoundDriver } from '../audio/devices/sound-driver.ts';
import { removeLeftDrafts } from '../platform/files/atomic-files.ts';
import { createChatStore } from '../platform/files/conversation-store.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { systemWallClock } from '../platform/system/system-clock.ts';
import { SavedFolder } from '../recordings/export/export-controller.ts';
import { keptChatsOf } from '../recordings/history/chat-history-source.ts';
import { tellHistory } from '../recordings/history/index-sync.ts';
import type { ReplayController } from '../recordings/replay/replay-controller.ts';
import { ServerAdmission } from '../settings/servers/server-admission.ts';
import { type ServerMemory, ServerPaces } from '../settings/servers/server-memory.ts';
import { createSettingsHandlers } from '../settings/settings-handlers.ts';
import { createVoiceHandlers } from '../settings/voices/voice-controller.ts';
import type { GlobalKeyBackend } from '../talk/keys/global-key-backend.ts';
import { GlobalKeyController } from '../talk/keys/global-key-controller.ts';
import { ServerLimits } from '../talk/server-limits.ts';
import { createLogHandlers, createPrivacyHandlers, createWindowHandlers } from './app-handlers.ts';
import { type ChatServices, composeChat } from './compose-chat.ts';
import { composeHistory, composeRetention, type HistoryServices } from './compose-history.ts';
import type { SoundServices, VisionServices, VoiceServices } from './compose-media.ts';
import {
  composeCompare,
  composeReplay,
  composeRoom,
  composeSaving,
  type ExportServices,
} from './compose-recordings.ts';
import type { SessionServices, SettingsServices } from './compose-servers.ts';
import {
  type ComposedTalk,
  composeOwnWords,
  composeTalk,
  type TalkServices,
} from './compose-talk.ts';
import type { NoticeBoard } from './ipc/request-dispatcher.ts';
import { LinkController, LinkSwitch } from './parley-links.ts';
import { logFolder } from './process-log.ts';
import type { ReportMaker } from './reports/report-maker.ts';
import { storedDataLocations } from './stored-data-locations.ts';
import {
  composeUpdates,
  type RunningPackage,
  type UpdateServices,
} from './updates/installed-updates.ts';
import type { WireWatcher } from './wire-watcher.ts';

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
      ...createSettingsHandlers({
        ...deps,
        admit,
        admitProxy,
        post,
        memoryOf: (address, traits, dialect) => limits.memoryOf(address, traits, dialect),
      }),
      ...createVoiceHandlers({ ...deps, lock, post }),
      ...new SoundController({ ...deps, devices: deps, lock, post }).handlers,
      ...composeRoom({ ...deps, devices: deps, saved, lock, post }),
      ...createWindowHandlers(deps.windows),
    },
  };
}

interface ComposePrivacyDeps
  extends
    Pick<ChatServices, 'chats'>,
    Pick<SettingsServices, 'endpoints'>,
    Pick<ComposedTalk, 'talk' | 'tapes' | 'recent'>,
    Pick<HistoryServices, 'keeper' | 'historySync'>,
    Pick<VoiceServices, 'voices'> {
  readonly folder: string;
  readonly post: PostNotice;
}

/** What is stored about the person, listed and deleted on request. */
function composePrivacy(deps: ComposePrivacyDeps): PrivacyHandlers {
  const folderNamed = (name: string) => createDataFolder(join(deps.folder, name));
  return createPrivacyHandlers(storedDataLocations({ ...deps, folderNamed }));
}
