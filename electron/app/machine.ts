import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeError } from '../../shared/errors/app-error.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { HostProcesses } from '../../shared/ports/child-process.ts';
import type { Clock, Random, WallClock } from '../../shared/ports/clock.ts';
import type { DataFolder, Files, JournalFile, StateFile } from '../../shared/ports/files.ts';
import type { FileLog } from '../../shared/ports/log.ts';
import type { NativeLibraries } from '../../shared/app/program.ts';
import type { Frames, Pictures } from '../../shared/ports/pictures.ts';
import type { Proxies, Sockets } from '../../shared/ports/sockets.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { Endpoint } from '../../shared/settings/endpoint.ts';
import type { OpenComputerSound, SoundDriver } from '../audio/devices/sound-driver.ts';
import { SincResampler } from '../audio/dsp/sinc-resampler.ts';
import type { ChatStore } from '../chat/stored-chat.ts';
import { createComputerSound } from '../platform/computer-sound.ts';
import { createChatStore, createTalkStore } from '../platform/files/chat-and-talk-store.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { createFiles } from '../platform/files/file-storage.ts';
import { createServerFactsFile } from '../platform/files/server-facts-file.ts';
import { createJournalFile, createStateFile } from '../platform/files/state-file.ts';
import { createVoiceFolder } from '../platform/files/voice-folder.ts';
import { openHistoryIndex } from '../platform/history/history-index-thread.ts';
import { createWebSockets } from '../platform/net/web-socket.ts';
import { PictureThread } from '../platform/pictures/picture-thread.ts';
import { createFrames, createPictures } from '../platform/pictures/pictures.ts';
import { createPortAudioDriver } from '../platform/portaudio/portaudio-driver.ts';
import { probedSoundDriver, SoundProbe } from '../platform/portaudio/sound-probe.ts';
import { createNativeLibraries } from '../platform/system/native-libraries.ts';
import { cryptoRandom, systemClock, systemWallClock } from '../platform/system/system-clock.ts';
import type { HistoryIndex } from '../recordings/history/history-index.ts';
import type { TalkStore } from '../recordings/history/talk-source.ts';
import type { TapeUpsampler } from '../recordings/record/stereo-recorder.ts';
import type { ServerFactsStore } from '../settings/servers/server-facts.ts';
import type { VoiceStore } from '../settings/voices/voice-library.ts';
import { NoticeBoard } from './ipc/request-dispatcher.ts';

/** Everything outside Parley that it runs on. Simulations and tests replace it or parts of it. */
export interface Machine {
  readonly folder: string;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: Random;
  readonly log: FileLog;
  readonly notices: NoticeBoard;
  readonly lifetime: Lifetime;

  readonly files: Files;
  readonly stateFile: (name: string) => StateFile;
  readonly dataFolder: (name: string) => DataFolder;
  readonly journal: (name: string) => JournalFile;
  readonly chatStore: ChatStore;
  readonly talkStore: TalkStore;
  readonly voiceStore: VoiceStore;
  readonly serverFacts: ServerFactsStore;
  readonly historyIndex: HistoryIndex;

  readonly openSockets: (endpoint: Endpoint, proxies: Proxies) => Sockets;
  readonly pictures: Pictures;
  readonly frames: Frames;
  readonly nativeLibraries: NativeLibraries;
  readonly soundDriver: SoundDriver;
  /** Undefined where the system has no way to capture what it plays. */
  readonly openComputerSound?: OpenComputerSound | undefined;
  /** Resamples the user's sound to the rate of a tape. */
  readonly upsampler: () => TapeUpsampler;
}

/** A build has this file beside the entry. The sources have none, so there the index runs on the main thread. */
const indexWorker = fileURLToPath(new URL('history-index.js', import.meta.url));

/** The machine of this process. Each part is loaded on first use. */
export function thisMachine(
  lifetime: Lifetime,
  folder: string,
  log: FileLog,
  processes?: HostProcesses,
): Machine {
  // Attached files and camera frames use separate threads, so that no frame waits for a large file.
  const [fileThread, frameThread] = [openPictureThread(lifetime), openPictureThread(lifetime)];
  return {
    folder,
    clock: systemClock,
    wallClock: systemWallClock,
    random: cryptoRandom,
    log,
    notices: new NoticeBoard((error) =>
      log.write('error', `a notice listener failed: ${describeError(error)}`),
    ),
    lifetime,
    files: createFiles(),
    stateFile: (name) => createStateFile(folder, name),
    dataFolder: (name) => createDataFolder(join(folder, name)),
    journal: (name) => createJournalFile(folder, name),
    chatStore: createChatStore(folder),
    talkStore: createTalkStore(folder),
    voiceStore: createVoiceFolder(join(folder, 'voices')),
    serverFacts: createServerFactsFile(folder),
    historyIndex: openHistoryIndex(join(folder, 'history'), indexWorker),
    openSockets: (endpoint, proxies) => createWebSockets(endpoint, {}, proxies),
    pictures: createPictures(fileThread),
    frames: createFrames(frameThread),
    nativeLibraries: createNativeLibraries(fileThread),
    openComputerSound: createComputerSound(),
    soundDriver: openSoundDriver(processes?.startSoundProbe, lifetime, log),
    upsampler: () => new SincResampler(inputRate, outputRate),
  };
}

function openPictureThread(lifetime: Lifetime): PictureThread {
  const thread = new PictureThread();
  lifetime.add(() => thread.end(), 'picture thread');
  return thread;
}

/** Opens the sound driver. On Linux a child process tries the sound system first, if the host can start one. */
function openSoundDriver(
  start: HostProcesses['startSoundProbe'] | undefined,
  lifetime: Lifetime,
  log: FileLog,
): SoundDriver {
  const driver = createPortAudioDriver();
  // Only ALSA is known to crash the process that opens it, and a trial takes time.
  if (start === undefined || process.platform !== 'linux') return driver;
  const probe = new SoundProbe(start, log);
  lifetime.add(() => probe.end(), 'sound system probe');
  return probedSoundDriver(driver, probe);
}
