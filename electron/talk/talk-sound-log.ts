import type { Log } from '../../shared/ports/log.ts';
import type { LatencySummary } from '../../shared/talk/talk-stats.ts';
import type { MicrophoneCounters } from '../audio/capture/microphone.ts';
import type { PlayoutStats } from '../audio/playback/playback.ts';
import type { SpeakerCounters } from '../audio/playback/speaker.ts';
import { latencyLine } from './policies/latency-stats.ts';

interface TalkSoundStats {
  readonly microphone: MicrophoneCounters | undefined;
  readonly speaker: SpeakerCounters;
  readonly playout: PlayoutStats | undefined;
}

/** A talk that was shorter than the log's minute has its lines, too. */
export function logTalkStats(log: Log, summary: LatencySummary, sound: TalkSoundStats): void {
  if (summary.steps.roundTrip.count === 0) return;
  log.write('info', latencyLine(summary));
  log.write('info', soundLine(sound));
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
  const { captured, lost, repaired, silenced, devices, latencyMs, echo } = counters;
  return (
    `microphone ${devices} opened, latency ${whole(latencyMs)} ms, ${captured} samples captured, ` +
    `${lost} lost, ${repaired} repaired, ${silenced} of silence, echo ${echo}`
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
