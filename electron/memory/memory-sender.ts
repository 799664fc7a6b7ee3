import type { CoreMessages } from '../../shared/i18n/messages.ts';
import {
  maxMemoryTokens,
  type MemorySent,
  type MemorySentence,
} from '../../shared/memory/memory-view.ts';
import { contextTokens } from '../../shared/protocol/realtime-api.ts';
import type { PresetId } from '../../shared/settings/preset.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { isSameJson } from '../../shared/protocol/json.ts';
import { estimateTokens } from '../../shared/text.ts';
import { sentenceTokens, type MemoryStore } from './memory-store.ts';

interface Deps {
  readonly store: Pick<MemoryStore, 'sentences'>;
  readonly settings: () => Pick<Settings, 'memory' | 'assistant'>;
  readonly messages: () => Promise<CoreMessages['memory']>;
  /** Called when the counts differ from those of the previous request. */
  readonly onSent: (sent: MemorySent) => void;
}

interface ContextUse {
  /** The role from the settings that the model plays; undefined if it plays none. */
  readonly role?: PresetId | 'own' | undefined;
  /** The instructions that the memory is appended to. */
  readonly instructions: string | undefined;
  /** The documented context if undefined. */
  readonly contextTokens?: number | undefined;
}

/** Returns the text about the user for a request; undefined if none is sent. */
export type FormatMemory = (use: ContextUse) => string | undefined;

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

  #format(messages: CoreMessages['memory'], { role, ...context }: ContextUse): string | undefined {
    const { store, settings } = this.#deps;
    const { memory, assistant } = settings();
    const isWanted = memory.use && (role === undefined || !assistant.withoutMemory.includes(role));
    const formatted = isWanted ? formatForModel(store.sentences(), messages, context) : undefined;
    const { sentences, leftOut, tokens } = formatted ?? nothing;
    this.#report({ sentences, leftOut, tokens });
    return formatted?.text;
  }

  #report(sent: MemorySent): void {
    const before = this.#sent;
    this.#sent = sent;
    if (!isSameJson(before, sent)) this.#deps.onSent(sent);
  }
}

interface MemoryText extends MemorySent {
  readonly text: string;
}

/** The part of the context, without the instructions, that the memory may fill. The carry-over and the talk need the rest. */
const maxShare = 1 / 8;

/** Formats as many of the switched-on sentences as fit, from the first on; undefined if none fits. */
function formatForModel(
  all: readonly MemorySentence[],
  { begin, about, end }: CoreMessages['memory'],
  { instructions = '', contextTokens: size = contextTokens }: ContextUse,
): MemoryText | undefined {
  const frame = estimateTokens(`${begin}\n${about}\n${end}\n`);
  const maxTokens = Math.min(
    maxMemoryTokens,
    (size - estimateTokens(instructions)) * maxShare - frame,
  );
  const on = all.filter((sentence) => sentence.on);
  const lines: string[] = [];
  let tokens = 0;
  for (const sentence of on) {
    const cost = sentenceTokens(sentence);
    if (tokens + cost > maxTokens) break;
    tokens += cost;
    lines.push(`- ${sentence.text}`);
  }
  if (lines.length === 0) return undefined;
  return {
    text: [begin, about, ...lines, end].join('\n'),
    sentences: lines.length,
    leftOut: on.length - lines.length,
    tokens: tokens + frame,
  };
}
