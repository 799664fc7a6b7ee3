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
export function droppedFiles(line: string, isThere: (path: string) => boolean): DroppedFiles {
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

export function nameOf(path: string): string {
  return path.split(/[\\/]/u).at(-1) ?? path;
}
