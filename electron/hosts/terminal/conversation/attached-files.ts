import { homedir } from 'node:os';
import {
  maxPictureBytes,
  maxSoundBytes,
  isSoundFileName,
} from '../../../../shared/chat/attachment-limits.ts';
import type { Part } from '../../../../shared/chat/chat-thread.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/describe-app-error.ts';
import type { Attachments } from '../../../chat/attachments.ts';
import type { Files } from '../../../ports/files.ts';
import { droppedFiles, nameOf, pathIn } from './dropped-files.ts';

type Media = Exclude<Part, { readonly type: 'text' }>;

interface Deps {
  readonly files: Pick<Files, 'read' | 'openToRead'>;
  readonly attachments: Attachments;
  readonly say: (sentence: string) => void;
}

/** Pictures and sounds that go with the next message, and where each of the conversation's came from. */
export class AttachedFiles {
  readonly #deps: Deps;
  readonly #paths = new Map<string, string>();
  #waiting: readonly Media[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get any(): boolean {
    return this.#waiting.length > 0;
  }

  readonly pathOf = ({ media }: Media): string | undefined => this.#paths.get(media);

  /** What went wrong, in a sentence. */
  async add(written: string, type: Media['type']): Promise<string | undefined> {
    const path = inHome(pathIn(written));
    const read = await this.#deps.files.read(
      path,
      type === 'audio' ? maxSoundBytes : maxPictureBytes,
    );
    if (!read.ok) return englishErrorMessage(read.error);
    const name = nameOf(path);
    const added = await this.#deps.attachments.addFile(name, read.value);
    if (!added.ok) return `${path}: ${englishErrorMessage(added.error)}`;
    const { part, notice } = added.value;
    if (part.type !== type) {
      this.#deps.attachments.forget(part.media);
      return type === 'audio'
        ? `${path} is no sound; /image shows a picture.`
        : `${path} is no picture; /audio plays a sound.`;
    }
    if (notice !== undefined) this.#deps.say(englishErrorMessage(notice));
    this.#paths.set(part.media, path);
    this.#waiting = [...this.#waiting, part];
    return undefined;
  }

  /** Attaches what was dropped into a message; what is left of its words, or what went wrong. */
  async addDropped(
    message: string,
  ): Promise<{ readonly text: string } | { readonly wrong: string }> {
    const { text, paths } = droppedFiles(message, (path) => this.isThere(path));
    for (const path of paths) {
      const wrong = await this.add(path, isSoundFileName(path) ? 'audio' : 'image');
      if (wrong !== undefined) return { wrong };
      this.#deps.say(`${nameOf(path)} goes along.`);
    }
    return { text };
  }

  isThere(path: string): boolean {
    const opened = this.#deps.files.openToRead(path);
    if (opened.ok) opened.value.close();
    return opened.ok;
  }

  /** Those that wait go now. */
  take(): readonly Media[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** Another conversation begins: nothing of this one is needed any more. */
  forget(): void {
    for (const media of this.#paths.keys()) this.#deps.attachments.forget(media);
    this.#paths.clear();
    this.#waiting = [];
  }

  /** The question was not asked: they wait for the next one. */
  putBack(parts: readonly Media[]): void {
    this.#waiting = [...parts, ...this.#waiting];
  }
}

/** Nobody but a shell knows what a tilde means. */
export function inHome(path: string): string {
  return path.replace(/^~(?=$|[\\/])/u, () => homedir());
}
