import { type Base64, decodePcm } from './base64-media.ts';
import {
  type ClientEventProblem,
  generationFields,
  type GenerationOptions,
  maxSlicesPerFrame,
  type Mode,
} from './realtime-api.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts';
import { isMissing } from './server-event-fields.ts';

/** How a server decodes client events, where servers differ. */
export interface ClientDecodeOptions {
  /** Also accepts the undocumented forms that deployed servers accept. */
  readonly lenient?: boolean | undefined;
  /** Decides what an input is; if omitted, its content decides. */
  readonly mode?: Mode | undefined;
}

/** Characters of a text: far more than the context holds. */
export const maxClientText = 1024 * 1024;

/** Reads an object's fields. Readers report invalid ones; null counts as missing, because Python clients send it. */
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

  /** Reports the field if it is missing; the reader that follows then finds nothing. */
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
    return this.invalid(key, `is longer than ${String(maxClientText)} characters`);
  }

  /** Without a length limit, because base64 may be long. */
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

  /** Returns an object without reading its fields. */
  json(key: string): JsonObject | undefined {
    const value = this.#object[key];
    if (isMissing(value) || isJsonObject(value)) return value ?? undefined;
    return this.invalid(key, 'must be an object');
  }

  /** Reads each item of a list. The key of an item has its index, such as `frames[2]`, and appears in problems. */
  items<Read>(
    key: string,
    read: (items: ClientEventFields, itemKey: string) => Read | undefined,
  ): readonly Read[] | undefined {
    const list: unknown = this.#object[key];
    if (list === undefined || list === null) return undefined;
    if (!Array.isArray(list)) return this.invalid(key, 'must be a list');
    const entries = (list as readonly JsonValue[]).map(
      (item, index) => [`${key}[${String(index)}]`, item] as const,
    );
    const items = this.#reader(Object.fromEntries(entries), this.#within);
    return entries
      .map(([itemKey]) => read(items.required(itemKey), itemKey))
      .filter((found) => found !== undefined);
  }

  isList(key: string): boolean {
    return Array.isArray(this.#object[key]);
  }

  /** Whether a text has this prefix. There is no length limit, because the text may be base64. */
  startsWith(key: string, prefix: string): boolean {
    const value = this.#object[key];
    return typeof value === 'string' && value.startsWith(prefix);
  }

  bytes(key: string): Uint8Array | undefined {
    const text = this.#string(key);
    if (text === undefined) return undefined;
    return this.#base64.decode(text) ?? this.invalid(key, 'base64 decode failed');
  }

  /** Float32 PCM; invalid samples become silence. */
  sound(key: string): Float32Array | undefined {
    const bytes = this.bytes(key);
    if (bytes === undefined) return undefined;
    return (
      decodePcm(bytes)?.audio ??
      this.invalid(key, 'must be float32 PCM: its bytes are no multiple of 4')
    );
  }

  /** Returns the fields with other names than the known ones. */
  unknownFields(knownNames: ReadonlySet<string>): JsonObject {
    return Object.fromEntries(Object.entries(this.#object).filter(([key]) => !knownNames.has(key)));
  }

  #reader(object: JsonObject, within: string): ClientEventFields {
    return new ClientEventFields(object, within, this.#problems, this.#base64);
  }

  #name(key: string): string {
    return this.#within === '' ? key : `${this.#within}.${key}`;
  }
}

/** Stores the first problem of a client event, so that its readers can continue. */
export class DecodeProblems {
  #first: ClientEventProblem | undefined;

  get first(): ClientEventProblem | undefined {
    return this.#first;
  }

  missing(field: string): void {
    this.#add('missing_field', `${field} field is required`);
  }

  invalid(message: string): void {
    this.#add('invalid_payload', message);
  }

  #add(code: ClientEventProblem['code'], message: string): void {
    this.#first ??= { kind: 'problem', code, message };
  }
}

/** Frames of an append; each must start with the JPEG marker. */
export function decodeFrames(fields: ClientEventFields): readonly Uint8Array[] | undefined {
  return fields.items('video_frames', (items, key) => {
    const bytes = items.bytes(key);
    if (bytes === undefined || (bytes[0] === 0xff && bytes[1] === 0xd8)) return bytes;
    return items.invalid(key, 'JPEG decode failed');
  });
}

const wireNames: ReadonlySet<string> = new Set(generationFields.map(([, wire]) => wire));

export function decodeGeneration(config: ClientEventFields): GenerationOptions {
  const known = generationFields.map(([ours, wire, type]) => [ours, config[type](wire)] as const);
  const other = config.unknownFields(wireNames);
  return {
    ...Object.fromEntries(known.filter(([, value]) => value !== undefined)),
    ...(Object.keys(other).length > 0 ? { other } : {}),
  };
}
