import { writeFileSync } from 'node:fs';
import { detectors, judgeDetector, snrs } from './judge-detectors.ts';
import type { DetectorStats } from './judge-detectors.ts';
import { noiseClasses, readRecordings } from './recorded-scenes.ts';

interface Wanted {
  readonly recordings: string;
  /** The ONNX file of Silero VAD v5. */
  readonly silero?: string | undefined;
  readonly json?: string | undefined;
  /** Number of voices, evenly chosen; all of them take a quarter of an hour with Silero. */
  readonly voices?: number | undefined;
}

/** Judges every detector on the same recordings, and prints the results or also writes them to a file. */
export function benchRecordings({ recordings, silero, json, voices }: Wanted): void {
  const read = readRecordings(recordings, voices);
  say(`${read.clips.length} voices; % of 10 ms steps ranked correctly, at ${snrs.join(', ')} dB`);
  const stats = detectors(silero).map((detector) => {
    const made = judgeDetector(detector, read);
    show(made);
    return made;
  });
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(stats, undefined, 2)}\n`);
}

function show({ name, ranked, rankedQuiet, rankedMean, noiseAlone, ...rest }: DetectorStats): void {
  const rows = noiseClasses.map(
    (kind) => `${kind} ${ranked[kind].map((one) => one.toFixed(1)).join(' ')}`,
  );
  say(
    `${name}: ${rankedMean.toFixed(1)} mean; quiet ${rankedQuiet.toFixed(1)}; ${rows.join('; ')}`,
  );
  const { onset, percentOfCore } = rest;
  const alone = Object.entries(noiseAlone).map(([kind, share]) => `${kind} ${share.toFixed(1)} %`);
  if (alone.length > 0)
    say(
      `  noise alone detected as a voice: ${alone.join(', ')}; ` +
        `onset median ${onset.median} ms, p95 ${onset.p95} ms (${onset.missed} missed)`,
    );
  say(`  ${percentOfCore.toFixed(2)} % of a core`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
