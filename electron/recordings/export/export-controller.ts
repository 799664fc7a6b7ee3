import { failure, mapErrorText, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { type Page, StoppableTask } from '../../../shared/ipc/page.ts';
import type { ExportHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import type { ChooseSavePlace, OpenFolder } from '../../../shared/ports/files.ts';
import type {
  ExportForm,
  ExportOrigin,
  ExportResult,
} from '../../../shared/recordings/export-form.ts';
import type { ExportOrigins, OpenedOrigin } from './export-origins.ts';

interface Deps {
  readonly origins: Pick<ExportOrigins, 'forms' | 'open'>;
  readonly choosePlace: ChooseSavePlace;
  readonly hasFfmpeg: () => Promise<boolean>;
  readonly post: PostNotice;
  readonly saved: Pick<SavedFolder, 'note'>;
}

interface WantedFile {
  readonly origin: ExportOrigin;
  readonly as: ExportForm;
  readonly mix: boolean;
}

/** Makes one file at a time of what is kept, where the person wants to have it. */
export class ExportController {
  readonly #deps: Deps;
  readonly #exporting = new StoppableTask();

  readonly handlers: Omit<ExportHandlers, 'showSaved'> = {
    exportOffer: async ({ origin }) => {
      const { origins, hasFfmpeg } = this.#deps;
      const forms = await origins.forms(origin);
      return forms.ok ? { forms: forms.value, ffmpeg: await hasFfmpeg() } : forms;
    },
    exportFile: (wanted, page) => this.#export(wanted, page),
    stopExport: this.#exporting.stop,
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  end(): void {
    this.#exporting.stop();
  }

  async #export(wanted: WantedFile, page: Page): Promise<Outcome<ExportResult>> {
    if (this.#exporting.goesOn) return failure('exportGoesOn');
    return this.#exporting.run(page, async (stoppable) => {
      const opened = await this.#deps.origins.open(wanted.origin);
      if (!opened.ok) return opened;
      const { name, exporter, leave } = opened.value;
      let stopped = false;
      stoppable(() => {
        stopped = true;
        exporter.stop();
      });
      const result = await this.#save(wanted, name, exporter, () => stopped);
      await leave();
      return result;
    });
  }

  async #save(
    { as, mix }: WantedFile,
    name: string,
    exporter: OpenedOrigin['exporter'],
    stopped: () => boolean,
  ): Promise<Outcome<ExportResult>> {
    const place = await this.#deps.choosePlace(fileNameOf(name, as));
    if (place === undefined) return { ok: true, value: { kind: 'unplaced' } };
    const written = stopped()
      ? failure('exportStopped')
      : await exporter.write(as, place.draft, mix, this.#tellProgress());
    if (!written.ok) {
      await place.drop();
      // Nobody knows the name under which it was written first.
      const error = mapErrorText(written.error, (text) =>
        text.replaceAll(place.draft, () => place.path),
      );
      return { ok: false, error };
    }
    return this.#deps.saved.note(await place.keep());
  }

  /** A page can follow a hundred steps, and nobody sees more. */
  #tellProgress(): (part: number) => void {
    let told = -1;
    return (part) => {
      const hundredth = Math.floor(part * 100);
      if (hundredth === told) return;
      told = hundredth;
      this.#deps.post('exportProgress', { part: hundredth / 100 });
    };
  }
}

/** The folder of what was saved last: a page names no paths. */
export class SavedFolder {
  readonly #open: OpenFolder | undefined;
  #path: string | undefined;

  /** Without `open` the host has nothing to show a folder in. */
  constructor(open: OpenFolder | undefined) {
    this.#open = open;
  }

  readonly note = (kept: Outcome<ExportResult>): Outcome<ExportResult> => {
    if (kept.ok && kept.value.kind === 'file')
      this.#path = kept.value.path.replace(/[/\\][^/\\]*$/u, '');
    return kept;
  };

  readonly show = async (): Promise<
    Outcome<{ readonly path: string; readonly opened: boolean }>
  > => {
    const path = this.#path;
    if (path === undefined) return failure('nothingExported');
    return { ok: true, value: { path, opened: (await this.#open?.(path)) ?? false } };
  };
}

const maxLetters = 80;
/** Disks count bytes, and take 255 of them: with the ending, and what stands around the name of a draft. */
const maxBytes = 200;
/** What a name of a file cannot have on one system or another, and what would hide it or end it. */
const forbidden = /[\p{Cc}\p{Cf}\p{Surrogate}"*/:<>?\\|]+/gu;
/** Names that Windows keeps for its devices, whatever they end in. */
const reserved = /^(?:con|conin\$|conout\$|clock\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/iu;

/** A title as the name of a file, which every system takes. */
export function fileNameOf(title: string, ending: string): string {
  const name = shortened(title.replaceAll(forbidden, ' ').replaceAll(/\s+/gu, ' ').trim()).replace(
    /^[.\s]+|[.\s]+$/gu,
    '',
  );
  return `${name === '' || reserved.test(name) ? `Parley ${name}`.trim() : name}.${ending}`;
}

/** As many whole letters as fit. */
function shortened(text: string): string {
  let bytes = 0;
  const letters = Array.from(text).slice(0, maxLetters);
  const end = letters.findIndex((letter) => (bytes += bytesOf(letter)) > maxBytes);
  return letters.slice(0, end === -1 ? maxLetters : end).join('');
}

/** In UTF-8. */
function bytesOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x8_00) return 2;
  return code < 0x1_00_00 ? 3 : 4;
}
