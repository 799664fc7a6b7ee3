import { join } from 'node:path';
import type { About, HostName } from '../../shared/app/program.ts';
import type { Outcome } from '../../shared/errors/app-error.ts';
import type { Handlers } from '../../shared/ipc/contract.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { HostProcesses } from '../../shared/ports/child-process.ts';
import type { AppWindows } from '../../shared/ports/desktop.ts';
import type { OpenFolder, SaveMethod } from '../../shared/ports/files.ts';
import type { FileLog } from '../../shared/ports/log.ts';
import type { Shareables } from '../../shared/ports/pictures.ts';
import type { RunningPackage } from '../../shared/updates/update-feed.ts';
import { SoundController } from '../audio/devices/sound-controller.ts';
import { soundFromWav } from '../audio/dsp/sound-from-wav.ts';
import { AdaptiveCanceller } from '../audio/echo/adaptive-canceller.ts';
import { removeAbandonedDrafts } from '../platform/files/atomic-files.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { sweepScratch } from '../platform/files/scratch-folder.ts';
import { stateFolder, tightenFolder } from '../platform/files/state-folder.ts';
import { runtimeVersions } from '../platform/system/native-libraries.ts';
import { chatChanger } from '../recordings/history/chat-history-source.ts';
import { HistoryEditor } from '../recordings/history/history-library.ts';
import { createHistoryHandlers } from '../recordings/history/history-handlers.ts';
import type { HistoryRetention } from '../recordings/history/retention.ts';
import { createUserTranscriptHandlers } from '../recordings/history/tape-transcriber.ts';
import type { ReplayController } from '../recordings/replay/replay-controller.ts';
import { createPrivacyHandlers, storedDataLocations } from '../recordings/stored-data.ts';
import { createVoiceHandlers, VoiceController } from '../settings/voices/voice-controller.ts';
import { VoiceLibrary } from '../settings/voices/voice-library.ts';
import { createAboutHandlers, createLogHandlers, createWindowHandlers } from './app-handlers.ts';
import { AudioComposition } from './audio-composition.ts';
import { ChatComposition } from './chat-composition.ts';
import { CursorComposition, type CursorHost } from './cursor-composition.ts';
import { composeRemoteChannel, listenForRemoteCommands } from './ipc/remote-actions.ts';
import { createRequestDispatcher, type RequestDispatcher } from './ipc/request-dispatcher.ts';
import { type Machine, thisMachine } from './machine.ts';
import { MemoryComposition } from './memory-composition.ts';
import { LinkController, LinkRegistrationControl } from './parley-links.ts';
import { composeLog, logFolder } from './process-log.ts';
import {
  openComparing,
  openReplay,
  RecordingsComposition,
  Tapes,
} from './recordings-composition.ts';
import { openReportMaker, type ReportMaker } from './report-maker.ts';
import { createExportHandlers } from './export-handlers.ts';
import { EmbeddedGateway, type ServerParts, ServersComposition } from './servers-composition.ts';
import { TalkComposition, type TalkParts } from './talk-composition.ts';
import { ToolsComposition } from './tools-composition.ts';
import { findUpdates } from './updates/find-updates.ts';
import { UpdateController } from './updates/update-controller.ts';
import { VisionComposition } from './vision-composition.ts';

interface HostParts
  extends
    Pick<ServerParts, 'keychain' | 'askSystemProxy' | 'confirm' | 'openMethod' | 'defaultDevices'>,
    Pick<TalkParts, 'systemSleep' | 'globalKeys'> {
  /** Screens and windows that the user can share. Only on a desktop: browsers have their own picker. */
  readonly shareables?: Shareables | undefined;
  readonly windows?: AppWindows | undefined;
  /** The small window over other programs, on a desktop. */
  readonly cursor?: CursorHost | undefined;
  /** The package that Parley runs from and that can be updated. */
  readonly runningPackage?: RunningPackage | undefined;
  readonly openFolder?: OpenFolder | undefined;
  /** Undefined in the terminal, whose commands take a path as an argument. */
  readonly saveMethod?: SaveMethod | undefined;
  /** Child processes. Without them, sound devices are opened without a trial. */
  readonly processes?: HostProcesses | undefined;
}

/** Opens the core for a host. `parts` holds what only that host can do, such as dialogs, windows and global keys. */
export function openParley(
  host: HostName,
  version: string,
  log: FileLog = composeLog(),
  parts: HostParts = {},
): Parley {
  const lifetime = new Lifetime(`parley in the ${host} host`);
  const folder = stateFolder();
  tightenFolder(folder);
  const sweep = sweepScratch();
  lifetime.add(() => sweep, 'scratch folder sweep');
  const machine = thisMachine(lifetime, folder, log, parts.processes);
  lifetime.add(machine.serverFacts.settled, 'server facts');
  const about: About = { name: 'Parley', version, host, runtime: runtimeVersions() };
  const gateway = new EmbeddedGateway(machine);
  const { keychain, askSystemProxy, confirm, openMethod, defaultDevices } = parts;
  const versions = versionsOf(about);
  const servers = new ServersComposition(machine, {
    gateway,
    versions,
    keychain,
    askSystemProxy,
    confirm,
    openMethod,
    defaultDevices,
  });
  const audio = new AudioComposition({
    clock: machine.clock,
    lifetime,
    log,
    driver: machine.soundDriver,
    openComputerSound: machine.openComputerSound,
    openEchoCanceller: () => new AdaptiveCanceller(),
    enhancement: () => servers.settings.get().audio,
    echoMode: () => servers.settings.get().audio.echo,
  });
  return new Parley(about, machine, servers, audio, parts);
}

function versionsOf({ name, version, runtime }: About): Readonly<Record<string, string>> {
  return Object.fromEntries([
    [name, version],
    ...runtime.map((part) => [part.name, part.version] as const),
    ['System', `${process.platform} ${process.arch}`],
  ]);
}

/** The core that every host opens. Only this class joins all subjects. */
export class Parley {
  readonly about: About;
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly audio: AudioComposition;
  readonly vision: VisionComposition;
  readonly tapes: Tapes;
  readonly recordings: RecordingsComposition;
  readonly talk: TalkComposition;
  readonly chats: ChatComposition;
  readonly tools: ToolsComposition;
  readonly cursor: CursorComposition;
  readonly memory: MemoryComposition;
  readonly historyEditor: HistoryEditor;
  readonly links: LinkController;
  readonly linkRegistration: LinkRegistrationControl;
  readonly updates: UpdateController;
  readonly reports: ReportMaker;
  readonly replay: ReplayController;
  readonly handlers: Handlers;
  readonly answer: RequestDispatcher;
  readonly #parts: HostParts;
  readonly voiceLibrary: VoiceLibrary;
  readonly voices: VoiceController;
  readonly #historyRetention: HistoryRetention;

  constructor(
    about: About,
    machine: Machine,
    servers: ServersComposition,
    audio: AudioComposition,
    parts: HostParts,
  ) {
    this.about = about;
    this.machine = machine;
    this.servers = servers;
    this.audio = audio;
    this.#parts = parts;
    const { random, lifetime, notices, voiceStore } = machine;
    const { settings } = servers;
    this.voiceLibrary = new VoiceLibrary({ store: voiceStore, random, soundFromWav });
    this.voices = this.#openVoices();
    this.vision = new VisionComposition(machine, settings, parts.shareables);
    this.tapes = new Tapes(machine, servers);
    this.recordings = new RecordingsComposition(machine, settings, this.tapes.archive);
    this.memory = new MemoryComposition({
      machine,
      servers,
      recordings: this.recordings,
      isBusy: () =>
        this.talk.controller.isActive || this.chats.opener.isBusy || this.cursor.isAnswering,
      releaseSessions: () => this.chats.releaseSessions(),
    });
    const { recordings } = this;
    const { openMethod, confirm } = parts;
    this.tools = new ToolsComposition({ machine, servers, recordings, openMethod, confirm });
    this.talk = new TalkComposition({
      machine,
      servers,
      audio,
      voices: this.voices,
      vision: this.vision,
      tapes: this.tapes,
      recordings: this.recordings,
      memory: this.memory,
      tools: this.tools,
      systemSleep: parts.systemSleep,
      globalKeys: parts.globalKeys,
      onCursorKey: (key, event) => this.cursor.handleKey(key, event),
    });
    this.chats = new ChatComposition({
      machine,
      servers,
      audio,
      voices: this.voiceLibrary,
      recordings,
      memory: this.memory,
      tools: this.tools,
    });
    this.cursor = new CursorComposition({
      machine,
      servers,
      audio,
      chats: this.chats,
      memory: this.memory,
      vision: this.vision,
      onDeleted: (forget) =>
        recordings.sync.onChange(({ does, ref }) => {
          if (does === 'deleted') forget(ref);
        }),
      isVideoTalk: () => this.talk.controller.view.talk?.mode === 'video',
      host: parts.cursor,
      windows: parts.windows,
    });
    this.historyEditor = new HistoryEditor(
      { talk: recordings.talks, chat: chatChanger(this.chats.opener.controller) },
      recordings.sync,
    );
    this.#historyRetention = recordings.openHistoryRetention(this.chats.opener.removeExpired);
    lifetime.add(() => this.#historyRetention.end(), 'history retention');
    this.links = new LinkController(notices.post);
    this.linkRegistration = new LinkRegistrationControl(settings);
    this.updates = this.#openUpdates();
    this.replay = openReplay({ machine, servers, audio, recordings });
    this.reports = openReportMaker({ about, machine, servers, audio, tapes: this.tapes });
    this.handlers = this.#createHandlers();
    this.answer = createRequestDispatcher(this.handlers, machine.log, notices);
  }

  /** Hosts register what they open here, and end it when they close. */
  get lifetime(): Lifetime {
    return this.machine.lifetime;
  }

  /** Opens a tape that the user chose outside the page, and posts the outcome. */
  readonly openTapeAt = (path: string): Promise<Outcome<undefined>> => this.replay.openPath(path);

  /**
   * Starts the background work of long-running hosts: global keys, updates, reminders, remote commands, the removal of
   * expired data and of drafts that a crash left, and the recovery of a talk that a crash ended.
   */
  begin(): void {
    const { folder, log, lifetime } = this.machine;
    const { answer, openTapeAt, linkRegistration } = this;
    this.vision.applySettings();
    this.talk.globalKey.begin();
    this.cursor.begin();
    this.#beginUpdates();
    for (const part of ['.', 'voices', 'chats', 'talks'])
      void removeAbandonedDrafts(join(folder, part));
    this.recordings.retention.begin();
    this.#historyRetention.begin();
    this.tools.begin();
    void this.talk.controller.restore();
    void listenForRemoteCommands(composeRemoteChannel(folder), {
      answer,
      openTapeAt,
      talk: this.talk.controller,
      linkRegistration,
      log,
      lifetime,
    });
  }

  #beginUpdates(): void {
    const { lifetime, notices } = this.machine;
    const { updates } = this;
    void updates.begin();
    lifetime.add(updates.follow(notices, this.servers.settings), 'listeners: updates');
    lifetime.add(() => updates.end(), 'updates');
  }

  #openVoices(): VoiceController {
    const { clock, lifetime } = this.machine;
    const { devices } = this.audio;
    const { soundSettings: settings } = this.servers;
    const library = this.voiceLibrary;
    const voices = new VoiceController({ clock, library, settings, devices });
    lifetime.add(voices.end, 'voices');
    return voices;
  }

  #openUpdates(): UpdateController {
    const { folder, clock, wallClock, random, log, notices, stateFile } = this.machine;
    const { settings, proxy } = this.servers;
    const { runningPackage } = this.#parts;
    return new UpdateController({
      runningVersion: this.about.version,
      method: findUpdates(runningPackage, { folder, log, proxies: proxy.proxies() }),
      restart: () => runningPackage?.restart(),
      file: stateFile('updates'),
      setting: () => settings.get().desktop.updates,
      isTalking: () => this.talk.controller.isActive,
      clock,
      wallClock,
      random,
      log,
      post: notices.post,
    });
  }

  #createHandlers(): Handlers {
    const { about, machine, servers, audio, talk, tapes, recordings, chats, replay, reports } =
      this;
    const { clock, nativeLibraries, notices, folder } = machine;
    const { windows, saveMethod, openFolder } = this.#parts;
    const { lock, devices, driver: sound } = audio;
    const { soundSettings } = servers;
    const { post } = notices;
    return {
      ...createAboutHandlers({ about, clock, nativeLibraries, notices }),
      ...createWindowHandlers(windows),
      ...createLogHandlers({ folder: createDataFolder(logFolder(folder)), open: openFolder }),
      ...this.links.handlers,
      ...this.updates.handlers,
      ...servers.settingsHandlers(),
      ...servers.wire.handlers,
      ...servers.model.local.handlers,
      ...new SoundController({ sound, devices, settings: soundSettings, clock, lock, post })
        .handlers,
      ...createVoiceHandlers({ library: this.voiceLibrary, voices: this.voices, lock, post }),
      ...this.vision.handlers,
      ...talk.controller.handlers,
      ...talk.tasks.handlers,
      ...talk.globalKey.handlers,
      ...createUserTranscriptHandlers({
        userTranscript: talk.userTranscript,
        tapeTranscriber: talk.tapeTranscriber,
        correctWords: recordings.correctWords,
      }),
      ...chats.handlers(),
      ...this.cursor.handlers(),
      ...this.memory.handlers(),
      ...this.tools.handlers(),
      ...this.#historyHandlers(),
      ...this.#privacyHandlers(),
      ...replay.handlers,
      ...openComparing(machine, servers, tapes, recordings).handlers,
      ...createExportHandlers({
        machine,
        servers,
        audio,
        tapes,
        recordings,
        chats,
        replay,
        reports,
        saveMethod,
        openFolder,
      }),
    };
  }

  #historyHandlers() {
    const { talkStore, historyIndex: index, dataFolder } = this.machine;
    const { library, talks, talkRecorder, tapes, recent } = this.recordings;
    return createHistoryHandlers({
      library,
      editor: this.historyEditor,
      index,
      talks,
      store: talkStore,
      talkRecorder,
      tapes: {
        names: () => tapes.names(),
        removeTapesOf: (id) => tapes.removeTapesOf(id),
        measureTape: async (name) => {
          // Includes the tape of a talk that has just ended, although it is not closed yet.
          const tape = await dataFolder('tapes').find(name);
          return tape.ok ? (tape.value?.bytes ?? 0) : 0;
        },
      },
      recent,
      folders: {
        talks: dataFolder('talks'),
        chats: dataFolder('chats'),
        tapes: dataFolder('tapes'),
      },
      transcription: (id) => this.talk.tapeTranscriber.progressOf(id),
      openFolder: (id) => dataFolder(`talks/${id}`),
      open: this.#parts.openFolder,
    });
  }

  /** Lists and deletes stored personal data on request. */
  #privacyHandlers() {
    const { dataFolder, notices } = this.machine;
    const { tapes, recent, talkRecorder, sync } = this.recordings;
    const { remove } = this.voices;
    return createPrivacyHandlers(
      storedDataLocations({
        folderNamed: dataFolder,
        chats: this.chats.opener.controller,
        endpoints: this.servers.endpoints,
        talk: this.talk.controller,
        tapes,
        recent,
        talkRecorder,
        historySync: sync,
        voices: { list: () => this.voiceLibrary.list(), remove },
        memory: this.memory,
        post: notices.post,
      }),
    );
  }
}
