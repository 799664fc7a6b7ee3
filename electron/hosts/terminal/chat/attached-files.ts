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
  #pending: readonly Media[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  readonly pathOf = ({ media }: Media): string | undefined => this.#paths.get(media);

  /** Attaches a file by its path as typed. Returns an error sentence, or undefined. */
  async add(typedPath: string, type: Media['type']): Promise<string | undefined> {
    const path = expandTilde(parseTypedPath(typedPath));
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
    this.#pending = [...this.#pending, part];
    return undefined;
  }

  /**
   * Attaches the files whose paths a terminal inserted, because the user dropped them. Returns the message with file
   * names in place of the paths, or an error sentence.
   */
  async addDropped(
    message: string,
  ): Promise<{ readonly text: string } | { readonly error: string }> {
    const { text, paths } = findDroppedFiles(message, (path) => this.exists(path));
    for (const path of paths) {
      const error = await this.add(path, isSoundFileName(path) ? 'audio' : 'image');
      if (error !== undefined) return { error };
      this.#deps.say(`${fileName(path)} is attached.`);
    }
    return { text };
  }

  exists(path: string): boolean {
    const opened = this.#deps.files.openToRead(path);
    if (opened.ok) opened.value.close();
    return opened.ok;
  }

  /** Returns the pending attachments and removes them here. */
  take(): readonly Media[] {
    const parts = this.#pending;
    this.#pending = [];
    return parts;
  }

  /** Drops all attachments, because another conversation begins. */
  forget(): void {
    for (const media of this.#paths.keys()) this.#deps.attachments.forget(media);
    this.#paths.clear();
    this.#pending = [];
  }

  /** Takes back the attachments of a refused question, for the next one. */
  putBack(parts: readonly Media[]): void {
    this.#pending = [...parts, ...this.#pending];
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
const absolutePath = /^(?:file:\/\/\/|\/|[a-z]:[\\/])/iu;

/** Finds dropped pictures and sounds in a line; paths that do not exist stay text. */
function findDroppedFiles(line: string, exists: (path: string) => boolean): DroppedFiles {
  const paths: string[] = [];
  let hasOnlyPaths = true;
  const text = line.replaceAll(words, (word) => {
    const path = parseTypedPath(word);
    const isDropped = absolutePath.test(path) && attachableName.test(path) && exists(path);
    if (!isDropped) {
      hasOnlyPaths = false;
      return word;
    }
    paths.push(path);
    return fileName(path);
  });
  return { text: paths.length > 0 && hasOnlyPaths ? '' : text, paths };
}

/** Parses a path that is bare, quoted, or escaped as for a shell. */
export function parseTypedPath(typed: string): string {
  const text = typed.trim();
  const quoted = /^(['"])(?<inside>.*)\1$/u.exec(text)?.groups?.['inside'];
  if (quoted !== undefined) return fromFileUrl(quoted);
  // A backslash before a letter or digit is a Windows separator and not an escape.
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
