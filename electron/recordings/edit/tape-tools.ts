import { failure, type Outcome } from '../../../shared/errors/app-error.ts';
import { type Files, fileSize, type StartDigest } from '../../../shared/ports/files.ts';
import type { Frames } from '../../../shared/ports/pictures.ts';
import type { Base64 } from '../../../shared/protocol/base64-media.ts';
import type { ClientCodec } from '../../../shared/protocol/client-codec.ts';
import type { ServerCodec } from '../../../shared/protocol/server-codec.ts';
import type { TapeComparison } from '../../../shared/recordings/tape-comparison.ts';
import { compareTalks } from '../compare/compare-talks.ts';
import { measureChat } from '../compare/measure-chat.ts';
import { type MeasuredTalk, measureTalk } from '../compare/measure-talk.ts';
import type { ExportOpener } from '../export/export-opener.ts';
import type { ExportTools } from '../export/export-tools.ts';
import { redactTape } from '../redact/redact-tape.ts';
import { type TapeRendererDeps, renderTape } from '../replay/tape-renderer.ts';
import { checkTape, tapeFileNames, type TapeHealth } from '../tape/check-tape.ts';
import { withTapeFolder, type OpenTape, type UnpackTape } from '../tape/open-tape.ts';
import { tapeFiles } from '../tape/tape.ts';
import { cutTape, type TapeRange } from './cut-tape.ts';
import { repairTape } from './repair-tape.ts';

interface Deps {
  readonly files: Files;
  readonly frames: Frames;
  readonly base64: Base64;
  readonly digest: StartDigest;
  readonly unpack: UnpackTape;
  readonly tools: Pick<ExportTools, 'packZip' | 'openScratch'>;
  readonly exports: Pick<ExportOpener, 'openSource'>;
  readonly rendering: () => Promise<TapeRendererDeps>;
  readonly serverCodec: ServerCodec;
  readonly clientCodec: ClientCodec;
}

/** Implements the tape commands of the terminal. Results go to a new or empty folder, or to an archive. */
export class TapeTools {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  check(path: string): Promise<Outcome<TapeHealth>> {
    return withTapeFolder(path, this.#deps, (folder, displayPath) =>
      checkTape(folder, { ...this.#deps, displayPath }),
    );
  }

  repair(path: string, into: string): Promise<Outcome<TapeHealth>> {
    return this.#make(path, into, (folder, target, displayPath) =>
      repairTape(folder, target, { ...this.#deps, displayPath }),
    );
  }

  /** Copies a tape; words are masked, voices replaced with noise, pictures blurred and names replaced. */
  redact(path: string, into: string): Promise<Outcome<TapeHealth>> {
    return this.#make(path, into, (folder, target, displayPath) =>
      redactTape(folder, target, { ...this.#deps, displayPath }),
    );
  }

  async cut(path: string, into: string, range: TapeRange): Promise<Outcome<TapeHealth>> {
    const rendering = await this.#deps.rendering();
    return this.#make(path, into, (folder, target, displayPath) =>
      cutTape(folder, target, range, { ...this.#deps, rendering, displayPath }),
    );
  }

  async compare(path: string, other: string): Promise<Outcome<TapeComparison>> {
    const [first, second] = [await this.#measureAt(path), await this.#measureAt(other)];
    if (!first.ok) return first;
    if (!second.ok) return second;
    const [isChat, isOtherChat] = [first, second].map(
      ({ value }) => value.measures.mode === 'chat',
    );
    return isChat === isOtherChat
      ? { ok: true, value: compareTalks(first.value, second.value) }
      : failure('comparedKinds');
  }

  #make(
    path: string,
    into: string,
    make: (folder: string, target: string, displayPath: string) => Promise<Outcome<TapeHealth>>,
  ): Promise<Outcome<TapeHealth>> {
    return withTapeFolder(path, this.#deps, async (folder, displayPath) => {
      if (!/\.parleytape$/iu.test(into)) return make(folder, into, displayPath);
      const scratch = await this.#deps.tools.openScratch();
      try {
        const made = await make(folder, scratch.path, displayPath);
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
    const { checksums } = tapeFiles;
    const hasChecksums = fileSize(files, `${folder}/${checksums}`) !== undefined;
    const all = hasChecksums ? [...names.value, checksums] : names.value;
    return tools.packZip(
      into,
      all.map((name) => ({ name, path: `${folder}/${name}` })),
    );
  }

  async #measureAt(path: string): Promise<Outcome<MeasuredTalk>> {
    const opened = await this.#deps.exports.openSource(path);
    if (!opened.ok) return opened;
    const { source, release } = opened.value;
    const tape = source.tape?.tape;
    const made = tape === undefined ? failure('notTape', { path }) : await this.#measure(tape);
    await release();
    return made;
  }

  async #measure(tape: OpenTape): Promise<Outcome<MeasuredTalk>> {
    const { serverCodec: ours, clientCodec: server, rendering } = this.#deps;
    if (tape.header.mode === 'chat')
      return { ok: true, value: measureChat(tape, { ours, server }) };
    const made = await renderTape(tape, await rendering());
    return made.ok ? { ok: true, value: measureTalk(made.value.rendered, tape.header) } : made;
  }
}
