import { failure, mapErrorText, type Outcome } from '../../../shared/errors/app-error.ts';
import type { PostNotice } from '../../../shared/ipc/contract.ts';
import { type Page, StoppableTask } from '../../../shared/ipc/page.ts';
import type { ExportHandlers } from '../../../shared/ipc/recordings-ipc.ts';
import type {
  ChooseSaveTarget,
  Files,
  OpenFolder,
  SaveMethod,
} from '../../../shared/ports/files.ts';
import type { ExportResult } from '../../../shared/recordings/export-format.ts';
import { toOneLine, utf8Length } from '../../../shared/text.ts';
import type { ExportOrigins, OpenedOrigin } from './export-origins.ts';
import type { SaveRoom } from '../../audio/devices/room-controller.ts';
import { roomName, writeRoom } from '../../audio/devices/room-test.ts';
import type { ExportTools } from './export-tools.ts';

interface Deps {
  readonly origins: Pick<ExportOrigins, 'formats' | 'open'>;
  readonly chooseTarget: ChooseSaveTarget;
  readonly hasFfmpeg: () => Promise<boolean>;
  readonly post: PostNotice;
  readonly saved: Pick<SavedFolder, 'remember'>;
}

type ExportRequest = Parameters<ExportHandlers['exportFile']>[0];

/** Exports one file at a time, to where the user chooses. */
export class ExportController {
  readonly #deps: Deps;
  readonly #exporting = new StoppableTask();

  readonly handlers: Omit<ExportHandlers, 'showSaved'> = {
    exportOffer: async ({ origin }) => {
      const { origins, hasFfmpeg } = this.#deps;
      const formats = await origins.formats(origin);
      return formats.ok ? { formats: formats.value, ffmpeg: await hasFfmpeg() } : formats;
    },
    exportFile: (request, page) => this.#export(request, page),
    stopExport: this.#exporting.stop,
  };

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  end(): void {
    this.#exporting.stop();
  }

  async #export(request: ExportRequest, page: Page): Promise<Outcome<ExportResult>> {
    if (this.#exporting.isRunning) return failure('exportGoesOn');
    return this.#exporting.run(page, async (stoppable) => {
      const opened = await this.#deps.origins.open(request.origin, request.language);
      if (!opened.ok) return opened;
      const { name, exporter, release } = opened.value;
      let stopped = false;
      stoppable(() => {
        stopped = true;
        exporter.stop();
      });
      const result = await this.#save(request, name, exporter, () => stopped);
      await release();
      return result;
    });
  }

  async #save(
    { format, mix }: ExportRequest,
    name: string,
    exporter: OpenedOrigin['exporter'],
    stopped: () => boolean,
  ): Promise<Outcome<ExportResult>> {
    const chosen = await this.#deps.chooseTarget(toFileName(name, format));
    if (!chosen.ok) return chosen;
    const target = chosen.value;
    if (target === undefined) return { ok: true, value: { kind: 'cancelled' } };
    const written = stopped()
      ? failure('exportStopped')
      : await exporter.write(format, target.draft, mix, this.#reportProgress());
    if (!written.ok) {
      await target.discard();
      // Errors name the final path, because the user never sees the draft's.
      const error = mapErrorText(written.error, (text) =>
        text.replaceAll(target.draft, () => target.path),
      );
      return { ok: false, error };
    }
    return this.#deps.saved.remember(await target.commit());
  }

  #reportProgress(): (fraction: number) => void {
    let reported = -1;
    return (fraction) => {
      const hundredth = Math.floor(fraction * 100);
      if (hundredth === reported) return;
      reported = hundredth;
      this.#deps.post('exportProgress', { fraction: hundredth / 100 });
    };
  }
}

/** Remembers the folder of the newest saved file of one kind, so that a page can show it without sending a path. */
export class SavedFolder {
  readonly #open: OpenFolder | undefined;
  #path: string | undefined;

  /** Without `open` the host cannot show folders. */
  constructor(open: OpenFolder | undefined) {
    this.#open = open;
  }

  readonly remember = (result: Outcome<ExportResult>): Outcome<ExportResult> => {
    if (result.ok && result.value.kind === 'file')
      this.#path = result.value.path.replace(/[/\\][^/\\]*$/u, '');
    return result;
  };

  readonly show = async (): Promise<
    Outcome<{ readonly path: string; readonly opened: boolean }>
  > => {
    const path = this.#path;
    if (path === undefined) return failure('nothingExported');
    return { ok: true, value: { path, opened: (await this.#open?.(path)) ?? false } };
  };
}

const maxNameLength = 80;
/** File systems allow 255 bytes. This leaves room for the extension and a draft's name. */
const maxNameBytes = 200;
/** Characters that some system forbids, and invisible ones. */
const forbidden = /[\p{Cc}\p{Cf}\p{Surrogate}"*/:<>?\\|]+/gu;
/** Windows device names, with any extension. */
const reserved = /^(?:con|conin\$|conout\$|clock\$|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/iu;

/** Turns a title into a file name that is valid on every system. */
export function toFileName(title: string, ending: string): string {
  const name = shortenName(toOneLine(title.replaceAll(forbidden, ' '))).replace(
    /^[.\s]+|[.\s]+$/gu,
    '',
  );
  return `${name === '' || reserved.test(name) ? `Parley ${name}`.trim() : name}.${ending}`;
}

function shortenName(text: string): string {
  let bytes = 0;
  const characters = Array.from(text).slice(0, maxNameLength);
  const end = characters.findIndex((character) => (bytes += utf8Length(character)) > maxNameBytes);
  return characters.slice(0, end === -1 ? maxNameLength : end).join('');
}

interface RoomTestSaverDeps {
  readonly files: Files;
  readonly saveMethod: SaveMethod;
  readonly chooseTarget: ChooseSaveTarget;
  readonly saved: Pick<SavedFolder, 'remember'>;
  readonly tools: Pick<ExportTools, 'openScratch' | 'packZip'>;
  readonly now: () => Date;
}

/** Saves the recordings of a room test where the user chooses: in a folder, or as a zip to download. */
export class RoomTestSaver {
  readonly #deps: RoomTestSaverDeps;

  constructor(deps: RoomTestSaverDeps) {
    this.#deps = deps;
  }

  readonly choose = async (): Promise<SaveRoom | undefined> => {
    const { files, saveMethod, saved, now } = this.#deps;
    const name = roomName(now());
    if (saveMethod.kind === 'download') return this.#zipPlace(name);
    const folder = await saveMethod.chooseFolder();
    if (folder === undefined) return undefined;
    return async (room) => {
      const written = await writeRoom(files, folder, name, room);
      if (!written.ok) return written;
      for (const path of written.value.slice(0, 1))
        saved.remember({ ok: true, value: { kind: 'file', path } });
      return { ok: true, value: { kind: 'folder', path: folder } };
    };
  };

  /** A browser downloads one file at a time, so the recordings go into a zip. */
  #zipPlace(name: string): SaveRoom {
    const { files, chooseTarget, tools } = this.#deps;
    return async (room) => {
      const chosen = await chooseTarget(`${name}.zip`);
      if (!chosen.ok) return chosen;
      const target = chosen.value;
      if (target === undefined) return { ok: true, value: { kind: 'cancelled' } };
      const scratch = await tools.openScratch();
      if (!scratch.ok) {
        await target.discard();
        return scratch;
      }
      const written = await writeRoom(files, scratch.value.path, name, room);
      const packed = written.ok
        ? await tools.packZip(
            target.draft,
            written.value.map((path) => ({ name: path.replace(/^.*[/\\]/u, ''), path })),
          )
        : written;
      await scratch.value.remove();
      if (packed.ok) return target.commit();
      await target.discard();
      return packed;
    };
  }
}
