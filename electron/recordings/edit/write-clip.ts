import { done, type Outcome } from '../../../shared/errors/app-error.ts';
import {
  type Files,
  type FileWriter,
  readNow,
  fileSize,
  type StartDigest,
  writeContent,
} from '../../../shared/ports/files.ts';
import {
  copyName,
  openWavWriter,
  type WavWriter,
  readSamples,
  type TapeSound,
  type MediaReference,
  tapeFiles,
  type TapeHeader,
  tapeLimits,
  type TapeLine,
  losslessCoding,
} from '../tape/tape.ts';
import { TapeChecksums } from '../tape/tape-checksums.ts';
import { mapMedia } from '../tape/parse-tape.ts';

interface Deps {
  readonly files: Files;
  readonly digest: StartDigest;
}

interface ClipContent {
  readonly header: TapeHeader;
  readonly lines: readonly TapeLine[];
  readonly sounds: ReadonlyMap<string, TapeSound>;
}

type Done = Outcome<undefined>;

/** Writes a clip, with the media that its lines refer to, to a new tape in `into`. `folder` is the source. */
export async function writeClip(
  folder: string,
  into: string,
  { header, lines, sounds }: ClipContent,
  deps: Deps,
): Promise<Done> {
  const writer = new ClipWriter(folder, into, sounds, deps);
  const made = await deps.files.createFolder(into);
  if (!made.ok) return made;
  try {
    const rows: object[] = [header];
    for (const line of lines) {
      const row = await writer.copyLine(line);
      if (!row.ok) return row;
      rows.push(row.value);
    }
    const finished = await writer.finishSounds();
    if (!finished.ok) return finished;
    // Written after the media, because a folder with this file counts as a tape.
    return await writer.writeLines(rows);
  } finally {
    await writer.finishSounds();
  }
}

interface CopiedSound {
  readonly copy: string;
  readonly file: FileWriter;
  readonly wav: WavWriter;
  readonly from: TapeSound;
}

class ClipWriter {
  readonly #folder: string;
  readonly #into: string;
  readonly #sounds: ReadonlyMap<string, TapeSound>;
  readonly #deps: Deps;
  readonly #checksums: TapeChecksums;
  readonly #copied = new Map<string, CopiedSound>();
  readonly #copiedFiles = new Set<string>();

  constructor(folder: string, into: string, sounds: ReadonlyMap<string, TapeSound>, deps: Deps) {
    this.#folder = folder;
    this.#into = into;
    this.#sounds = sounds;
    this.#deps = deps;
    this.#checksums = new TapeChecksums(deps.digest);
  }

  /** Copies the media of a line and returns the line with its new references. */
  async copyLine(line: TapeLine): Promise<Outcome<object>> {
    if (!('frame' in line)) return { ok: true, value: line };
    const references: MediaReference[] = [];
    mapMedia(line.frame, (reference) => {
      references.push(reference);
      return { ...reference };
    });
    const places: MediaReference[] = [];
    for (const reference of references) {
      const place =
        '$file' in reference ? await this.#copyFile(reference) : await this.#copySound(reference);
      if (!place.ok) return place;
      places.push(place.value);
    }
    let next = 0;
    const frame = mapMedia(line.frame, (reference) => {
      const place = places[next] ?? reference;
      next += 1;
      return { ...place };
    });
    return { ok: true, value: { ...line, frame } };
  }

  async finishSounds(): Promise<Done> {
    let first: Done = done;
    for (const { wav } of this.#copied.values()) {
      const finished = await wav.finish();
      if (!finished.ok && first.ok) first = finished;
    }
    this.#copied.clear();
    return first;
  }

  async writeLines(rows: readonly object[]): Promise<Done> {
    const { files } = this.#deps;
    const made = await files.create(`${this.#into}/${tapeFiles.lines}`);
    if (!made.ok) return made;
    const file = this.#checksums.watch(tapeFiles.lines, 'text', made.value);
    for (const row of rows) file.append(`${JSON.stringify(row)}\n`);
    const written = await file.close();
    if (!written.ok) return written;
    return writeContent(files, `${this.#into}/${tapeFiles.checksums}`, this.#checksums.text());
  }

  async #copySound(
    reference: Extract<MediaReference, { readonly $sound: string }>,
  ): Promise<Outcome<MediaReference>> {
    const { $sound: name, samples } = reference;
    const copied = await this.#copiedSound(name);
    if (!copied.ok) return copied;
    const { copy, wav, file, from } = copied.value;
    const place = { $sound: copy, from: wav.samplesWritten, samples };
    wav.write(readSamples(from, reference.from, samples));
    // Waits for the disk, so that memory stays bounded.
    const written = await file.resume();
    return written.ok ? { ok: true, value: place } : written;
  }

  async #copiedSound(name: string): Promise<Outcome<CopiedSound>> {
    const known = this.#copied.get(name);
    if (known !== undefined) return { ok: true, value: known };
    const from = this.#sounds.get(name);
    if (from === undefined)
      throw new Error('A tape line refers to a sound file that was not opened.');
    const copy = copyName(name, this.#sounds);
    const made = await this.#deps.files.create(`${this.#into}/${copy}`);
    if (!made.ok) return made;
    const file = this.#checksums.watch(copy, 'sound', made.value);
    const wav = openWavWriter(file, { rate: from.rate, coding: losslessCoding(from.coding) });
    const copied = { copy, file, wav, from };
    this.#copied.set(name, copied);
    return { ok: true, value: copied };
  }

  async #copyFile(
    reference: Extract<MediaReference, { readonly $file: string }>,
  ): Promise<Outcome<MediaReference>> {
    const { $file: name } = reference;
    const place = { ok: true, value: reference } as const;
    if (this.#copiedFiles.has(name)) return place;
    this.#copiedFiles.add(name);
    const { files } = this.#deps;
    const from = `${this.#folder}/${name}`;
    if (fileSize(files, from) === undefined) return place;
    const bytes = readNow(files, from, tapeLimits.frameBytes);
    if (!bytes.ok) return bytes;
    this.#checksums.addContent(name, bytes.value);
    const written = await writeContent(files, `${this.#into}/${name}`, bytes.value);
    return written.ok ? place : written;
  }
}
