import type { TalkStore } from '../../electron/recordings/history/talk-source.ts';
import { failure, type Outcome } from '../../shared/errors/app-error.ts';

interface StoredTalkFiles {
  readonly text: string | undefined;
  readonly version: string;
  readonly pictures: ReadonlyMap<string, Uint8Array>;
}

const ok: Outcome<undefined> = { ok: true, value: undefined };
const empty: StoredTalkFiles = { text: undefined, version: '', pictures: new Map() };

/** Talks in memory; `full` simulates a full disk. */
export class FakeTalkStore implements TalkStore {
  readonly path = '/talks';
  readonly stored = new Map<string, StoredTalkFiles>();
  full = false;
  writes = 0;

  readonly list: TalkStore['list'] = () =>
    Promise.resolve({
      ok: true,
      value: [...this.stored].flatMap(([id, { text, version }]) =>
        text === undefined ? [] : [{ id, version }],
      ),
    });

  readonly read: TalkStore['read'] = (id) => {
    const { text, version } = this.stored.get(id) ?? empty;
    return Promise.resolve(
      text === undefined
        ? failure('fileGone', { path: id })
        : { ok: true, value: { text, version } },
    );
  };

  readonly write: TalkStore['write'] = (id, text) => {
    if (this.full) return Promise.resolve(failure('diskFull', { path: id }));
    this.writes += 1;
    const { pictures } = this.stored.get(id) ?? empty;
    this.stored.set(id, { text, version: `${this.writes} ${text.length}`, pictures });
    return Promise.resolve(ok);
  };

  readonly writePicture: TalkStore['writePicture'] = (id, file, jpeg) => {
    if (this.full) return Promise.resolve(failure('diskFull', { path: id }));
    const before = this.stored.get(id) ?? empty;
    this.stored.set(id, { ...before, pictures: new Map([...before.pictures, [file, jpeg]]) });
    return Promise.resolve(ok);
  };

  readonly readPicture: TalkStore['readPicture'] = (id, file) => {
    const jpeg = this.stored.get(id)?.pictures.get(file);
    return Promise.resolve(
      jpeg === undefined ? failure('fileGone', { path: file }) : { ok: true, value: jpeg },
    );
  };

  readonly remove: TalkStore['remove'] = (id) => {
    this.stored.delete(id);
    return Promise.resolve(ok);
  };
}
