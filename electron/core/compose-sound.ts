import { failure } from '../../shared/errors/app-error.ts';
import { outputRate } from '../../shared/protocol/protocol-limits.ts';
import { loadDemoSpeech } from '../adapters/files/demo-speech.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { AudioSettings } from '../../shared/settings/settings-groups.ts';
import { createPortAudioDriver } from '../adapters/portaudio-driver.ts';
import { probedSoundDriver } from '../adapters/sound-probe/probed-sound-driver.ts';
import { SoundProbe } from '../adapters/sound-probe/sound-probe.ts';
import { CapturePipeline } from '../sound/capture/capture-pipeline.ts';
import { EchoCancellation } from '../sound/capture/echo-cancellation.ts';
import type { OpenEchoCanceller } from '../sound/capture/echo-canceller.ts';
import { KnownRoom } from '../sound/capture/known-room.ts';
import type { DeviceEvent } from '../sound/devices/stream-supervisor.ts';
import { CaptureEnhancement } from '../sound/enhance/capture-enhancement.ts';
import type { EnhancementChoice } from '../sound/enhance/capture-enhancement.ts';
import { isEchoCancelled } from '../sound/echo/is-echo-cancelled.ts';
import { openMicrophone } from '../sound/capture/microphone.ts';
import type { Microphone, MicrophoneOptions, OpenMicrophone } from '../sound/capture/microphone.ts';
import { FarEndSignal } from '../sound/capture/far-end.ts';
import { Speaker } from '../sound/playback/speaker.ts';
import type { SpeakerOptions } from '../sound/playback/speaker.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { DeviceChoice, SoundDriver } from '../ports/sound.ts';
import type { StartSoundProbe } from '../ports/sound-probe.ts';
import { resourcesFolder } from './resources-folder.ts';

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
  readonly startSoundProbe?: StartSoundProbe | undefined;
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
  lifetime.add(() => {
    known.close();
  }, 'the room that was heard last');
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
