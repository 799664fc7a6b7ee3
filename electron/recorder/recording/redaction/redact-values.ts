import type { JsonObject, JsonValue } from '../../../../shared/protocol/json.ts';
import { isJsonObject } from '../../../../shared/protocol/json.ts';
import { knownFields, knownValues } from './known-words.ts';
import { maskedRemark, maskedText } from './masked-text.ts';

/** What they say is one of a few words, which are nobody's own. */
const worded = new Set(
  `type kind code reason mode dialect role format dir talking yielding floor does step why carry`.split(
    ' ',
  ),
);
const remarks = new Set(['message', 'error', 'reason', 'body', 'problem', 'detail', 'diagnostic']);
const devices = new Set(['device', 'missing', 'microphone', 'speaker']);
const idName = /(?:^|_)id$/u;
const settingsPrefix = /^(?:unknown|invalid|missing|unsupported)_/u;
const maxKeptWord = 60;

/** Takes out of values what is anybody's own; the same name is the same stand-in through all of a tape. */
export class ValueRedactor {
  readonly #standIns = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #media: (reference: JsonObject) => JsonObject;

  /** @param media what stands for the reference to a file */
  constructor(media: (reference: JsonObject) => JsonObject) {
    this.#media = media;
  }

  object(value: JsonObject): JsonObject {
    if ('$sound' in value || '$file' in value) return this.#media(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key === 'versions' && isJsonObject(inner)) return [key, this.#versions(inner)];
        return knownFields.has(key)
          ? [key, this.#value(key, inner)]
          : [this.#standIn('field', key), this.#foreign(inner)];
      }),
    );
  }

  /** A text that is no frame. */
  text(value: string): string {
    return maskedText(value);
  }

  #value(key: string, value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#value(key, item));
    if (isJsonObject(value)) return this.object(value);
    if (typeof value === 'number' && idName.test(key)) return this.#count('number', String(value));
    return typeof value === 'string' ? this.#string(key, value) : value;
  }

  #string(key: string, value: string): string {
    if (idName.test(key)) return this.#standIn('id', value);
    if (devices.has(key)) return this.#standIn('Device', value);
    if (worded.has(key)) {
      if (knownValues.has(value)) return value;
      const [prefix = ''] = settingsPrefix.exec(value) ?? [];
      return prefix + maskedRemark(value.slice(prefix.length));
    }
    return remarks.has(key) ? maskedRemark(value) : maskedText(value);
  }

  /** Of a field that nobody knows nothing stays but its shape. */
  #foreign(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.#foreign(item));
    if (isJsonObject(value)) return this.object(value);
    if (typeof value === 'number') return 0;
    return typeof value === 'string' ? maskedText(value) : value;
  }

  /** Which Parley and which system it was is what a report is for. */
  #versions(versions: JsonObject): JsonObject {
    const plain = /^[\w.+ ()-]*$/u;
    return Object.fromEntries(
      Object.entries(versions).filter(
        ([name, value]) =>
          typeof value === 'string' && value.length <= maxKeptWord && plain.test(name + value),
      ),
    );
  }

  #standIn(what: 'id' | 'Device' | 'field', original: string): string {
    const key = `${what} ${original}`;
    const known = this.#standIns.get(key) ?? `${what}-${this.#count(what, original)}`;
    this.#standIns.set(key, known);
    return known;
  }

  #count(what: string, original: string): number {
    const known = this.#counts.get(`${what} ${original}`);
    if (known !== undefined) return known;
    const next = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, next).set(`${what} ${original}`, next);
    return next;
  }
}
