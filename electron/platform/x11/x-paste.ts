import { setTimeout as delay } from 'node:timers/promises';
import { withXConnection, type XConnection } from './x-connection.ts';
import {
  answerSelection,
  changeProperty,
  createHiddenWindow,
  selectionRequest,
  type SelectionRequest,
  setSelectionOwner,
} from './x-protocol.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One request of the X protocol carries less than 256 KiB. */
export const maxPasteBytes = 250_000;
/** How long a program may take until it asks for the text. */
const askTimeoutMs = 2000;
/** A program may ask more than once, and a clipboard manager asks, too. */
const quietMs = 200;
const checkMs = 20;
const atomType = 4;

/**
 * Puts a text on the clipboard, calls `paste`, which makes a program paste it, and waits until that program has taken it.
 * Electron's clipboard cannot be
 * used for this: whatever it writes becomes the selection, too, so the text that is to be replaced is no longer
 * selected. Returns whether a program took the text.
 */
export async function offerXText(
  environment: Environment,
  text: string,
  selections: readonly ('CLIPBOARD' | 'PRIMARY')[],
  paste: () => Promise<boolean>,
): Promise<boolean> {
  let offer: TextOffer | undefined;
  const taken = await withXConnection(
    environment,
    async (x) => {
      const opened = await TextOffer.open(x, text);
      offer = opened;
      x.send(createHiddenWindow(x.ownId, x.root));
      for (const name of selections) x.send(setSelectionOwner(x.ownId, await x.atom(name)));
      if (!(await paste())) return false;
      return opened.settled();
    },
    { onEvent: (event) => offer?.onEvent(event), onClosed: () => undefined },
  );
  return taken === true;
}

class TextOffer {
  readonly #x: XConnection;
  readonly #text: Buffer;
  readonly #targets: number;
  readonly #formats: readonly number[];
  #takenAt: number | undefined;

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
    const given = this.#give(request);
    this.#x.send(answerSelection(request, given));
  }

  /** Settles once nobody has asked for a while; false if nobody took the text. */
  async settled(): Promise<boolean> {
    const from = performance.now();
    for (;;) {
      await delay(checkMs);
      const now = performance.now();
      if (this.#takenAt !== undefined && now - this.#takenAt > quietMs) return true;
      if (this.#takenAt === undefined && now - from > askTimeoutMs) return false;
    }
  }

  #give({ requestor, target, property }: SelectionRequest): boolean {
    if (target === this.#targets) {
      const data = Buffer.alloc(4 * (this.#formats.length + 1));
      [this.#targets, ...this.#formats].forEach((atom, at) => data.writeUInt32LE(atom, 4 * at));
      this.#x.send(changeProperty(requestor, property, { type: atomType, format: 32, data }));
      return true;
    }
    if (!this.#formats.includes(target)) return false;
    const type = target;
    this.#x.send(changeProperty(requestor, property, { type, format: 8, data: this.#text }));
    this.#takenAt = performance.now();
    return true;
  }
}
