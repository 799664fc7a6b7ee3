import type { AppError } from '../../../shared/errors/app-error.ts';
import { SerialQueue } from '../../../shared/lifetime.ts';
import type { TalkTextState } from '../../../shared/talk/talk-view.ts';
import type { TalkRecord, TalkRecordPicture } from '../../../shared/recordings/talk-record.ts';
import type { PrivacySettings } from '../../../shared/settings/app-settings.ts';
import type { VisionFrame } from '../../../shared/vision/vision-frame.ts';
import type { TalkRecordBuilder } from './talk-record-builder.ts';
import { type TalkStore, serializeTalk } from './talk-source.ts';

interface Deps {
  readonly store: Pick<TalkStore, 'write' | 'writePicture' | 'remove'>;
  readonly onChange: (id: string) => void;
  readonly reportError: (error: AppError) => void;
}

const pictureEveryMs = 3000;
const maxPictures = 1200;
const maxPictureBytes = 4 * 1024 * 1024;

/** Writes one talk's record and pictures to its folder. Until writing is allowed, holds the pictures in memory. */
export class TalkRecordWriter {
  readonly id: string;
  readonly builder: TalkRecordBuilder;
  readonly #deps: Deps;
  readonly #writes = new SerialQueue();
  readonly #pendingPictures = new PendingPictures();
  /** Files of pictures that could not be written. */
  readonly #failedPictures = new Set<string>();
  #pictures = 0;
  #lastPictureAt = -Infinity;
  #written = false;
  #writtenChanges = -1;
  #lacksText = false;

  constructor(id: string, builder: TalkRecordBuilder, deps: Deps) {
    this.id = id;
    this.builder = builder;
    this.#deps = deps;
  }

  get isWritten(): boolean {
    return this.#written;
  }

  /** Whether the last write of the record failed, so that its file is missing or old. */
  get lacksText(): boolean {
    return this.#lacksText;
  }

  addPicture({ jpeg, facts }: VisionFrame, mayWrite: boolean): boolean {
    const { elapsedMs: at } = this.builder;
    if (at - this.#lastPictureAt < pictureEveryMs || this.#pictures >= maxPictures) return false;
    if (jpeg.length > maxPictureBytes) return false;
    this.#lastPictureAt = at;
    this.#pictures += 1;
    const file = `picture-${String(this.#pictures).padStart(4, '0')}.jpg`;
    this.builder.addPicture({ at, file, width: facts.width, height: facts.height });
    if (mayWrite) void this.#writes.run(() => this.#writePicture({ file, jpeg }));
    else this.#pendingPictures.add({ file, jpeg });
    return true;
  }

  /** Writes the record and the pictures in memory. Skips a record without changes unless `force` is set. */
  write(force = false): Promise<void> {
    return this.#writes.run(async () => {
      const { changes, isEmpty } = this.builder;
      // An unchanged record is not written again, because the file may have been edited or deleted since.
      const isCurrent = this.#written && changes === this.#writtenChanges;
      if (isEmpty || (isCurrent && !force)) return;
      for (const picture of this.#pendingPictures.all) await this.#writePicture(picture);
      this.#pendingPictures.clear();
      this.builder.markSaved();
      const written = await this.#deps.store.write(this.id, serializeTalk(this.#record));
      this.#lacksText = !written.ok;
      if (!written.ok) {
        this.#deps.reportError(written.error);
        return;
      }
      this.#written = true;
      this.#writtenChanges = changes;
      this.#deps.onChange(this.id);
    });
  }

  /** Runs `change` on a written record. A deleted one is not written again. */
  amend(change: () => Promise<void>): Promise<void> {
    return this.#writes.run(async () => {
      if (!this.#written) return;
      await change();
      this.#writtenChanges = this.builder.changes;
    });
  }

  drop(): Promise<void> {
    return this.#writes.run(async () => {
      this.#pendingPictures.clear();
      if (!this.#written) return;
      this.#written = false;
      const removed = await this.#deps.store.remove(this.id);
      if (!removed.ok) this.#deps.reportError(removed.error);
      this.#deps.onChange(this.id);
    });
  }

  get #record(): TalkRecord {
    const { record } = this.builder;
    return { ...record, pictures: record.pictures.filter(this.#isStored) };
  }

  readonly #isStored = ({ file }: TalkRecordPicture): boolean => !this.#failedPictures.has(file);

  async #writePicture({ file, jpeg }: PendingPicture): Promise<void> {
    const written = await this.#deps.store.writePicture(this.id, file, jpeg);
    if (written.ok) {
      this.#written = true;
      return;
    }
    this.#failedPictures.add(file);
    this.#deps.reportError(written.error);
  }
}

interface PendingPicture {
  readonly file: string;
  readonly jpeg: Uint8Array;
}

/** Half an hour with camera. Above this, every other picture is dropped. */
const maxBytes = 32 * 1024 * 1024;

/** Keeps pictures in memory until the user decides whether to keep the talk. */
class PendingPictures {
  #pictures: readonly PendingPicture[] = [];

  get all(): readonly PendingPicture[] {
    return this.#pictures;
  }

  add(picture: PendingPicture): void {
    this.#pictures = [...this.#pictures, picture];
    // Drops every other picture, so that the rest still covers the whole talk.
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
  /** Undefined for an incognito talk. */
  readonly writer: TalkRecordWriter | undefined;
  readonly ended: boolean;
}

/** The state of the talk's text, as the window shows it. */
export function toTalkTextState(
  shown: ShownTalk | undefined,
  keepTalks: PrivacySettings['keepTalks'],
): TalkTextState {
  if (shown === undefined) return { kind: 'notStored' };
  const { writer, ended } = shown;
  if (writer === undefined) return { kind: 'incognito' };
  if (keepTalks === 'no' || (ended && (writer.builder.isEmpty || writer.lacksText)))
    return { kind: 'notStored' };
  if (keepTalks === 'yes') return { kind: 'stored', id: writer.id };
  return { kind: ended ? 'asked' : 'inMemory' };
}
