import { Session } from 'node:inspector';
import type { HeapProfiler } from 'node:inspector';

/** Estimates the bytes that a function allocates, including garbage, by sampling every 2 KB. */
export function allocatedBytes(run: () => void): number {
  const session = new Session();
  session.connect();
  session.post('HeapProfiler.startSampling', {
    samplingInterval: 2048,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  run();
  let bytes = Number.NaN;
  session.post('HeapProfiler.stopSampling', (error, { profile }) => {
    if (error !== null) throw error;
    bytes = sizeOf(profile.head);
  });
  session.disconnect();
  return bytes;
}

const sizeOf = ({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number =>
  children.reduce((sum, child) => sum + sizeOf(child), selfSize);
