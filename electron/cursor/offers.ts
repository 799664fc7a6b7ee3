import type { Part } from '../../shared/chat/chat-thread.ts';
import { type Offer, type OfferKind, offerKinds } from '../../shared/cursor/quick-view.ts';
import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { ClipboardContent, ForeignWindow } from '../../shared/ports/other-programs.ts';
import { sanitizeLine } from '../../shared/text.ts';
import { cleanCopiedText, type CopiedText, quoteCopiedText } from './cursor-texts.ts';

type Content =
  | ({ readonly type: 'text' } & CopiedText)
  | { readonly type: 'picture'; readonly file: Uint8Array };

interface OfferEntry {
  readonly content: Content;
  readonly included: boolean;
}

const excerptLength = 120;

/**
 * Stores the offers until a question uses them: title, selection and clipboard from when the window opened, and pictures of the
 * screen.
 */
export class Offers {
  readonly #entries = new Map<OfferKind, OfferEntry>();

  clear(): void {
    this.#entries.clear();
  }

  addText(kind: OfferKind, copied: CopiedText, included: boolean): void {
    const cleaned = cleanCopiedText(copied.text);
    if (cleaned.text.trim() === '') return;
    const content = { type: 'text', text: cleaned.text, cut: copied.cut || cleaned.cut } as const;
    this.#entries.set(kind, { content, included });
  }

  addPicture(kind: OfferKind, file: Uint8Array, included: boolean): void {
    this.#entries.set(kind, { content: { type: 'picture', file }, included });
  }

  /** Adds the clipboard, unless its text equals the selection. */
  addClipboard(clipboard: ClipboardContent, included: boolean): void {
    if (clipboard.kind === 'picture') this.addPicture('clipboard', clipboard.file, included);
    if (clipboard.kind !== 'text') return;
    const selection = this.#entries.get('selection')?.content;
    if (selection?.type === 'text' && selection.text === cleanCopiedText(clipboard.text).text)
      return;
    this.addText('clipboard', clipboard, included);
  }

  addWindow({ title }: ForeignWindow, included: boolean): void {
    this.addText('window', { text: sanitizeLine(title, 300), cut: false }, included);
  }

  include(kind: OfferKind, included: boolean): void {
    const entry = this.#entries.get(kind);
    if (entry !== undefined) this.#entries.set(kind, { ...entry, included });
  }

  /** The offer whose text an action works on: the selection, else the clipboard; undefined if neither has a text. */
  textOffer(): OfferKind | undefined {
    const kinds = ['selection', 'clipboard'] as const;
    return kinds.find((kind) => this.#entries.get(kind)?.content.type === 'text');
  }

  list(): readonly Offer[] {
    return offerKinds.flatMap((kind) => {
      const entry = this.#entries.get(kind);
      if (entry === undefined) return [];
      const { content, included } = entry;
      if (content.type === 'picture')
        return [{ kind, excerpt: '', characters: 0, cut: false, included }];
      const excerpt = sanitizeLine(content.text.trimStart(), excerptLength);
      // An emoji counts as one character.
      const characters = Array.from(content.text).length;
      return [{ kind, excerpt, characters, cut: content.cut, included }];
    });
  }

  /** Removes the included offers, and returns them as parts of a question. */
  take(
    prompts: CoreMessages['cursor'],
    putPicture: (file: Uint8Array) => string,
  ): readonly Exclude<Part, { type: 'audio' }>[] {
    return offerKinds.flatMap((kind): readonly Exclude<Part, { type: 'audio' }>[] => {
      const entry = this.#entries.get(kind);
      if (entry?.included !== true) return [];
      this.#entries.delete(kind);
      const { content } = entry;
      if (content.type === 'picture') return [{ type: 'image', media: putPicture(content.file) }];
      const label = kind === 'screen' || kind === 'region' ? '' : prompts[kind];
      return [{ type: 'text', text: quoteCopiedText(label, content, prompts.cut) }];
    });
  }
}
