import { failure } from '../../../../shared/errors/app-error.ts';
import { encodeSamples } from '../../../../shared/wav/encode-wav.ts';
import { encodeWavHeader } from '../../../../shared/wav/encode-wav-header.ts';
import type { FileWriter } from '../../../ports/files.ts';
import type { Outcome } from '../../../ports/outcome.ts';
import type { Film } from '../film.ts';

const secondsAtOnce = 10;

/** Both voices as a WAV file of 16 bit: left the person, right what was heard; or both in one channel. */
export async function writeFilmWav(
  film: Pick<Film, 'heard' | 'microphone' | 'lengthMs'>,
  file: FileWriter,
  mix: boolean,
  /** Hears how much is written, from 0 to 1, and says whether to go on. */
  goOn: (part: number) => boolean = () => true,
): Promise<Outcome<undefined>> {
  const { rate } = film.heard;
  const channels = mix ? 1 : 2;
  const samples = Math.ceil((film.lengthMs * rate) / 1000);
  file.append(encodeWavHeader({ rate, channels, coding: 'pcm16' }, samples * channels));
  for (let at = 0; at < samples; at += rate * secondsAtOnce) {
    const count = Math.min(rate * secondsAtOnce, samples - at);
    const you = new Float32Array(count);
    const parley = new Float32Array(count);
    film.microphone.addTo(you, at);
    film.heard.addTo(parley, at);
    file.append(encodeSamples(mix ? mixed(you, parley) : interleaved(you, parley), 'pcm16'));
    // Waits until they are written, so that no more than these are held.
    const written = await file.resume();
    if (!written.ok) {
      await file.discard();
      return written;
    }
    if (goOn((at + count) / samples)) continue;
    await file.discard();
    return failure('exportStopped');
  }
  return file.close();
}

function mixed(you: Float32Array, parley: Float32Array): Float32Array {
  return you.map((sample, n) => sample + (parley[n] ?? 0));
}

function interleaved(you: Float32Array, parley: Float32Array): Float32Array {
  const both = new Float32Array(you.length * 2);
  for (const [n, sample] of you.entries()) {
    both[2 * n] = sample;
    both[2 * n + 1] = parley[n] ?? 0;
  }
  return both;
}
