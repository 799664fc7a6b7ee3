import type {
  AppendEvent,
  ChatTurnEvent,
  ClientEvent,
  ContentPart,
  DialectName,
  GenerationOptions,
  Mode,
  SessionSettings,
} from '../../shared/protocol/realtime-api.ts';

/** Client events of every kind, with any optional parts that the dialect and mode allow. */
export class RandomClientEvents {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  configure(dialect: DialectName, mode: Mode): ClientEvent {
    if (mode === 'chat') return { kind: 'configure', settings: {} };
    const voice = this.#maybe(() => ({ model: this.#sound(1), speech: this.#sound(1) }));
    const settings: SessionSettings =
      dialect === 'unified'
        ? {
            instructions: this.#maybe(this.#text),
            voice,
            generation: this.#maybe(this.#generation),
          }
        : {
            instructions: this.#text(),
            voice,
            maxSlices: mode === 'video' ? this.#maybe(this.#slices) : undefined,
          };
    return { kind: 'configure', settings };
  }

  append(dialect: DialectName, mode: Mode): AppendEvent {
    const forceListen = this.#maybe(this.#flag);
    const maxSlices = mode === 'video' ? this.#maybe(this.#slices) : undefined;
    const flagged = forceListen !== undefined || maxSlices !== undefined;
    return {
      kind: 'append',
      audio: this.#sound(4000),
      frames: mode === 'video' ? this.#maybe(() => [this.#jpeg(), this.#jpeg()]) : undefined,
      forceListen,
      maxSlices,
      inputId: dialect === 'unified' ? this.#maybe(this.#text) : undefined,
      flagsIn: dialect === 'unified' && flagged && this.#flag() ? 'hints' : undefined,
    };
  }

  chat(): ChatTurnEvent {
    const bounds = this.#maybe(this.#slices);
    return {
      kind: 'chat',
      inputId: this.#maybe(this.#text),
      messages: [
        { role: 'system', content: this.#text() },
        { role: 'user', content: this.#flag() ? this.#text() : this.#parts() },
      ],
      streaming: this.#maybe(this.#flag),
      maxNewTokens: bounds,
      lengthPenalty: bounds,
      maxSlices: this.#maybe(this.#slices),
      omni: this.#maybe(this.#flag),
      speech: this.#maybe(() => ({
        enabled: this.#flag(),
        voice: this.#maybe(() => this.#sound(1)),
      })),
      useTtsTemplate: this.#maybe(this.#flag),
      thinking: this.#maybe(this.#flag),
    };
  }

  close(): ClientEvent {
    return { kind: 'close', reason: this.#text() };
  }

  #parts(): readonly ContentPart[] {
    return [
      { type: 'text', text: this.#text() },
      { type: 'image', image: this.#jpeg() },
      { type: 'audio', audio: this.#sound(1) },
    ];
  }

  readonly #generation = (): GenerationOptions => ({
    lengthPenalty: this.#random() * 5,
    topK: this.#slices(),
    generateAudio: this.#flag(),
    lsMode: this.#text(),
  });

  readonly #flag = (): boolean => this.#random() < 0.5;

  readonly #slices = (): number => 1 + Math.floor(this.#random() * 9);

  readonly #text = (): string => {
    const letters = ['a', '"', '\\', '\n', '今', '😀', '\u0000', '"audio":"', '\u2028', ' '];
    return Array.from({ length: 1 + this.#random() * 8 }, () => this.#pick(letters)).join('');
  };

  /** Samples that 16 bits can store exactly. */
  #sound(least: number): Float32Array {
    const length = least + Math.floor(this.#random() * 40);
    return Float32Array.from(
      { length },
      () => Math.floor(this.#random() * 65_536 - 32_768) / 32_768,
    );
  }

  #jpeg(): Uint8Array {
    return Uint8Array.of(0xff, 0xd8, this.#random() * 256, this.#random() * 256);
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)] as Item;
  }

  #maybe<Value>(make: () => Value): Value | undefined {
    return this.#random() < 0.5 ? make() : undefined;
  }
}
