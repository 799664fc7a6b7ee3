import { failure, mapErrorText } from '../../shared/errors/app-error.ts';
import type { ExportForm } from '../../shared/export/export-form.ts';
import type { ExportOrigin, ExportResult } from '../../shared/export/export-origin.ts';
import type { Page } from '../../shared/ipc/page.ts';
import { unwrap } from '../ipc/request-refused-error.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { ChooseSavePlace } from '../ports/saving.ts';
import type { ExportHandlers } from './controller-handlers.ts';
import type { ExportOrigins, OpenedOrigin } from './export-origins.ts';
import { fileNameOf } from './file-name-of.ts';
import type { SavedFolder } from './saved-folder.ts';
import type { PostNotice } from '../../shared/ipc/contract.ts';

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
  #stop: (() => void) | undefined;

  readonly handlers: Omit<ExportHandlers, 'showSaved'> = {
    exportOffer: async ({ origin }) => {
      const { origins, hasFfmpeg } = this.#deps;
      return { forms: unwrap(await origins.forms(origin)), ffmpeg: await hasFfmpeg() };
    },
    exportFile: async (wanted, page) => unwrap(await this.#export(wanted, page)),
    stopExport: () => {
      this.#stop?.();
      return undefined;
    },
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  end(): void {
    this.#stop?.();
  }

  async #export(wanted: WantedFile, page: Page): Promise<Outcome<ExportResult>> {
    if (this.#stop !== undefined) return failure('exportGoesOn');
    let stopped = false;
    let stop = (): void => {
      stopped = true;
    };
    this.#stop = () => {
      stop();
    };
    const stayed = page.whenGone(this.#stop);
    try {
      const opened = await this.#deps.origins.open(wanted.origin);
      if (!opened.ok) return opened;
      stop = () => {
        stopped = true;
        opened.value.stop();
      };
      const result = await this.#save(wanted, opened.value, () => stopped);
      await opened.value.leave();
      return result;
    } finally {
      stayed();
      this.#stop = undefined;
    }
  }

  async #save(
    { as, mix }: WantedFile,
    { name, write }: OpenedOrigin,
    stopped: () => boolean,
  ): Promise<Outcome<ExportResult>> {
    const place = await this.#deps.choosePlace(fileNameOf(name, as));
    if (place === undefined) return { ok: true, value: { kind: 'unplaced' } };
    const written = stopped()
      ? failure('exportStopped')
      : await write(as, place.draft, mix, this.#tellProgress());
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
