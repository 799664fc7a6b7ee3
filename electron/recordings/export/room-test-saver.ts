import type { ChooseSaveTarget, Files, SaveMethod } from '../../../shared/ports/files.ts';
import type { SaveRoom } from '../../audio/devices/room-controller.ts';
import { roomName, writeRoom } from '../../audio/devices/room-test.ts';
import type { SavedFolder } from './export-controller.ts';
import type { ExportTools } from './export-tools.ts';

interface Deps {
  readonly files: Files;
  readonly saveMethod: SaveMethod;
  readonly chooseTarget: ChooseSaveTarget;
  readonly saved: Pick<SavedFolder, 'note'>;
  readonly tools: Pick<ExportTools, 'openScratch' | 'packZip'>;
  readonly now: () => Date;
}

/** Saves the recordings of a room test where the user chooses: in a folder, or as a zip to download. */
export class RoomTestSaver {
  readonly #deps: Deps;

  constructor(deps: Deps) {
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
        saved.note({ ok: true, value: { kind: 'file', path } });
      return { ok: true, value: { kind: 'folder', path: folder } };
    };
  };

  /** A browser downloads one file at a time, so the recordings go into a zip. */
  #zipPlace(name: string): SaveRoom {
    const { files, chooseTarget, tools } = this.#deps;
    return async (room) => {
      const target = await chooseTarget(`${name}.zip`);
      if (target === undefined) return { ok: true, value: { kind: 'cancelled' } };
      const scratch = await tools.openScratch();
      const written = await writeRoom(files, scratch.path, name, room);
      const packed = written.ok
        ? await tools.packZip(
            target.draft,
            written.value.map((path) => ({ name: path.replace(/^.*[/\\]/u, ''), path })),
          )
        : written;
      await scratch.remove();
      if (packed.ok) return target.commit();
      await target.discard();
      return packed;
    };
  }
}
