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

/** Pictures and sounds for the next message, and the source path of every attachment in the conversation. */
export class AttachedFiles {
  readonly #deps: Deps;
  readonly #paths = new Map<string, string>();
  #waiting: readonly Media[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  readonly pathOf = ({ media }: Media): string | undefined => this.#paths.get(media);

  /** Attaches a file. Returns an error sentence, or undefined. */
  async add(written: string, type: Media['type']): Promise<string | undefined> {
    const path = expandTilde(parseTypedPath(written));
    const read = await this.#deps.files.read(
      path,
      type === 'audio' ? maxSoundBytes : maxPictureBytes,
    );
    if (!read.ok) return englishErrorMessage(read.error);
    const name = fileName(path);
    const added = await this.#deps.attachments.addFile(name, read.value);
    if (!added.ok) return `${path}: ${englishErrorMessage(added.error)}`;
    const { part, notice } = added.value;
    if (part.type !== type) {
      this.#deps.attachments.forget(part.media);
      return type === 'audio'
        ? `${path} is not a sound file; /image attaches a picture.`
        : `${path} is not a picture; /audio attaches a sound file.`;
    }
    if (notice !== undefined) this.#deps.say(englishErrorMessage(notice));
    this.#paths.set(part.media, path);
    this.#waiting = [...this.#waiting, part];
    return undefined;
  }

  /** Attaches files that were dropped into a message. Returns the remaining text, or an error sentence. */
  async addDropped(
    message: string,
  ): Promise<{ readonly text: string } | { readonly wrong: string }> {
    const { text, paths } = findDroppedFiles(message, (path) => this.exists(path));
    for (const path of paths) {
      const wrong = await this.add(path, isSoundFileName(path) ? 'audio' : 'image');
      if (wrong !== undefined) return { wrong };
      this.#deps.say(`${fileName(path)} is attached.`);
    }
    return { text };
  }

  exists(path: string): boolean {
    const opened = this.#deps.files.openToRead(path);
    if (opened.ok) opened.value.close();
    return opened.ok;
  }

  /** Returns the waiting attachments for a message. */
  take(): readonly Media[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }

  /** Drops all attachments, because another conversation begins. */
  forget(): void {
    for (const media of this.#paths.keys()) this.#deps.attachments.forget(media);
    this.#paths.clear();
    this.#waiting = [];
  }

  /** Keeps the attachments of a refused question for the next one. */
  putBack(parts: readonly Media[]): void {
    this.#waiting = [...parts, ...this.#waiting];
  }
}

/** Expands a leading tilde, as shells do. */
export function expandTilde(path: string): string {
  return path.replace(/^~(?=$|[\\/])/u, () => homedir());
}

export interface DroppedFiles {
  /** The text with file names in place of paths; empty if it had only paths. */
  readonly text: string;
  readonly paths: readonly string[];
}

/** Words as terminals insert dropped files: quoted, with escaped spaces, or as URLs. */
const words = /(?<!\S)'[^']*'|(?<!\S)"[^"]*"|(?:\\.|[^\s'"\\])+/gu;
const attachableName = /\.(?:jpe?g|png|webp|wave?)$/iu;
const whole = /^(?:file:\/\/\/|\/|[a-z]:[\\/])/iu;

/** Finds dropped pictures and sounds in a line; paths that do not exist stay text. */
function findDroppedFiles(line: string, exists: (path: string) => boolean): DroppedFiles {
  const paths: string[] = [];
  let onlyPaths = true;
  const text = line.replaceAll(words, (word) => {
    const path = parseTypedPath(word);
    const found = whole.test(path) && attachableName.test(path) && exists(path);
    if (!found) {
      onlyPaths = false;
      return word;
    }
    paths.push(path);
    return fileName(path);
  });
  return { text: paths.length > 0 && onlyPaths ? '' : text, paths };
}

/** Parses a path that is bare, quoted, or escaped as for a shell. */
export function parseTypedPath(written: string): string {
  const text = written.trim();
  const quoted = /^(['"])(?<inside>.*)\1$/u.exec(text)?.groups?.['inside'];
  if (quoted !== undefined) return fromFileUrl(quoted);
  // A backslash before a letter is a Windows separator and not an escape.
  return fromFileUrl(text.replaceAll(/\\(?<letter>[^\p{L}\p{N}])/gu, '$<letter>'));
}

function fromFileUrl(text: string): string {
  const encoded = /^file:\/\/(?:localhost)?(?<path>\/.*)$/iu.exec(text)?.groups?.['path'];
  if (encoded === undefined) return text;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

function fileName(path: string): string {
  return path.split(/[\\/]/u).at(-1) ?? path;
}
