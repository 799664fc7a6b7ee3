import { join } from 'node:path';
import type { PartState } from '../../shared/app/program.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { VisionHandlers } from '../../shared/ipc/vision-ipc.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { HostProcesses } from '../../shared/ports/child-process.ts';
import type { Clock, Random } from '../../shared/ports/clock.ts';
import type { Log } from '../../shared/ports/log.ts';
import type { Frames, Pictures, Shareables } from '../../shared/ports/pictures.ts';
import { outputRate } from '../../shared/protocol/realtime-api.ts';
import { type VisionOptions, visionSettingsOf } from '../../shared/vision/vision-options.ts';
import {
  SoundDevices,
  type SoundDevicesOptions,
  type SoundOpeners,
} from '../audio/devices/sound-devices.ts';
import type { SoundDriver } from '../audio/devices/sound-driver.ts';
import { soundFromWav } from '../audio/dsp/sound-from-wav.ts';
import { loadDemoSpeech } from '../platform/files/demo-speech.ts';
import { createVoiceFolder } from '../platform/files/voice-folder.ts';
import { PictureJobs } from '../platform/pictures/picture-jobs.ts';
import {
  createProcessFrames,
  createProcessPictures,
  pictureProcessPart,
} from '../platform/pictures/process-pictures.ts';
import { createFrames, createPictures } from '../platform/pictures/sharp-pictures.ts';
import { createPortAudioDriver } from '../platform/portaudio/portaudio-driver.ts';
import { probedSoundDriver, SoundProbe } from '../platform/portaudio/sound-probe.ts';
import { VoiceController } from '../settings/voices/voice-controller.ts';
import { createVoiceLibrary, type VoiceLibrary } from '../settings/voices/voice-library.ts';
import { FramePipeline } from '../vision/frame-pipeline.ts';
import { createVisionHandlers } from '../vision/vision-handlers.ts';
import type { SettingsServices } from './compose-servers.ts';
import type { NoticeBoard } from './ipc/request-dispatcher.ts';
import { resourcesFolder } from './resources.ts';

/** Real sound. Nothing of it is loaded before it is asked for. */
export interface SoundServices extends SoundOpeners {
  readonly sound: SoundDriver;
  /** The phrase that the room test plays, at the rate of answers. */
  readonly roomPhrase: () => Promise<Outcome<Float32Array>>;
}

interface Deps extends Omit<SoundDevicesOptions, 'driver'> {
  /** In the place of the machine's own. */
  readonly driver?: SoundDriver | undefined;
  /** A process that dies in our place, where a host has one. */
  readonly startSoundProbe?: HostProcesses['startSoundProbe'] | undefined;
}

/** Sound that is not touched before somebody else has come back alive from it. */
function openDriver({ startSoundProbe, lifetime, log }: Deps): SoundDriver {
  const driver = createPortAudioDriver();
  // Only of ALSA it is known that it ends whoever asks it, and the trial has its time.
  if (startSoundProbe === undefined || process.platform !== 'linux') return driver;
  const probe = new SoundProbe(startSoundProbe, log);
  lifetime.add(() => {
    probe.end();
  }, 'the trial of the sound system');
  return probedSoundDriver(driver, probe);
}

export function composeSound(deps: Deps): SoundServices {
  const devices = new SoundDevices({ ...deps, driver: deps.driver ?? openDriver(deps) });
  const { sound, createSpeaker, openSpeaker, openMicrophone } = devices;
  return { sound, createSpeaker, openSpeaker, openMicrophone, roomPhrase: loadRoomPhrase };
}

/** Six seconds of ordinary speech: enough to learn a room in one second and to judge it in the rest. */
const sentences = ['turns', 'hear'];
const pauseSamples = outputRate / 4;

/** The room test plays the demonstration's voice, at the rate of answers. */
async function loadRoomPhrase(): Promise<Outcome<Float32Array>> {
  const folder = resourcesFolder('speech');
  const speech = await loadDemoSpeech(folder);
  if (!speech.ok) return speech;
  const clips = speech.value.clips.filter(({ id }) => sentences.includes(id));
  if (clips.length !== sentences.length)
    return failure('demonstrationBroken', {}, { detail: folder });
  const length = clips.reduce((sum, { audio }) => sum + audio.length + pauseSamples, 0);
  const phrase = new Float32Array(length - pauseSamples);
  let at = 0;
  for (const { audio } of clips) {
    phrase.set(audio, at);
    at += audio.length + pauseSamples;
  }
  return { ok: true, value: phrase };
}

/** Reference voices; devices and volume are those of the settings. */
export interface VoiceServices extends Pick<VoiceController, 'sessionSettings' | 'missingVoices'> {
  readonly voices: Omit<VoiceLibrary, 'keep' | 'sound'> &
    Pick<VoiceController, 'record' | 'preview'>;
  /** A stored voice as sessions take it: 16 kHz mono. */
  readonly voiceSound: VoiceLibrary['sound'];
}

interface ComposeVoicesDeps {
  readonly devices: SoundOpeners;
  readonly settings: SettingsServices['settings'];
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly lifetime: Lifetime;
}

export function composeVoices(deps: ComposeVoicesDeps): VoiceServices {
  const { folder, random, lifetime } = deps;
  const store = createVoiceFolder(join(folder, 'voices'));
  const library = createVoiceLibrary({ store, random, soundFromWav });
  const { remove, record, preview, sessionSettings, missingVoices, end } = new VoiceController({
    ...deps,
    library,
  });
  lifetime.add(end, 'the voices');
  return {
    voices: { ...library, remove, record, preview },
    voiceSound: library.sound,
    sessionSettings,
    missingVoices,
  };
}

interface PictureParts {
  readonly pictures: Pictures;
  readonly frames: Frames;
  /** Whether they can be decoded, where that is not in this process. */
  readonly part?: () => Promise<PartState>;
}

/**
 * Two processes: files that somebody sent do not meet what the camera sees, and no frame waits for a
 * large file. Without a way to start one, as in most tests, pictures are decoded here.
 */
export function composePictures(
  start: HostProcesses['startPictures'] | undefined,
  lifetime: Lifetime,
): PictureParts {
  if (start === undefined) return { pictures: createPictures(), frames: createFrames() };
  const [fileJobs, frameJobs] = [new PictureJobs(start), new PictureJobs(start)];
  lifetime.add(() => {
    fileJobs.end();
    frameJobs.end();
  });
  return {
    pictures: createProcessPictures(fileJobs),
    frames: createProcessFrames(frameJobs),
    part: () => pictureProcessPart(fileJobs),
  };
}

/** A talk attaches here to get its frames; a host looks here at what the person has switched on. */
export interface VisionServices {
  readonly framePipeline: FramePipeline;
}

interface ComposeVisionDeps {
  readonly frames: Frames;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: NoticeBoard;
  readonly shareables: Shareables | undefined;
  readonly settings: SettingsServices['settings'];
}

export function composeVision({
  frames,
  clock,
  log,
  notices,
  shareables,
  settings,
}: ComposeVisionDeps): VisionServices & {
  readonly handlers: VisionHandlers;
} {
  const framePipeline = new FramePipeline({
    frames,
    clock,
    sent: (frame) => {
      notices.post('frameSent', frame);
    },
    counted: (count) => {
      notices.post('frameCounted', count);
    },
    refused: (error) => {
      log.write('warn', `a frame was refused: ${describeAppError(error)}`);
    },
  });
  const persist = (wanted: VisionOptions): void => {
    const { chunkMs } = settings.get().assistant.generation;
    settings.change({ vision: visionSettingsOf(wanted, chunkMs) });
  };
  return {
    framePipeline,
    handlers: createVisionHandlers({ framePipeline, shareables, persist }),
  };
}
