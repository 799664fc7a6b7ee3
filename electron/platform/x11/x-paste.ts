import { setTimeout as delay } from 'node:timers/promises';
import { withXConnection, type XConnection } from './x-connection.ts';
import {
  answerSelection,
  changeProperty,
  createHiddenWindow,
  selectionRequest,
  type SelectionRequest,
  setSelectionOwner,
  type XEnvironment,
} from './x-protocol.ts';

/** The longest text. One request of the X protocol carries less than 256 KiB. */
export const maxPasteBytes = 250_000;
const askTimeoutMs = 2000;
/** The text is offered until nobody has read it for this long: a program may ask twice, and clipboard managers ask, too. */
const quietMs = 200;
const pollMs = 20;
const atomType = 4;

/**
 * Puts a text on the clipboard, calls `paste`, which makes a program paste it, and waits until the program has read it.
 * Returns whether a program did. Electron's clipboard does not work here: it also replaces the selection, so the text that
 * the paste should replace would not be selected.
 */
export async function offerXText(
  environment: XEnvironment,
  text: string,
  selections: readonly ('CLIPBOARD' | 'PRIMARY')[],
  paste: () => Promise<boolean>,
): Promise<boolean> {
  let offer: TextOffer | undefined;
  const wasRead = await withXConnection(
    environment,
    async (x) => {
      const opened = await TextOffer.open(x, text);
      offer = opened;
      x.send(createHiddenWindow(x.ownId, x.root));
      for (const name of selections) x.send(setSelectionOwner(x.ownId, await x.atom(name)));
      if (!(await paste())) return false;
      return opened.waitForReader();
    },
    { onEvent: (event) => offer?.onEvent(event), onClosed: () => undefined },
  );
  return wasRead === true;
}

class TextOffer {
  readonly #x: XConnection;
  readonly #text: Buffer;
  readonly #targets: number;
  readonly #formats: readonly number[];
  #lastReadAt: number | undefined;

  private constructor(x: XConnection, text: Buffer, targets: number, formats: readonly number[]) {
    this.#x = x;
    this.#text = text;
    this.#targets = targets;
    this.#formats = formats;
  }

  static async open(x: XConnection, text: string): Promise<TextOffer> {
    const formats = ['UTF8_STRING', 'text/plain;charset=utf-8', 'text/plain', 'STRING', 'TEXT'];
    const atoms = await Promise.all(formats.map((name) => x.atom(name)));
    return new TextOffer(x, Buffer.from(text), await x.atom('TARGETS'), atoms);
  }

  onEvent(event: Buffer): void {
    const request = selectionRequest(event);
    if (request === undefined) return;
    const isWritten = this.#writeText(request);
    this.#x.send(answerSelection(request, isWritten));
  }

  /**
   * Resolves to true once the text was read and then left unread for `quietMs`; to false if nobody reads it within
   * `askTimeoutMs`.
   */
  async waitForReader(): Promise<boolean> {
    const startedAt = performance.now();
    for (;;) {
      await delay(pollMs);
      const now = performance.now();
      if (this.#lastReadAt !== undefined && now - this.#lastReadAt > quietMs) return true;
      if (this.#lastReadAt === undefined && now - startedAt > askTimeoutMs) return false;
    }
  }

  #writeText({ requestor, target, property }: SelectionRequest): boolean {
    if (target === this.#targets) {
      const data = Buffer.alloc(4 * (this.#formats.length + 1));
      [this.#targets, ...this.#formats].forEach((atom, index) =>
        data.writeUInt32LE(atom, 4 * index),
      );
      this.#x.send(changeProperty(requestor, property, { type: atomType, format: 32, data }));
      return true;
    }
    if (!this.#formats.includes(target)) return false;
    const type = target;
    this.#x.send(changeProperty(requestor, property, { type, format: 8, data: this.#text }));
    this.#lastReadAt = performance.now();
    return true;
  }
}
