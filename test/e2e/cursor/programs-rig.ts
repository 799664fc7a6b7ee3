import { createInterface } from 'node:readline';
import { app, clipboard, nativeImage } from 'electron';
import { createOtherPrograms } from '../../../electron/app/other-programs.ts';
import { foreignClipboard } from '../../../electron/hosts/desktop/foreign-clipboard.ts';
import type { ForeignWindow } from '../../../shared/ports/other-programs.ts';

// An Electron app without windows that works in other programs. It takes one request per line of stdin, as JSON, and
// prints one answer.

export type RigRequest =
  | { readonly does: 'active' | 'selection' | 'clipboard' | 'look' }
  | { readonly does: 'fill'; readonly text?: string; readonly html?: string; readonly png?: string }
  | { readonly does: 'focus'; readonly window: ForeignWindow }
  | { readonly does: 'insert'; readonly text: string; readonly window?: ForeignWindow };

const programs = createOtherPrograms({
  clipboard: foreignClipboard(),
  system: { platform: process.platform, environment: process.env },
  keyboardToken: {
    read: () => ({ ok: true, value: undefined }),
    write: () => Promise.resolve({ ok: true, value: undefined }),
  },
  hideOwnWindow: () => undefined,
  wait: () => Promise.resolve(),
});

interface OlderClipboard {
  readonly readText: () => string;
  readonly readHTML: () => string;
  readonly readImage: () => Electron.NativeImage;
  readonly write: (parts: object) => void;
}

/** The tests' Electron has the older clipboard. */
function isOlder(found: object): found is OlderClipboard {
  return 'readHTML' in found;
}

function olderClipboard(found: object): OlderClipboard {
  if (isOlder(found)) return found;
  throw new Error('This Electron has the newer clipboard.');
}

const system = olderClipboard(clipboard);

async function answer(request: RigRequest): Promise<unknown> {
  switch (request.does) {
    case 'active':
      return (await programs.active()) ?? null;
    case 'selection':
      return programs.selection();
    case 'clipboard':
      return (await programs.clipboard()).kind;
    case 'look':
      return {
        text: system.readText(),
        html: system.readHTML(),
        bitmap: system.readImage().toBitmap().toString('base64'),
      };
    case 'fill': {
      const { text, html, png } = request;
      const image = png === undefined ? {} : { image: nativeImage.createFromDataURL(png) };
      return system.write({ ...(text !== undefined && { text, html }), ...image });
    }
    case 'focus':
      return programs.focus(request.window);
    case 'insert':
      return programs.insert(request.text, request.window);
  }
}

await app.whenReady();
process.stdout.write('"ready"\n');
for await (const line of createInterface(process.stdin)) {
  const value = await answer(JSON.parse(line) as RigRequest);
  process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
}
app.quit();
