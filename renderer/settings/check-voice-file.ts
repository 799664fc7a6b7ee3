import { readWavHead } from '../../shared/wav/read-wav-head.ts';

/** Where the samples of all but strange files begin. */
const headBytes = 65_536;
/** As the core takes them. */
const mostBytes = 100_000_000;
const mostSeconds = 120;

export type Refused =
  | { readonly why: 'tooLong'; readonly minutes: number }
  | { readonly why: 'tooLarge'; readonly megabytes: number }
  | { readonly why: 'notRead' };

/** What the head of a file says already: an hour of sound is not read, sent and decoded to be refused. */
export async function checkVoiceFile(file: Blob): Promise<Refused | undefined> {
  let start: Uint8Array;
  try {
    start = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  } catch {
    return { why: 'notRead' };
  }
  const head = readWavHead(start, file.size);
  if (head.ok) {
    const { form, dataLength } = head.value;
    const seconds = dataLength / (form.bytesPerSample * form.channels * form.rate);
    if (seconds > mostSeconds) return { why: 'tooLong', minutes: Math.round(seconds / 6) / 10 };
  }
  return file.size > mostBytes
    ? { why: 'tooLarge', megabytes: Math.ceil(file.size / 1_000_000) }
    : undefined;
}
