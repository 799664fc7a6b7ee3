import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { decodeSamples, readWavHeader } from '../../../shared/audio/wav.ts';
import {
  failure,
  type Failure,
  type Outcome,
  describeError,
} from '../../../shared/errors/app-error.ts';
import { outputRate } from '../../../shared/protocol/realtime-api.ts';
import type { DemoClip, DemoSpeech } from '../../gateway/gateway-options.ts';

const clipEntry = z.object({
  id: z.string(),
  text: z.string(),
  words: z.array(z.object({ text: z.string(), start: z.number(), end: z.number() })),
  file: z.string(),
});
const speechIndex = z.object({ clips: z.array(clipEntry).min(1) });

/** Reads the recorded sentences made by `scripts/make-demo-speech.mjs`. */
export async function loadDemoSpeech(folder: string): Promise<Outcome<DemoSpeech>> {
  try {
    const text = await readFile(join(folder, 'index.json'), 'utf8');
    const index = speechIndex.safeParse(JSON.parse(text));
    if (!index.success) return broken(folder, 'index.json does not list clips');
    const clips: DemoClip[] = [];
    for (const entry of index.data.clips) {
      const audio = await readSound(join(folder, basename(entry.file)));
      if (audio === undefined)
        return broken(folder, `${entry.file} is not a 24 kHz mono 16-bit WAV`);
      clips.push({ id: entry.id, text: entry.text, words: entry.words, audio });
    }
    return { ok: true, value: { clips } };
  } catch (error) {
    return broken(folder, describeError(error));
  }
}

async function readSound(path: string): Promise<Float32Array | undefined> {
  const file = await readFile(path);
  const header = readWavHeader(file);
  if (!header.ok) return undefined;
  const { format, dataStart, dataLength } = header.value;
  // A WAV file with two bytes per sample has integers, not floats.
  const isExpected =
    format.rate === outputRate && format.channels === 1 && format.bytesPerSample === 2;
  if (!isExpected) return undefined;
  return decodeSamples(file.subarray(dataStart, dataStart + dataLength), format);
}

function broken(folder: string, reason: string): Failure {
  return failure('demonstrationBroken', {}, { detail: `${folder}: ${reason}` });
}
