import { done, failure, type Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import { type Files, type FileWriter, writeContent } from '../../../shared/ports/files.ts';
import {
  type ExportFormat,
  isTextExport,
  type TextExport,
  textExports,
} from '../../../shared/recordings/export-format.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import { toSrt, toVtt } from '../../talk/captions/subtitle-files.ts';
import { renderTape, type TapeRenderer, type TapeRendererDeps } from '../replay/tape-renderer.ts';
import { tapeFileNames } from '../tape/inspect-tape.ts';
import type { OpenTape } from '../tape/tape-archive.ts';
import type { ExportTools, PackedEntry } from './export-tools.ts';
import {
  cuesFromRecord,
  cuesFromTape,
  toJsonTranscript,
  toMarkdownTranscript,
  toPlainTranscript,
  transcriptFromRecord,
  transcriptFromTape,
  type TranscriptWords,
} from './talk-transcript.ts';
import { encodeSamples, encodeWavHeader } from '../../../shared/audio/wav.ts';
import type { RenderedTape } from '../replay/rendered-tape.ts';
import { decodePictures } from '../replay/tape-lines.ts';
import type { Tape } from '../tape/tape.ts';

/** The source of an export: a tape, a talk record, or both. */
export interface ExportSource {
  readonly path: string;
  /** The tape and its folder, possibly a temporary one. */
  readonly tape: { readonly folder: string; readonly tape: OpenTape } | undefined;
  readonly record: TalkRecord | undefined;
}

/** `release` closes the source. */
export interface OpenedExport {
  readonly exporter: TapeExporter;
  readonly release: () => Promise<void>;
}

export interface ExportDeps {
  readonly files: Files;
  readonly tools: ExportTools;
  readonly clock: Clock;
  readonly rendering: TapeRendererDeps;
  readonly words: TranscriptWords;
}

/** Exports a talk as one file: text, captions, sound, video, a zip of these, or the tape. */
export class TapeExporter {
  readonly #source: ExportSource;
  readonly #deps: ExportDeps;
  #renderer: Promise<Outcome<TapeRenderer>> | undefined;
  #stopConversion: () => void = () => undefined;
  #stopped = false;
  #progress = new ExportProgress('md', ignoreProgress);

  constructor(source: ExportSource, deps: ExportDeps) {
    this.#source = source;
    this.#deps = deps;
  }

  stop(): void {
    this.#stopped = true;
    this.#stopConversion();
  }

  /** `onProgress` receives a fraction from 0 to 1, for formats that can report it. */
  async write(
    format: ExportFormat,
    output: string,
    mixVoices: boolean,
    onProgress: (fraction: number) => void = ignoreProgress,
  ): Promise<Outcome<undefined>> {
    this.#progress = new ExportProgress(format, onProgress);
    if (isTextExport(format)) return this.#writeText(format, output);
    const { tape, path } = this.#source;
    if (format === 'zip')
      return this.#inScratch((folder) => this.#writeAll(folder, output, mixVoices));
    if (tape === undefined) return failure('tapeExportTextOnly', { path });
    if (format === 'parleytape') return this.#packTape(tape.folder, output);
    if (format === 'wav') return this.#writeWav(output, mixVoices);
    return this.#inScratch((folder) =>
      format === 'flac'
        ? this.#writeFlac(folder, output, mixVoices)
        : this.#writeVideo(folder, output, mixVoices),
    );
  }

  async #writeText(format: TextExport, output: string): Promise<Outcome<undefined>> {
    const text = await this.#text(format);
    return text.ok ? writeContent(this.#deps.files, output, text.value) : text;
  }

  async #text(format: TextExport): Promise<Outcome<string>> {
    const { tape, record } = this.#source;
    const { words } = this.#deps;
    const renderer = tape === undefined ? undefined : await this.#render();
    if (renderer?.ok === false) return renderer;
    const rendered = renderer?.value.rendered;
    if (format === 'vtt' || format === 'srt') {
      const cues = rendered === undefined ? cuesFromRecord(record) : cuesFromTape(rendered);
      return { ok: true, value: format === 'vtt' ? toVtt(cues) : toSrt(cues) };
    }
    const transcript =
      rendered !== undefined && tape !== undefined
        ? transcriptFromTape(rendered, tape.tape.header, record)
        : record && transcriptFromRecord(record);
    if (transcript === undefined) return failure('notTape', { path: this.#source.path });
    if (format === 'json') return { ok: true, value: toJsonTranscript(transcript) };
    const toText = format === 'md' ? toMarkdownTranscript : toPlainTranscript;
    return { ok: true, value: toText(transcript, words) };
  }

  async #writeWav(output: string, mixVoices: boolean): Promise<Outcome<undefined>> {
    const renderer = await this.#render();
    if (!renderer.ok) return renderer;
    const file = await this.#deps.files.create(output);
    if (!file.ok) return file;
    return writeTalkWav(renderer.value.rendered, file.value, mixVoices, (fraction) => {
      this.#progress.report('sound', fraction);
      return !this.#stopped;
    });
  }

  async #writeFlac(
    folder: string,
    output: string,
    mixVoices: boolean,
  ): Promise<Outcome<undefined>> {
    const wav = `${folder}/talk.wav`;
    const written = await this.#writeWav(wav, mixVoices);
    if (!written.ok) return written;
    const renderer = await this.#render();
    const lengthMs = renderer.ok ? renderer.value.rendered.lengthMs : 0;
    return this.#convert(['-i', wav, '-c:a', 'flac', '-f', 'flac', output], lengthMs);
  }

  async #writeVideo(
    folder: string,
    output: string,
    mixVoices: boolean,
  ): Promise<Outcome<undefined>> {
    const renderer = await this.#render();
    const { tape } = this.#source;
    if (!renderer.ok || tape === undefined) return renderer.ok ? done : renderer;
    const wav = `${folder}/talk.wav`;
    const written = await this.#writeWav(wav, mixVoices);
    if (!written.ok) return written;
    // ffmpeg rejects an empty caption file.
    const srt = cuesFromTape(renderer.value.rendered).length > 0 ? `${folder}/talk.srt` : undefined;
    const captions = srt === undefined ? done : await this.#writeText('srt', srt);
    if (!captions.ok) return captions;
    const { rendered } = renderer.value;
    const pictureLine = (picture: number) => renderer.value.pictureLine(picture);
    const codec = this.#deps.rendering.codec;
    const plan = await planTalkVideo(
      { rendered, pictureLine },
      tape.tape,
      { folder, wav, srt, output },
      { files: this.#deps.files, codec },
    );
    return plan.ok ? this.#convert(plan.value, rendered.lengthMs) : plan;
  }

  /** Packs the text formats and, if there is a tape, sound and video. Without ffmpeg, the video is left out. */
  async #writeAll(folder: string, output: string, mixVoices: boolean): Promise<Outcome<undefined>> {
    const { tape } = this.#source;
    const kinds = [...textExports, ...(tape === undefined ? [] : (['wav', 'mp4'] as const))];
    const entries: PackedEntry[] = [];
    for (const kind of kinds) {
      const entry = { name: `talk.${kind}`, path: `${folder}/talk.${kind}` };
      const written = isTextExport(kind)
        ? await this.#writeText(kind, entry.path)
        : kind === 'wav'
          ? await this.#writeWav(entry.path, mixVoices)
          : await this.#writeVideo(folder, entry.path, mixVoices);
      if (written.ok) entries.push(entry);
      else if (written.error.code !== 'ffmpegMissing') return written;
    }
    return this.#stopped ? failure('exportStopped') : this.#deps.tools.packZip(output, entries);
  }

  async #packTape(folder: string, output: string): Promise<Outcome<undefined>> {
    const { files, tools } = this.#deps;
    const names = await tapeFileNames(folder, { files });
    if (!names.ok) return names;
    return tools.packZip(
      output,
      names.value.map((name) => ({ name, path: `${folder}/${name}` })),
    );
  }

  #render(): Promise<Outcome<TapeRenderer>> {
    const { tape, path } = this.#source;
    if (tape === undefined) return Promise.resolve(failure('tapeExportTextOnly', { path }));
    const { clock, rendering } = this.#deps;
    this.#renderer ??= renderTape(tape.tape, rendering, {
      clock,
      isStopped: () => this.#stopped,
      onProgress: (fraction) => this.#progress.report('render', fraction),
    });
    return this.#renderer;
  }

  async #convert(args: readonly string[], lengthMs: number): Promise<Outcome<undefined>> {
    const { files, tools } = this.#deps;
    // Checked first, so that an older file of this name is kept.
    if (!(await tools.hasFfmpeg())) return failure('ffmpegMissing');
    // Created here, because a file that ffmpeg creates can be read by every user of the computer.
    const file = await files.create(args.at(-1) ?? '');
    if (!file.ok) return file;
    await file.value.close();
    const converted = await this.#runConversion(args, lengthMs);
    if (!converted.ok) await file.value.discard();
    return converted;
  }

  async #runConversion(args: readonly string[], lengthMs: number): Promise<Outcome<undefined>> {
    if (this.#stopped) return failure('exportStopped');
    const conversion = this.#deps.tools.convert(args, (ms) => {
      this.#progress.report('convert', ms / Math.max(1, lengthMs));
    });
    this.#stopConversion = conversion.stop;
    return conversion.done;
  }

  async #inScratch(
    work: (folder: string) => Promise<Outcome<undefined>>,
  ): Promise<Outcome<undefined>> {
    const scratch = await this.#deps.tools.openScratch();
    if (!scratch.ok) return scratch;
    try {
      return await work(scratch.value.path);
    } finally {
      await scratch.value.remove();
    }
  }
}

function ignoreProgress(): void {
  // The default for callers that show no progress.
}

type Stage = 'render' | 'sound' | 'convert';
type Share = readonly [from: number, to: number];

/** Approximate share of each stage in the total time. */
const textShares: Partial<Record<Stage, Share>> = { render: [0, 1] };
const stageShares: Readonly<Partial<Record<ExportFormat, Partial<Record<Stage, Share>>>>> = {
  wav: { render: [0, 0.8], sound: [0.8, 1] },
  flac: { render: [0, 0.6], sound: [0.6, 0.75], convert: [0.75, 1] },
  mp4: { render: [0, 0.35], sound: [0.35, 0.45], convert: [0.45, 1] },
  zip: { render: [0, 0.35], sound: [0.35, 0.45], convert: [0.45, 0.95] },
};

/** Progress of an export from 0 to 1; it never decreases. */
class ExportProgress {
  readonly #stageShares: Partial<Record<Stage, Share>>;
  readonly #onProgress: (fraction: number) => void;
  #reported = 0;

  constructor(format: ExportFormat, onProgress: (fraction: number) => void) {
    this.#stageShares = isTextExport(format) ? textShares : (stageShares[format] ?? {});
    this.#onProgress = onProgress;
  }

  report(stage: Stage, stageFraction: number): void {
    const share = this.#stageShares[stage];
    if (share === undefined) return;
    const [from, to] = share;
    const fraction = from + (to - from) * Math.min(1, Math.max(0, stageFraction));
    if (fraction <= this.#reported) return;
    this.#reported = fraction;
    this.#onProgress(fraction);
  }
}

const blockSeconds = 10;

/** Writes both voices as 16-bit WAV: stereo with the user on the left, or mixed to mono. */
async function writeTalkWav(
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
/** The filter `fps` repeats each picture until the next. With the option `-r`, the video would end after its last picture. */
const fit = `scale=${size}:force_original_aspect_ratio=decrease,pad=${size}:(ow-iw)/2:(oh-ih)/2,format=yuv420p,fps=10`;

/** Writes a tape's pictures with their durations for ffmpeg; returns ffmpeg's arguments. */
async function planTalkVideo(
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
      ['-vf', fit, '-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac'],
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
  // The last picture stays until this entry begins.
  return `${['ffconcat version 1.0', ...lines, ...(last ? [`file '${last.name}'`] : [])].join('\n')}\n`;
}
