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
import type { AudioSettings } from '../../shared/settings/audio-settings.ts';
import { type VisionOptions, visionSettingsOf } from '../../shared/vision/vision-options.ts';
import { CapturePipeline } from '../audio/capture/capture-pipeline.ts';
import {
  type Microphone,
  type MicrophoneOptions,
  openMicrophone,
  type OpenMicrophone,
} from '../audio/capture/microphone.ts';
import type { DeviceChoice, SoundDriver } from '../audio/devices/sound-driver.ts';
import type { DeviceEvent } from '../audio/devices/stream-supervisor.ts';
import { soundFromWav } from '../audio/dsp/sound-from-wav.ts';
import { EchoCancellation } from '../audio/echo/echo-cancellation.ts';
import {
  isEchoCancelled,
  KnownRoom,
  type OpenEchoCanceller,
} from '../audio/echo/echo-canceller.ts';
import { FarEndSignal } from '../audio/echo/far-end-signal.ts';
import {
  CaptureEnhancement,
  type EnhancementChoice,
} from '../audio/enhance/capture-enhancement.ts';
import { Speaker, type SpeakerOptions } from '../audio/playback/speaker.ts';
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

type EmitDeviceEvent = (event: DeviceEvent) => void;

/** Real sound. Nothing of it is loaded before it is asked for. */
export interface SoundServices {
  readonly sound: SoundDriver;
  /** Ends with the lifetime, if it was not ended before; so does each of the following. */
  readonly createSpeaker: (options: SpeakerOptions) => Speaker;
  /** The same with its device open, and kept open. */
  readonly openSpeaker: (device: DeviceChoice, emit: EmitDeviceEvent) => Promise<Speaker>;
  readonly openMicrophone: OpenMicrophone;
  /** The phrase that the room test plays, at the rate of answers. */
  readonly roomPhrase: () => Promise<Outcome<Float32Array>>;
}

interface Deps {
  readonly clock: Clock;
  readonly lifetime: Lifetime;
  readonly log: Log;
  /** In the place of the machine's own. */
  readonly driver?: SoundDriver | undefined;
  /** A process that dies in our place, where a host has one. */
  readonly startSoundProbe?: HostProcesses['startSoundProbe'] | undefined;
  /** For each microphone one. */
  readonly openEchoCanceller?: OpenEchoCanceller | undefined;
  /** What is set about noise and loudness; without it nothing is done about them, and no voice is looked for. */
  readonly enhancement?: EnhancementChoice | undefined;
  /** What is set about echoes; by the devices' names where nothing is. */
  readonly echoMode?: (() => AudioSettings['echo']) | undefined;
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
  const { clock, lifetime, log, openEchoCanceller, enhancement, echoMode = () => 'auto' } = deps;
  const driver = deps.driver ?? openDriver(deps);
  // Without a canceller nobody asks what was played, and nothing is kept of it.
  const farEnd = openEchoCanceller && new FarEndSignal();
  const sound = farEnd?.watch(driver) ?? driver;
  const speakers = new Set<Speaker>();
  lifetime.add(async () => {
    await Promise.all([...speakers].map((speaker) => speaker.end()));
  }, 'the speakers');
  const createSpeaker = (options: SpeakerOptions): Speaker => {
    const ended = (speaker: Speaker): boolean => speakers.delete(speaker);
    const speaker = new Speaker(options, { driver: sound, clock, ended });
    speakers.add(speaker);
    if (lifetime.hasEnded) void speaker.end();
    return speaker;
  };
  const known = new KnownRoom();
  const echoFor = (
    { recorder, withEcho }: MicrophoneOptions,
    reference: FarEndSignal,
  ): EchoCancellation | undefined => {
    const basics = { farEnd: reference, log };
    if (recorder !== undefined)
      return new EchoCancellation({ ...basics, open: () => recorder, wanted: () => true });
    if (openEchoCanceller === undefined || withEcho === true) return undefined;
    return new EchoCancellation({
      ...basics,
      open: openEchoCanceller,
      known,
      wanted: (devices) => isEchoCancelled(echoMode(), devices),
    });
  };
  const microphones = new Set<Microphone>();
  lifetime.add(async () => {
    await Promise.all([...microphones].map((microphone) => microphone.end()));
  }, 'the microphones');
  return {
    sound,
    roomPhrase: loadRoomPhrase,
    createSpeaker,
    openSpeaker: async (device, emit) => {
      const speaker = createSpeaker({ device, emit });
      await speaker.open();
      return speaker;
    },
    openMicrophone: async (choice, sink, options) => {
      const echo = farEnd && echoFor(options, farEnd);
      const microphone = await openMicrophone(choice, {
        driver: sound,
        clock,
        emit: options.emit,
        mayStandIn: options.mayStandIn,
        pipeline: new CapturePipeline(
          sink,
          options,
          echo,
          enhancement && options.withEcho !== true
            ? new CaptureEnhancement(enhancement)
            : undefined,
        ),
        ended: (one) => microphones.delete(one),
      });
      microphones.add(microphone);
      if (lifetime.hasEnded) void microphone.end();
      return microphone;
    },
  };
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

interface ComposeVoicesDeps extends Pick<SoundServices, 'openMicrophone' | 'openSpeaker'> {
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
