import { basename } from 'node:path';
import { createSavePlaces } from '../adapters/files/save-place.ts';
import { RoomController } from '../controllers/room-controller.ts';
import type { RoomControllerDeps, RoomPlace } from '../controllers/room-controller.ts';
import type { RoomHandlers } from '../controllers/controller-handlers.ts';
import type { SavedFolder } from '../controllers/saved-folder.ts';
import type { PackedEntry } from '../ports/export-tools.ts';
import type { Files } from '../ports/files.ts';
import type { SaveWay } from '../ports/saving.ts';
import { roomName, writeRoom } from '../sound/devices/room-files.ts';
import { exportTools } from './compose-export.ts';
import { nowhere } from './compose-saving.ts';

interface Deps extends Omit<RoomControllerDeps, 'chooseRoomPlace'> {
  readonly files: Files;
  readonly saved: Pick<SavedFolder, 'note'>;
  readonly saveWay?: SaveWay | undefined;
}

/** Trying a room, and keeping what was recorded there: in a folder, or as a zip where a browser fetches it. */
export function composeRoom(deps: Deps): RoomHandlers {
  const { files, saved, saveWay = nowhere } = deps;
  const chooseRoomPlace = async (): Promise<RoomPlace | undefined> => {
    const name = roomName(new Date());
    if (saveWay.kind === 'download') return zipPlace(name, saveWay, files);
    const folder = await saveWay.chooseFolder();
    if (folder === undefined) return undefined;
    return async (room) => {
      const written = await writeRoom(files, folder, name, room);
      if (!written.ok) return written;
      for (const path of written.value.slice(0, 1))
        saved.note({ ok: true, value: { kind: 'file', path } });
      return { ok: true, value: { kind: 'folder', path: folder } };
    };
  };
  return new RoomController({ ...deps, chooseRoomPlace }).handlers;
}

/** A browser fetches one file. */
function zipPlace(name: string, way: SaveWay, files: Files): RoomPlace {
  return async (room) => {
    const place = await createSavePlaces(way)(`${name}.zip`);
    if (place === undefined) return { ok: true, value: { kind: 'unplaced' } };
    const scratch = await exportTools.openScratch();
    const written = await writeRoom(files, scratch.path, name, room);
    const packed = written.ok
      ? await exportTools.packZip(place.draft, written.value.map(entryOf))
      : written;
    await scratch.remove();
    if (packed.ok) return place.keep();
    await place.drop();
    return packed;
  };
}

const entryOf = (path: string): PackedEntry => ({ name: basename(path), path });
