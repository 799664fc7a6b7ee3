import type { CoreMessages } from '../../shared/i18n/messages.ts';
import type { MemorySent } from '../../shared/memory/memory-view.ts';
import type { PresetId } from '../../shared/settings/preset.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import type { MemoryStore } from './memory-store.ts';
import { formatForModel } from './memory-text.ts';

interface Deps {
  readonly store: Pick<MemoryStore, 'sentences'>;
  readonly settings: () => Pick<Settings, 'memory' | 'assistant'>;
  readonly messages: () => Promise<CoreMessages['memory']>;
  /** Called when a request gets another part of the memory than the previous request. */
  readonly sent: (sent: MemorySent) => void;
}

interface MemoryUse {
  /** The role from the settings that the model plays; undefined if it plays none. */
  readonly role?: PresetId | 'own' | undefined;
  readonly instructions: string | undefined;
  readonly contextTokens?: number | undefined;
}

/** Returns the text about the user for a request; undefined if none is sent. */
export type FormatMemory = (use: MemoryUse) => string | undefined;

const nothing: MemorySent = { sentences: 0, leftOut: 0, tokens: 0 };

/** Chooses the part of the memory that is sent with a request. */
export class MemorySender {
  readonly #deps: Deps;
  #sent = nothing;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Reads the texts in the user's language; the result can be used for many requests. */
  readonly prepare = async (): Promise<FormatMemory> => {
    const messages = await this.#deps.messages();
    return (use) => this.#format(messages, use);
  };

  #format(messages: CoreMessages['memory'], { role, ...room }: MemoryUse): string | undefined {
    const { store, settings } = this.#deps;
    const { memory, assistant } = settings();
    const isWanted = memory.use && (role === undefined || !assistant.withoutMemory.includes(role));
    const formatted = isWanted ? formatForModel(store.sentences(), messages, room) : undefined;
    const { sentences, leftOut, tokens } = formatted ?? nothing;
    this.#report({ sentences, leftOut, tokens });
    return formatted?.text;
  }

  #report(sent: MemorySent): void {
    const before = this.#sent;
    this.#sent = sent;
    const isSame =
      before.sentences === sent.sentences &&
      before.leftOut === sent.leftOut &&
      before.tokens === sent.tokens;
    if (!isSame) this.#deps.sent(sent);
  }
}
