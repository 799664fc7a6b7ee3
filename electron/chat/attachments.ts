import {
  attachmentSizeError,
  isSoundFileName,
  maxClipSeconds,
  type PreparedAttachment,
} from '../../shared/chat/chat-thread.ts';
import { appError, failure, type Outcome } from '../../shared/errors/app-error.ts';
import { makeRandomId, type Random } from '../../shared/ports/clock.ts';
import type { Pictures } from '../../shared/ports/pictures.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { soundFromWav } from '../audio/dsp/sound-from-wav.ts';

/** Nine slices of 448 pixels make 3 × 3; the model cannot see more detail. */
const maxSidePixels = 1344;

interface Deps {
  readonly pictures: Pick<Pictures, 'prepare'>;
  readonly media: MediaCache;
  readonly random: Random;
}

/** Prepares files for sending: scales pictures down and resamples sound to 16 kHz. */
export class Attachments {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Adds a file that was chosen, dropped or pasted. */
  async addFile(name: string, file: Uint8Array): Promise<Outcome<PreparedAttachment>> {
    const error = attachmentSizeError({ name, bytes: file.length });
    if (error !== undefined) return { ok: false, error };
    if (file.length === 0) return failure('emptyFile');
    const sound = sniffSound(file);
    if (sound === 'wav') {
      const samples = soundFromWav(file, inputRate, maxClipSeconds);
      return samples.ok ? this.#addSound(samples.value) : samples;
    }
    if (sound !== 'none') return failure('otherSound', { kind: sound.kind });
    const picture = await this.#deps.pictures.prepare(file, maxSidePixels);
    if (!picture.ok) {
      if (picture.error.code !== 'notPicture') return picture;
      return failure(isSoundFileName(name) ? 'notWav' : 'notAttachable');
    }
    const part = {
      type: 'image',
      media: this.#put({ type: 'image', file: picture.value }),
    } as const;
    if (!isAnimatedPicture(file)) return { ok: true, value: { part } };
    return { ok: true, value: { part, notice: appError('pictureMoves') } };
  }

  /** Adds a recording of 16 kHz mono. */
  addRecording(samples: Float32Array): Outcome<PreparedAttachment> {
    if (samples.length === 0) return failure('nothingRecorded');
    if (samples.length <= maxClipSeconds * inputRate) return this.#addSound(samples);
    return failure('clipLong', { most: maxClipSeconds });
  }

  /** Drops an attachment that is not sent. */
  forget(media: string): void {
    this.#deps.media.drop(media);
  }

  #addSound(samples: Float32Array): Outcome<PreparedAttachment> {
    const media = this.#put({ type: 'audio', samples });
    const seconds = samples.length / inputRate;
    return { ok: true, value: { part: { type: 'audio', media, seconds } } };
  }

  #put(attachment: Attachment): string {
    const id = makeRandomId(this.#deps.random);
    this.#deps.media.put(id, attachment);
    return id;
  }
}

/** Offset of a WebP's feature flags, and the flag of an animation. */
const webpFlags = 20;
const webpAnimation = 0x02;
/** An animated PNG declares itself before its first frame, normally within this many bytes. */
const pngHead = 65_536;

/** Whether a WebP or PNG has several frames. The model sees only the first. */
function isAnimatedPicture(file: Uint8Array): boolean {
  const head = String.fromCharCode(...file.subarray(0, 16));
  if (/^RIFF[^]{4}WEBPVP8X/.test(head)) return ((file[webpFlags] ?? 0) & webpAnimation) !== 0;
  if (head.startsWith('\u0089PNG')) return hasTag(file.subarray(0, pngHead), 'acTL');
  return false;
}

function hasTag(bytes: Uint8Array, tag: string): boolean {
  const first = tag.charCodeAt(0);
  for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (String.fromCharCode(...bytes.subarray(at, at + tag.length)) === tag) return true;
  }
  return false;
}

interface SoundKind {
  /** The format's name, which is the same in every language. */
  readonly kind: string;
  readonly beginning: RegExp;
}

const otherSounds: readonly SoundKind[] = [
  { kind: 'MP3', beginning: /^(?:ID3|\u00FF[\u00F2\u00F3\u00FA\u00FB])/ },
  { kind: 'Ogg', beginning: /^OggS/ },
  { kind: 'FLAC', beginning: /^fLaC/ },
  { kind: 'AIFF', beginning: /^FORM[^]{4}AIF/ },
  {
    kind: 'AAC/MPEG-4',
    beginning: /^(?:[^]{4}ftyp(?:M4A|mp4|isom|qt)|\u00FF[\u00F0\u00F1\u00F9])/,
  },
  { kind: 'WebM/Matroska', beginning: /^.E\u00DF\u00A3/ },
  { kind: 'AMR', beginning: /^#!AMR/ },
];

/** Detects sound by the file's first bytes: WAV, another known format, or none. */
function sniffSound(file: Uint8Array): 'wav' | SoundKind | 'none' {
  const head = String.fromCharCode(...file.subarray(0, 16));
  if (/^RIFF[^]{4}WAVE/.test(head)) return 'wav';
  return otherSounds.find(({ beginning }) => beginning.test(head)) ?? 'none';
}

/** A picture ready to send, or 16 kHz mono sound. */
export type Attachment =
  | { readonly type: 'image'; readonly file: Uint8Array }
  | { readonly type: 'audio'; readonly samples: Float32Array };

interface CachedMedia {
  readonly attachment: Attachment;
  readonly bytes: number;
  isStored: boolean;
}

/** Enough for a dozen conversations full of pictures. */
const maxCachedBytes = 64 * 1024 * 1024;

/**
 * Caches pictures and sounds by id. Evicts the least recently used, but only if the store has it and the open
 * conversation does not use it.
 */
export class MediaCache {
  readonly #maxBytes: number;
  readonly #inUse: () => ReadonlySet<string>;
  /** In order of use, the last used at the end. */
  readonly #entries = new Map<string, CachedMedia>();
  #bytes = 0;

  constructor(maxBytes = maxCachedBytes, inUse: () => ReadonlySet<string> = () => new Set()) {
    this.#maxBytes = maxBytes;
    this.#inUse = inUse;
  }

  /** `isStored`: the store has a copy, so the entry may be evicted. */
  put(id: string, attachment: Attachment, isStored = false): void {
    this.drop(id);
    const bytes = attachmentSize(attachment);
    this.#entries.set(id, { attachment, bytes, isStored });
    this.#bytes += bytes;
    this.trim();
  }

  get(id: string): Attachment | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.attachment;
  }

  markStored(ids: Iterable<string>): void {
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) entry.isStored = true;
    }
    this.trim();
  }

  drop(id: string): void {
    this.#bytes -= this.#entries.get(id)?.bytes ?? 0;
    this.#entries.delete(id);
  }

  /** Evicts entries over the limit. Also call it when another conversation is opened. */
  trim(): void {
    if (this.#bytes <= this.#maxBytes) return;
    const inUse = this.#inUse();
    for (const [id, { isStored }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return;
      if (isStored && !inUse.has(id)) this.drop(id);
    }
  }
}

function attachmentSize(attachment: Attachment): number {
  return attachment.type === 'image' ? attachment.file.byteLength : attachment.samples.byteLength;
}
