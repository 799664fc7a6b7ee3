import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { soundFromWav } from '../../../electron/audio/dsp/sound-from-wav.ts';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';

const maxSeconds = 600;

/** Reads a recording as microphone input: 16 kHz, mono. ffmpeg reads formats other than WAV. */
export function readSound(path: string): Float32Array {
  if (path.endsWith('.wav')) {
    const sound = soundFromWav(readFileSync(path), inputRate, maxSeconds);
    if (!sound.ok) throw new Error(`${path} cannot be read: ${sound.error.code}.`);
    return sound.value;
  }
  const asFloats = ['-f', 'f32le', '-ar', String(inputRate), '-ac', '1', '-'];
  const bytes = execFileSync('ffmpeg', ['-loglevel', 'error', '-i', path, ...asFloats], {
    maxBuffer: 4 * inputRate * maxSeconds,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
