import type { MicrophoneCounters } from '../sound/capture/microphone.ts';
import type { PlayoutStats } from '../sound/playback/playback.ts';
import type { SpeakerCounters } from '../sound/playback/speaker.ts';

export interface TalkSoundStats {
  readonly microphone: MicrophoneCounters | undefined;
  readonly speaker: SpeakerCounters;
  readonly playout: PlayoutStats | undefined;
}

/** How the sound of a talk went, in one line of the log: where crackling and gaps come from. */
export function soundLine({ microphone, speaker, playout }: TalkSoundStats): string {
  return [
    microphone === undefined ? 'no microphone' : microphonePart(microphone),
    `speaker ${speaker.devices} opened, latency ${whole(speaker.latencyMs)} ms, ` +
      `${speaker.underruns} underruns, ${speaker.repaired} samples repaired`,
    ...(playout === undefined ? [] : [playoutPart(playout)]),
  ].join('; ');
}

function microphonePart(counters: MicrophoneCounters): string {
  const { captured, lost, repaired, silenced, devices, latencyMs } = counters;
  return (
    `microphone ${devices} opened, latency ${whole(latencyMs)} ms, ${captured} samples captured, ` +
    `${lost} lost, ${repaired} repaired, ${silenced} of silence`
  );
}

function playoutPart(stats: PlayoutStats): string {
  const { concealedSamples, concealmentEvents, insertedSamples, gapsOver20Ms } = stats;
  const { startDelayMs } = stats;
  return (
    `answer concealed ${concealmentEvents} times (${concealedSamples} samples), ` +
    `${insertedSamples} samples inserted, ${gapsOver20Ms} gaps` +
    (startDelayMs === undefined ? '' : `, last begun after ${whole(startDelayMs)} ms`)
  );
}

function whole(ms: number): string {
  return ms.toFixed(0);
}
