import { readWavHeader } from '../../../shared/wav/read-wav-header.ts';

/** Where the samples of all but strange files begin. */
const headBytes = 65_536;
/** As the core takes them. */
const maxBytes = 100_000_000;
const maxSeconds = 120;

export type VoiceFileProblem =
  | { readonly kind: 'tooLong'; readonly minutes: number }
  | { readonly kind: 'tooLarge'; readonly megabytes: number }
  | { readonly kind: 'notRead' };

/** What the head of a file says already: an hour of sound is not read, sent and decoded to be refused. */
export async function checkVoiceFile(file: Blob): Promise<VoiceFileProblem | undefined> {
  let start: Uint8Array;
  try {
    start = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  } catch {
    return { kind: 'notRead' };
  }
  const head = readWavHeader(start, file.size);
  if (head.ok) {
    const { format, dataLength } = head.value;
    const seconds = dataLength / (format.bytesPerSample * format.channels * format.rate);
    if (seconds > maxSeconds) return { kind: 'tooLong', minutes: Math.round(seconds / 6) / 10 };
  }
  return file.size > maxBytes
    ? { kind: 'tooLarge', megabytes: Math.ceil(file.size / 1_000_000) }
    : undefined;
}
