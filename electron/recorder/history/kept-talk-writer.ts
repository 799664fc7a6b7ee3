import type { AppError } from '../../../shared/errors/app-error.ts';
import type { TalkRecord, TalkRecordPicture } from '../../../shared/history/talk-record.ts';
import { SerialQueue } from '../../../shared/serial-queue.ts';
import type { VisionFrame } from '../../../shared/vision/vision-frame.ts';
import type { TalkStore } from '../../ports/talk-store.ts';
import { HeldPictures } from './held-pictures.ts';
import type { HeldPicture } from './held-pictures.ts';
import { serializeTalk } from './stored-talk.ts';
import type { TalkRecordBuilder } from './talk-record-builder.ts';

interface Deps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  /** It stands on the disk, or does not any more. */
  readonly changed: (id: string) => void;
  /** What it comes to where it cannot be written; again and again, as long as that is so. */
  readonly trouble: (error: AppError) => void;
}

/** One picture in so much time is enough to know what was shown. */
const pictureEveryMs = 3000;
const maxPictures = 1200;
const maxPictureBytes = 4 * 1024 * 1024;

/** One talk on its way to its folder: written whole whenever it has changed, or held in memory until it may be. */
export class KeptTalkWriter {
  readonly id: string;
  readonly builder: TalkRecordBuilder;
  readonly #deps: Deps;
  readonly #writes = new SerialQueue();
  readonly #held = new HeldPictures();
  /** Those whose files were refused. */
  readonly #lost = new Set<string>();
  #pictures = 0;
  #lastPictureAt = -Infinity;
  #written = false;
  #writtenChanges = -1;

  constructor(id: string, builder: TalkRecordBuilder, deps: Deps) {
    this.id = id;
    this.builder = builder;
    this.#deps = deps;
  }

  /** Something of it stands on the disk. */
  get isWritten(): boolean {
    return this.#written;
  }

  /** Whether the picture is one that is kept. */
  picture({ jpeg, facts }: VisionFrame, isWritten: boolean): boolean {
    const { at } = this.builder;
    if (at - this.#lastPictureAt < pictureEveryMs || this.#pictures >= maxPictures) return false;
    if (jpeg.length > maxPictureBytes) return false;
    this.#lastPictureAt = at;
    this.#pictures += 1;
    const file = `picture-${String(this.#pictures).padStart(4, '0')}.jpg`;
    this.builder.picture({ at, file, width: facts.width, height: facts.height });
    if (isWritten) void this.#writes.run(() => this.#writePicture({ file, jpeg }));
    else this.#held.add({ file, jpeg });
    return true;
  }

  /** What there is now, and what was held until now. */
  write(anyway = false): Promise<void> {
    return this.#writes.run(async () => {
      const { changes, isEmpty } = this.builder;
      // What stands there may have been changed or deleted since, by another Parley or by hand.
      const isThere = this.#written && changes === this.#writtenChanges;
      if (isEmpty || (isThere && !anyway)) return;
      for (const picture of this.#held.all) await this.#writePicture(picture);
      this.#held.clear();
      this.builder.saved();
      const written = await this.#deps.store.write(this.id, serializeTalk(this.#record));
      if (!written.ok) {
        this.#deps.trouble(written.error);
        return;
      }
      this.#written = true;
      this.#writtenChanges = changes;
      this.#deps.changed(this.id);
    });
  }

  /** Where it stands on the disk as it is, only `change` is made there: somebody may have deleted it meanwhile. */
  amend(change: () => Promise<void>): Promise<void> {
    return this.#writes.run(async () => {
      if (!this.#written) return;
      await change();
      this.#writtenChanges = this.builder.changes;
    });
  }

  /** It is not to be kept: nothing of it stays. */
  drop(): Promise<void> {
    return this.#writes.run(async () => {
      this.#held.clear();
      if (!this.#written) return;
      this.#written = false;
      const removed = await this.#deps.store.remove(this.id);
      if (!removed.ok) this.#deps.trouble(removed.error);
      this.#deps.changed(this.id);
    });
  }

  /** Only pictures that are really there are named. */
  get #record(): TalkRecord {
    const { record } = this.builder;
    return { ...record, pictures: record.pictures.filter(this.#isThere) };
  }

  readonly #isThere = ({ file }: TalkRecordPicture): boolean => !this.#lost.has(file);

  async #writePicture({ file, jpeg }: HeldPicture): Promise<void> {
    const written = await this.#deps.store.writePicture(this.id, file, jpeg);
    if (written.ok) {
      this.#written = true;
      return;
    }
    this.#lost.add(file);
    this.#deps.trouble(written.error);
  }
}
