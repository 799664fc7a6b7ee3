import type { Outcome } from '../../../shared/errors/app-error.ts';
import type { Clock } from '../../../shared/ports/clock.ts';
import type { Files } from '../../../shared/ports/files.ts';
import type { TalkRecord } from '../../../shared/recordings/talk-record.ts';
import { parseStoredTalk } from '../history/talk-source.ts';
import type { TapeRendererDeps } from '../replay/tape-renderer.ts';
import { normalizeTapePath, tapeStem } from '../tape/open-tape.ts';
import type { TapeArchive } from '../tape/tape-archive.ts';
import type { ExportTools } from './export-tools.ts';
import type { TranscriptWords } from './talk-transcript.ts';
import { type ExportSource, type OpenedExport, TapeExporter } from './tape-exporter.ts';

interface Deps {
  readonly files: Files;
  readonly clock: Clock;
  readonly tools: ExportTools;
  readonly archive: Pick<TapeArchive, 'loadTapeAt'>;
  readonly rendering: () => Promise<TapeRendererDeps>;
  readonly words: () => Promise<TranscriptWords>;
}

/** A tape stays open until `release`. */
interface OpenedSource {
  readonly source: ExportSource;
  readonly release: () => Promise<void>;
}

const maxRecordBytes = 64 * 1024 * 1024;

/** Opens a tape or a talk's record at a path for export. */
export class ExportOpener {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  readonly openExport = async (path: string): Promise<Outcome<OpenedExport>> => {
    const opened = await this.openSource(path);
    if (!opened.ok) return opened;
    const { source, release } = opened.value;
    const { files, tools, clock } = this.#deps;
    const [rendering, words] = [await this.#deps.rendering(), await this.#deps.words()];
    const exporter = new TapeExporter(source, { files, tools, clock, rendering, words });
    return { ok: true, value: { exporter, release } };
  };

  async openSource(path: string): Promise<Outcome<OpenedSource>> {
    const plain = normalizeTapePath(path).replace(/[/\\]talk\.json$/u, '');
    const record = await this.#readRecord(`${plain}/talk.json`);
    if (record !== undefined) {
      const source = { path, tape: undefined, record };
      return { ok: true, value: { source, release: () => Promise.resolve() } };
    }
    const loaded = await this.#deps.archive.loadTapeAt(plain);
    if (!loaded.ok) return loaded;
    const { release, ...tape } = loaded.value;
    const tapeRecord = await this.#readRecord(recordBeside(tapeStem(plain)));
    return { ok: true, value: { source: { path, tape, record: tapeRecord }, release } };
  }

  async #readRecord(path: string): Promise<TalkRecord | undefined> {
    const text = await this.#deps.files.readText(path, maxRecordBytes);
    const record = text.ok ? parseStoredTalk(path, text.value) : undefined;
    return record?.ok === true ? record.value : undefined;
  }
}

/** Path of the talk's record, which has the tape's name in the folder `talks` beside `tapes`. */
function recordBeside(stem: string): string {
  const parts = stem.split(/[/\\]/u);
  return [...parts.slice(0, -2), 'talks', parts.at(-1), 'talk.json'].join('/');
}
