import { readdir, readFile } from 'node:fs/promises';
import { extname, join, posix, relative, sep } from 'node:path';
import { type FirstState, firstStateMetaName } from '../../shared/app/program.ts';

export interface PageFile {
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

const contentTypes: Readonly<Record<string, string>> = {
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
 * The files of the built renderer. Serves only paths that were listed at the start, so that no path can escape
 * the folder.
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
    const body = path === '/index.html' ? withFirstState(file, this.#firstState()) : file;
    return {
      type: contentTypes[extname(path)] ?? 'application/octet-stream',
      body: new Uint8Array(body),
    };
  }
}

/** Writes the state that the page needs for its first rendering, before it can send requests. */
function withFirstState(page: Buffer, state: FirstState): Buffer {
  const attributes = firstStateAttributes(escapeAttribute(JSON.stringify(state)));
  return Buffer.from(
    page.toString('utf8').replace(firstStateAttributes('unknown'), () => attributes),
  );
}

const firstStateAttributes = (content: string): string =>
  `name="${firstStateMetaName}" content="${content}"`;

/** Escapes text for an attribute, because server names and prompts may contain any character. */
function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** HTTP headers of every page file, in the desktop window and the browser. */
export function pageHeaders(connect: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(connect),
    'permissions-policy': permissionsPolicy,
    // Neither a window that opened the page nor one that it opens gets a reference to it.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    // The browser must not resolve links in answers before a click.
    'x-dns-prefetch-control': 'off',
    'x-content-type-options': 'nosniff',
  };
}

/** Limits the page to its files and its host, in the desktop window and in the browser. */
export function contentSecurityPolicy(connect: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Permissions that the page may request: camera and screen. The main process handles sound. */
const permissionsPolicy = [
  'camera=(self)',
  'display-capture=(self)',
  ...['microphone', 'geolocation', 'midi', 'usb', 'serial', 'hid', 'payment'].map(
    (feature) => `${feature}=()`,
  ),
].join(', ');
