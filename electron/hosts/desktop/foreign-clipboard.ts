import electron, { clipboard, type NativeImage } from 'electron';
import type { ForeignClipboard, SelectedText } from '../../../shared/ports/other-programs.ts';

/**
 * The clipboard as other programs see it. Electron 33, with which the tests run, has an older interface than the Electron
 * that ships.
 */
export function foreignClipboard(): ForeignClipboard {
  return isOldClipboard(clipboard) ? oldClipboard(clipboard) : newClipboard(clipboard);
}

const maxCharacters = 100_000;
const png = 'image/png';

function boundText(text: string): SelectedText {
  return { text: text.slice(0, maxCharacters), cut: text.length > maxCharacters };
}

type NewClipboard = Pick<
  Electron.Clipboard,
  'read' | 'readText' | 'write' | 'writeText' | 'clear'
> & {
  readonly selection?: Pick<Electron.Clipboard, 'readText'> | undefined;
};

function newClipboard(system: NewClipboard): ForeignClipboard {
  const { selection } = system;
  return {
    selectedText: async () => boundText((await selection?.readText()) ?? ''),
    text: async () => boundText(await system.readText()),
    picture: async () => {
      const items = await system.read();
      const item = items.find(({ types }) => types.includes(png));
      const blob = await item?.getType(png);
      return blob === undefined ? undefined : new Uint8Array(await blob.arrayBuffer());
    },
    write: (text) => system.writeText(text),
    remember: async () => {
      const items = await Promise.all((await system.read()).map(copyItem));
      return async () => {
        if (items.length === 0) system.clear();
        else await system.write(items.map((parts) => new electron.ClipboardItem(parts)));
      };
    },
  };
}

type ItemParts = ConstructorParameters<typeof Electron.ClipboardItem>[0];

async function copyItem(item: Electron.ClipboardItem): Promise<ItemParts> {
  const parts = item.types.map(async (type) => [type, await item.getType(type)] as const);
  return Object.fromEntries(await Promise.all(parts));
}

interface OldClipboard {
  readonly availableFormats: () => readonly string[];
  readonly readText: (type?: 'selection') => string;
  readonly readHTML: () => string;
  readonly readRTF: () => string;
  readonly readImage: () => NativeImage;
  readonly readBuffer: (format: string) => Buffer;
  readonly writeText: (text: string) => void;
  readonly writeBuffer: (format: string, bytes: Buffer) => void;
  readonly write: (parts: object) => void;
  readonly clear: () => void;
}

function isOldClipboard(system: object): system is OldClipboard {
  return 'availableFormats' in system;
}

/** A larger picture is restored from its PNG bytes alone, because encoding it again would block the main process. */
const maxPictureBytes = 4 * 1024 * 1024;

function oldClipboard(system: OldClipboard): ForeignClipboard {
  const bytesOf = (format: string): Buffer | undefined => {
    const bytes = system.readBuffer(format);
    return bytes.length === 0 ? undefined : bytes;
  };
  return {
    selectedText: async () => boundText(system.readText('selection')),
    text: async () => boundText(system.readText()),
    picture: async () => bytesOf(png),
    write: async (text) => system.writeText(text),
    remember: async () => {
      const formats = system.availableFormats();
      const picture = bytesOf(png);
      const texts = { text: system.readText(), html: system.readHTML(), rtf: system.readRTF() };
      const isLarge = picture !== undefined && picture.length > maxPictureBytes;
      const parts = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
      if (picture !== undefined && !isLarge) Object.assign(parts, { image: system.readImage() });
      // The old clipboard writes texts and picture together, or one format as bytes.
      const rawFormat = isLarge ? png : formats.find((format) => bytesOf(format) !== undefined);
      const bytes = rawFormat === undefined ? undefined : bytesOf(rawFormat);
      return async () => {
        if (Object.keys(parts).length > 0 && !isLarge) system.write(parts);
        else if (rawFormat !== undefined && bytes !== undefined)
          system.writeBuffer(rawFormat, bytes);
        else system.clear();
      };
    },
  };
}
