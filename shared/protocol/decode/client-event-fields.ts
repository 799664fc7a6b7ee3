import type { Base64 } from '../base64.ts';
import { isJsonObject } from '../json.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { maxClientText } from './client-reading.ts';
import { maxSlicesPerFrame } from '../protocol-limits.ts';
import { decodePcm } from '../pcm.ts';
import type { DecodeProblems } from './decode-problems.ts';
import { isMissing } from './json-fields.ts';

/**
 * Reads the fields of one object of an ask. Each reader answers nothing where there is nothing, and
 * complains where there is something wrong; null is nothing, as Python clients write it.
 */
export class ClientEventFields {
  readonly #object: JsonObject;
  readonly #within: string;
  readonly #problems: DecodeProblems;
  readonly #base64: Base64;

  constructor(object: JsonObject, within: string, problems: DecodeProblems, base64: Base64) {
    this.#object = object;
    this.#within = within;
    this.#problems = problems;
    this.#base64 = base64;
  }

  has(key: string): boolean {
    return !isMissing(this.#object[key]);
  }

  /** Complains where the field is missing; the reader that follows then finds nothing. */
  required(key: string): this {
    if (!this.has(key)) this.#problems.missing(this.#name(key));
    return this;
  }

  invalid(key: string, reason: string): undefined {
    this.#problems.invalid(`${this.#name(key)} ${reason}`);
    return undefined;
  }

  text(key: string): string | undefined {
    const text = this.#string(key);
    if (text === undefined || text.length <= maxClientText) return text;
    return this.invalid(key, 'is longer than any prompt or message');
  }

  /** Of any length, as base64 is. */
  #string(key: string): string | undefined {
    const value = this.#object[key];
    if (typeof value === 'string' || isMissing(value)) return value ?? undefined;
    return this.invalid(key, 'must be a string');
  }

  flag(key: string): boolean | undefined {
    const value = this.#object[key];
    if (typeof value === 'boolean' || isMissing(value)) return value ?? undefined;
    return this.invalid(key, 'must be true or false');
  }

  number(key: string): number | undefined {
    const value = this.#object[key];
    if (isMissing(value)) return undefined;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    return this.invalid(key, 'must be a number');
  }

  slices(key: string): number | undefined {
    const value = this.number(key);
    if (
      value === undefined ||
      (Number.isInteger(value) && value >= 1 && value <= maxSlicesPerFrame)
    ) {
      return value;
    }
    return this.invalid(key, `must be an integer from 1 to ${String(maxSlicesPerFrame)}`);
  }

  object(key: string): ClientEventFields | undefined {
    const value = this.#object[key];
    if (isMissing(value)) return undefined;
    if (isJsonObject(value)) return this.#reader(value, this.#name(key));
    return this.invalid(key, 'must be an object');
  }

  /** Reads every item of a list through a reader that knows it by its place: `frames[2]`. */
  items<Read>(
    key: string,
    read: (items: ClientEventFields, place: string) => Read | undefined,
  ): readonly Read[] | undefined {
    const list: unknown = this.#object[key];
    if (list === undefined || list === null) return undefined;
    if (!Array.isArray(list)) return this.invalid(key, 'must be a list');
    const byPlace = (list as readonly JsonValue[]).map(
      (item, index) => [`${key}[${String(index)}]`, item] as const,
    );
    const items = this.#reader(Object.fromEntries(byPlace), this.#within);
    return byPlace
      .map(([place]) => read(items.required(place), place))
      .filter((found) => found !== undefined);
  }

  isList(key: string): boolean {
    return Array.isArray(this.#object[key]);
  }

  /** Whether a text begins so; base64 of any length, too. */
  beginsWith(key: string, letters: string): boolean {
    const value = this.#object[key];
    return typeof value === 'string' && value.startsWith(letters);
  }

  bytes(key: string): Uint8Array | undefined {
    const text = this.#string(key);
    if (text === undefined) return undefined;
    return this.#base64.decode(text) ?? this.invalid(key, 'base64 decode failed');
  }

  /** Float32 PCM; what is no number in it becomes silence. */
  sound(key: string): Float32Array | undefined {
    const bytes = this.bytes(key);
    if (bytes === undefined) return undefined;
    return (
      decodePcm(bytes)?.audio ??
      this.invalid(key, 'must be float32 PCM: its bytes are no multiple of 4')
    );
  }

  /** All fields but those named, as they are. */
  others(names: ReadonlySet<string>): JsonObject {
    return Object.fromEntries(Object.entries(this.#object).filter(([key]) => !names.has(key)));
  }

  #reader(object: JsonObject, within: string): ClientEventFields {
    return new ClientEventFields(object, within, this.#problems, this.#base64);
  }

  #name(key: string): string {
    return this.#within === '' ? key : `${this.#within}.${key}`;
  }
}
