import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix, relative, sep } from 'node:path';
import { firstStateMetaName } from '../../shared/first-state.ts';
import type { FirstState } from '../../shared/first-state.ts';

export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wav': 'audio/wav',
  '.woff2': 'font/woff2',
};

/**
 * The built renderer, by the path a page asks for. Only what was found in the folder is ever
 * answered, so that no path, however it is written, reaches another file.
 */
export class PageFiles {
  readonly #folder: string;
  readonly #paths: ReadonlySet<string>;
  readonly #firstState: () => FirstState;

  private constructor(folder: string, paths: ReadonlySet<string>, firstState: () => FirstState) {
    this.#folder = folder;
    this.#paths = paths;
    this.#firstState = firstState;
  }

  static async in(folder: string, firstState: () => FirstState): Promise<PageFiles> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .map((path) => posix.join('/', path.split(sep).join('/')));
    return new PageFiles(folder, new Set(paths), firstState);
  }

  async read(urlPath: string): Promise<PageFile | undefined> {
    const path = urlPath === '/' ? '/index.html' : urlPath;
    if (!this.#paths.has(path)) return undefined;
    const file = await readFile(join(this.#folder, path));
    const body = path === '/index.html' ? marked(file, this.#firstState()) : file;
    return { type: types[extname(path)] ?? 'application/octet-stream', body: new Uint8Array(body) };
  }
}

/** The page asks for nothing before it has shown something: what it must know by then stands in it. */
function marked(page: Buffer, state: FirstState): Buffer {
  const written = mark(inAttribute(JSON.stringify(state)));
  return Buffer.from(page.toString('utf8').replace(mark('unknown'), () => written));
}

const mark = (content: string): string => `name="${firstStateMetaName}" content="${content}"`;

/** Names of servers and words to the model are the person's own, and may hold anything. */
function inAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
