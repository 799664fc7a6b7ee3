import type { AppError } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { KeptTalk } from '../../../shared/recordings/talk-keeping.ts';
import type { TalkRecord, TalkRecordPicture } from '../../../shared/recordings/talk-record.ts';
import type { PrivacySettings } from '../../../shared/settings/privacy-settings.ts';
import type { VisionFrame } from '../../../shared/vision/vision-frame.ts';
import type { TalkRecordBuilder } from './talk-record-builder.ts';
import type { TalkStore } from './talk-record-store.ts';
import { serializeTalk } from './talk-source.ts';

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

/** A picture that went to the model and is not on the disk. */
interface HeldPicture {
  readonly file: string;
  readonly jpeg: Uint8Array;
}

/** A talk with the camera for half an hour; what is more is thinned out. */
const maxBytes = 32 * 1024 * 1024;

/** Pictures of a talk of which nobody has said yet whether it is to be kept. In memory, and not without end. */
class HeldPictures {
  #pictures: readonly HeldPicture[] = [];

  get all(): readonly HeldPicture[] {
    return this.#pictures;
  }

  add(picture: HeldPicture): void {
    this.#pictures = [...this.#pictures, picture];
    // From the whole of the talk some are better than all of its end.
    while (this.#bytes > maxBytes && this.#pictures.length > 1)
      this.#pictures = this.#pictures.filter((_picture, index) => index % 2 === 1);
  }

  clear(): void {
    this.#pictures = [];
  }

  get #bytes(): number {
    return this.#pictures.reduce((sum, { jpeg }) => sum + jpeg.length, 0);
  }
}

export interface ShownTalk {
  /** None of a talk that leaves nothing. */
  readonly writer: KeptTalkWriter | undefined;
  readonly ended: boolean;
}

/** What the window says of the text of the talk that it shows. */
export function keptTalkOf(
  shown: ShownTalk | undefined,
  policy: PrivacySettings['keepTalks'],
): KeptTalk {
  if (shown === undefined) return { kind: 'unkept' };
  const { writer, ended } = shown;
  if (writer === undefined) return { kind: 'incognito' };
  if (policy === 'no' || (ended && writer.builder.isEmpty)) return { kind: 'unkept' };
  if (policy === 'yes') return { kind: 'kept', id: writer.id };
  return { kind: ended ? 'asked' : 'held' };
}
