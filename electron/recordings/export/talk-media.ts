import { encodeSamples, encodeWavHeader } from '../../../shared/audio/encode-wav.ts';
import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Files, type FileWriter, writeContent } from '../../../shared/ports/files.ts';
import type { TapeRenderer, TapeRendererDeps } from '../replay/tape-renderer.ts';
import type { RenderedTape } from '../replay/rendered-tape.ts';
import { decodePictures } from '../replay/tape-lines.ts';
import type { Tape } from '../tape/tape.ts';

const blockSeconds = 10;

/** Writes both voices as 16-bit WAV: stereo with the user on the left, or mixed to mono. */
export async function writeTalkWav(
  rendered: Pick<RenderedTape, 'heard' | 'microphone' | 'lengthMs'>,
  file: FileWriter,
  mix: boolean,
  /** Receives the written fraction; returns whether to continue. */
  shouldContinue: (part: number) => boolean = () => true,
): Promise<Outcome<undefined>> {
  const { rate } = rendered.heard;
  const channels = mix ? 1 : 2;
  const samples = Math.ceil((rendered.lengthMs * rate) / 1000);
  file.append(encodeWavHeader({ rate, channels, coding: 'pcm16' }, samples * channels));
  for (let at = 0; at < samples; at += rate * blockSeconds) {
    const count = Math.min(rate * blockSeconds, samples - at);
    const you = new Float32Array(count);
    const parley = new Float32Array(count);
    rendered.microphone.addTo(you, at);
    rendered.heard.addTo(parley, at);
    file.append(encodeSamples(mix ? mixed(you, parley) : interleave(you, parley), 'pcm16'));
    // Waits for the disk, so that memory stays bounded.
    const written = await file.resume();
    if (!written.ok) {
      await file.discard();
      return written;
    }
    if (shouldContinue((at + count) / samples)) continue;
    await file.discard();
    return failure('exportStopped');
  }
  return file.close();
}

function mixed(you: Float32Array, parley: Float32Array): Float32Array {
  return you.map((sample, n) => sample + (parley[n] ?? 0));
}

function interleave(you: Float32Array, parley: Float32Array): Float32Array {
  const both = new Float32Array(you.length * 2);
  for (const [n, sample] of you.entries()) {
    both[2 * n] = sample;
    both[2 * n + 1] = parley[n] ?? 0;
  }
  return both;
}

interface VideoParts {
  readonly folder: string;
  readonly wav: string;
  readonly srt: string | undefined;
  readonly output: string;
}

const size = '960:720';
const fit = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:(ow-iw)/2:(oh-ih)/2,format=yuv420p`;

/** Writes a tape's pictures with their durations for ffmpeg; returns ffmpeg's arguments. */
export async function planTalkVideo(
  {
    rendered,
    pictureLine,
  }: { readonly rendered: RenderedTape; readonly pictureLine: TapeRenderer['pictureLine'] },
  tape: Tape,
  { folder, wav, srt, output }: VideoParts,
  { files, codec }: { readonly files: Files; readonly codec: TapeRendererDeps['codec'] },
): Promise<Outcome<readonly string[]>> {
  const shown: { readonly at: number; readonly name: string }[] = [];
  for (const { at, picture } of rendered.marks) {
    const line = picture === undefined ? undefined : pictureLine(picture);
    const jpeg = line === undefined ? undefined : decodePictures(tape, line, codec).at(-1);
    if (jpeg === undefined) continue;
    const name = `picture-${shown.length}.jpg`;
    const written = await writeContent(files, `${folder}/${name}`, jpeg);
    if (!written.ok) return written;
    shown.push({ at, name });
  }
  const list = `${folder}/pictures.txt`;
  const written = await writeContent(files, list, concatList(shown, rendered.lengthMs));
  if (!written.ok) return written;
  const seconds = (rendered.lengthMs / 1000).toFixed(3);
  const blank = `color=c=0x20242a:s=${size.replace(':', 'x')}:r=10:d=${seconds}`;
  // The first picture also covers the time before it, because a video needs one from the start.
  const pictures =
    shown.length === 0 ? ['-f', 'lavfi', '-i', blank] : ['-f', 'concat', '-safe', '0', '-i', list];
  const words = srt === undefined ? [] : ['-i', srt];
  return {
    ok: true,
    value: [
      pictures,
      ['-i', wav, ...words, '-map', '0:v', '-map', '1:a'],
      srt === undefined ? [] : ['-map', '2:s', '-c:s', 'mov_text'],
      ['-vf', fit, '-r', '10', '-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac'],
      ['-t', seconds, '-movflags', '+faststart', '-f', 'mp4', output],
    ].flat(),
  };
}

function concatList(shown: readonly { at: number; name: string }[], lengthMs: number): string {
  const lines = shown.flatMap(({ at, name }, index) => {
    const from = index === 0 ? 0 : at;
    const until = shown[index + 1]?.at ?? lengthMs;
    return [`file '${name}'`, `duration ${(Math.max(1, until - from) / 1000).toFixed(3)}`];
  });
  const last = shown.at(-1);
  // ffmpeg shows the last entry for one frame unless it is repeated.
  return `${['ffconcat version 1.0', ...lines, ...(last ? [`file '${last.name}'`] : [])].join('\n')}\n`;
}
