import { homedir } from 'node:os';
import {
  isSoundFileName,
  maxPictureBytes,
  maxSoundBytes,
  type Part,
} from '../../../../shared/chat/chat-thread.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import type { Attachments } from '../../../chat/attachments.ts';

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

/** A message, and the files that are named in it. */
export interface DroppedFiles {
  /** With the bare names where the paths stood; nothing where there were only paths. */
  readonly text: string;
  readonly paths: readonly string[];
}

/** In quotes, or with backslashes before spaces, or as an address: as terminals insert what is dropped on them. */
const words = /(?<!\S)'[^']*'|(?<!\S)"[^"]*"|(?:\\.|[^\s'"\\])+/gu;
const attachable = /\.(?:jpe?g|png|webp|wave?)$/iu;
const whole = /^(?:file:\/\/\/|\/|[a-z]:[\\/])/iu;

/** Pictures and sounds that were dropped into a line; what is not there is part of the text. */
function droppedFiles(line: string, isThere: (path: string) => boolean): DroppedFiles {
  const paths: string[] = [];
  let onlyPaths = true;
  const text = line.replaceAll(words, (word) => {
    const path = pathIn(word);
    const found = whole.test(path) && attachable.test(path) && isThere(path);
    if (!found) {
      onlyPaths = false;
      return word;
    }
    paths.push(path);
    return nameOf(path);
  });
  return { text: paths.length > 0 && onlyPaths ? '' : text, paths };
}

/** A path as a person writes it: bare, in quotes, with backslashes before what a shell would take for its own. */
export function pathIn(written: string): string {
  const text = written.trim();
  const quoted = /^(['"])(?<inside>.*)\1$/u.exec(text)?.groups?.['inside'];
  if (quoted !== undefined) return fromAddress(quoted);
  // A backslash of a Windows path stands before a letter, and is no shell's.
  return fromAddress(text.replaceAll(/\\(?<letter>[^\p{L}\p{N}])/gu, '$<letter>'));
}

function fromAddress(text: string): string {
  const encoded = /^file:\/\/(?:localhost)?(?<path>\/.*)$/iu.exec(text)?.groups?.['path'];
  if (encoded === undefined) return text;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function nameOf(path: string): string {
  return path.split(/[\\/]/u).at(-1) ?? path;
}
