import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Files, StartDigest } from '../../../shared/ports/files.ts';
import type { Frames } from '../../../shared/ports/pictures.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { ExportTools } from '../export/export-tools.ts';
import { redactTape } from '../redact/redact-tape.ts';
import type { FilmMakerDeps } from '../replay/film-maker.ts';
import { checkTape, tapeFileNames, type TapeHealth } from '../tape/check-tape.ts';
import { inTapePlace, type UnpackTape } from '../tape/open-tape.ts';
import { tapeFiles } from '../tape/tape.ts';
import type { TapeStretch } from './cut-tape.ts';

interface Deps {
  readonly files: Files;
  readonly frames: Frames;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly unpack: UnpackTape;
  readonly tools: Pick<ExportTools, 'packZip' | 'openScratch'>;
  readonly film: () => Promise<FilmMakerDeps>;
}

/**
 * Checks tapes, and makes tapes of other ones: each in a new or empty folder, or as one file. What only commands of the
 * terminal ask for is loaded when they do: the window needs none of it.
 */
export class TapeEditor {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** How much of a tape is whole. */
  readonly checkTape = (path: string): Promise<Outcome<TapeHealth>> =>
    inTapePlace(path, this.#deps, (folder, called) => checkTape(folder, { ...this.#deps, called }));

  /** Makes a whole tape of what is whole of another one. */
  readonly repairTape = (path: string, into: string): Promise<Outcome<TapeHealth>> =>
    this.#make(path, into, async (folder, made, called) => {
      const { repairTape } = await import('./repair-tape.ts');
      return repairTape(folder, made, { ...this.#deps, called });
    });

  /** Makes a tape that replays as another one, with nobody's words, voice, pictures and names. */
  readonly redactTape = (path: string, into: string): Promise<Outcome<TapeHealth>> =>
    this.#make(path, into, (folder, made, called) =>
      redactTape(folder, made, { ...this.#deps, called }),
    );

  /** Makes a tape of a stretch of another one. */
  readonly cutTape = async (
    path: string,
    into: string,
    stretch: TapeStretch,
  ): Promise<Outcome<TapeHealth>> => {
    const film = await this.#deps.film();
    const { cutTape } = await import('./cut-tape.ts');
    return this.#make(path, into, (folder, made, called) =>
      cutTape(folder, made, stretch, { ...this.#deps, film, called }),
    );
  };

  #make(
    path: string,
    into: string,
    make: (folder: string, made: string, called: string) => Promise<Outcome<TapeHealth>>,
  ): Promise<Outcome<TapeHealth>> {
    return inTapePlace(path, this.#deps, async (folder, called) => {
      if (!/\.parleytape$/iu.test(into)) return make(folder, into, called);
      const scratch = await this.#deps.tools.openScratch();
      try {
        const made = await make(folder, scratch.path, called);
        if (!made.ok) return made;
        const packed = await this.#pack(scratch.path, into);
        return packed.ok ? made : packed;
      } finally {
        await scratch.remove();
      }
    });
  }

  async #pack(folder: string, into: string): Promise<Outcome<undefined>> {
    const { files, tools } = this.#deps;
    const names = await tapeFileNames(folder, { files });
    if (!names.ok) return names;
    const checksums = files.openToRead(`${folder}/${tapeFiles.checksums}`);
    if (checksums.ok) checksums.value.close();
    const all = checksums.ok ? [...names.value, tapeFiles.checksums] : names.value;
    return tools.packZip(
      into,
      all.map((name) => ({ name, path: `${folder}/${name}` })),
    );
  }
}
