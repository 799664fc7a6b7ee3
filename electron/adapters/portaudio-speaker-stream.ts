import type { SoundDevice, SpeakerStreamStats, SpeakerStream } from '../ports/sound.ts';
import { Liveness } from './portaudio-liveness.ts';
import { counterAt, counterCount } from './portaudio-addon.ts';
import type { NativeSound, NativeStream } from './portaudio-addon.ts';

/** A speaker stream of the addon, as the port has it. */
export function speakerStream(
  native: NativeSound,
  stream: NativeStream,
  device: SoundDevice,
  rate: number,
  close: () => Promise<void>,
): SpeakerStream {
  const counters = new Float64Array(counterCount);
  const liveness = new Liveness();
  let closed = false;
  let heardSoFar = 0;

  function readStats(): SpeakerStreamStats {
    if (!closed) native.readCounters(stream, counters);
    const played = counters[counterAt.moved] ?? 0;
    heardSoFar = Math.max(heardSoFar, heardOf(counters, rate));
    return {
      alive: !closed && liveness.of(counters),
      played,
      heard: Math.min(heardSoFar, played),
      queued: closed ? 0 : (counters[counterAt.queued] ?? 0),
      underruns: counters[counterAt.underrunsOrCaptured] ?? 0,
      repaired: counters[counterAt.repaired] ?? 0,
      latencyMs: (counters[counterAt.latency] ?? 0) * 1000,
    };
  }

  return {
    device,
    rate,
    write: (samples) => (closed ? 0 : native.write(stream, samples)),
    flush: () => {
      if (closed) return { played: counters[counterAt.moved] ?? 0, dropped: 0 };
      return native.flush(stream);
    },
    setVolume: (volume) => {
      if (!closed) native.setVolume(stream, Math.min(1, Math.max(0, volume)));
    },
    takePlayed: (into) => {
      if (closed) return { count: 0, position: 0, heardAt: 0 };
      native.readCounters(stream, counters);
      const position = counters[counterAt.historyAt] ?? 0;
      const count = native.take(stream, into);
      const ahead = position - (counters[counterAt.markSounded] ?? 0);
      const heardAt = (counters[counterAt.markTime] ?? 0) + ahead / rate;
      return { count, position, heardAt: heardAt * 1000 };
    },
    stats: readStats,
    close: async () => {
      if (closed) return;
      readStats();
      closed = true;
      await close();
    },
  };
}

/**
 * The newest block began at a position and is heard at a time, mostly one that is still to come;
 * from there it is counting. It can never be more than was handed over.
 */
function heardOf(counters: Float64Array, rate: number): number {
  const now = counters[counterAt.now] ?? 0;
  const since = now - (counters[counterAt.markTime] ?? 0);
  const heard = Math.floor((counters[counterAt.markPosition] ?? 0) + since * rate);
  return Math.max(0, Math.min(heard, counters[counterAt.moved] ?? 0));
}
