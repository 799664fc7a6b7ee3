import { failure } from '../../shared/errors/app-error.ts';
import type { Base64 } from '../../shared/protocol/base64.ts';
import type { JsonObject, JsonValue } from '../../shared/protocol/json.ts';
import { isJsonObject } from '../../shared/protocol/json.ts';
import { readWavHeader } from '../../shared/wav/read-wav-header.ts';
import type { Files } from '../ports/files.ts';
import type { Outcome } from '../ports/outcome.ts';

export interface TapeMediaReaderDeps {
  readonly files: Files;
  readonly base64: Base64;
}

/** The media beside a tape, read when they are first asked for. */
export interface TapeMediaReader {
  /** The frame as it was on the wire. */
  readonly restore: (frame: JsonObject) => Promise<Outcome<JsonObject>>;
}

/** Ten minutes of both directions are below 100 MB. */
const maxBytes = 1_000_000_000;
/** One name in the tape's own folder, so that no tape can reach for other files. */
const plainName = /^[\w-]+(?:\.[\w-]+)*$/;

export function openTapeMediaReader(
  folder: string,
  { files, base64 }: TapeMediaReaderDeps,
): TapeMediaReader {
  const sounds = new Map<string, Promise<Outcome<Uint8Array>>>();

  const readFile = async (name: string): Promise<Outcome<Uint8Array>> =>
    plainName.test(name)
      ? files.read(`${folder}/${name}`, maxBytes)
      : failure('tapeFileOutside', { name });

  const readSound = async (name: string): Promise<Outcome<Uint8Array>> => {
    const file = await readFile(name);
    return file.ok ? samplesOf(name, file.value) : file;
  };

  const resolve = async (reference: JsonObject): Promise<Outcome<string>> => {
    const { $sound: sound, $file: name, from, samples } = reference;
    if (typeof name === 'string') {
      const file = await readFile(name);
      return file.ok ? { ok: true, value: base64.encode(file.value) } : file;
    }
    if (typeof sound !== 'string' || typeof from !== 'number' || typeof samples !== 'number') {
      return failure('tapeReferenceBroken');
    }
    let reading = sounds.get(sound);
    if (reading === undefined) sounds.set(sound, (reading = readSound(sound)));
    const all = await reading;
    if (!all.ok) return all;
    const end = (from + samples) * 4;
    if (!(from >= 0) || !(samples >= 0) || end > all.value.length) {
      return failure('tapeSoundShort', { path: `${folder}/${sound}` });
    }
    return { ok: true, value: base64.encode(all.value.subarray(from * 4, end)) };
  };

  return {
    restore: async (frame) => {
      const found = new Map<JsonObject, string>();
      for (const reference of referencesIn(frame)) {
        const resolved = await resolve(reference);
        if (!resolved.ok) return resolved;
        found.set(reference, resolved.value);
      }
      const whole = replace(frame, found);
      return { ok: true, value: isJsonObject(whole) ? whole : frame };
    },
  };
}

function isReference(value: JsonObject): boolean {
  return Object.hasOwn(value, '$sound') || Object.hasOwn(value, '$file');
}

function referencesIn(value: JsonValue): readonly JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => referencesIn(item));
  if (!isJsonObject(value)) return [];
  return isReference(value) ? [value] : Object.values(value).flatMap(referencesIn);
}

function replace(value: JsonValue, found: ReadonlyMap<JsonObject, string>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => replace(item, found));
  if (!isJsonObject(value)) return value;
  const text = found.get(value);
  if (text !== undefined) return text;
  const entries = Object.entries(value).map(([key, inner]) => [key, replace(inner, found)]);
  return Object.fromEntries(entries) as JsonObject;
}

/** All sample bytes that are there: after a kill there are more of them than the header says. */
function samplesOf(name: string, file: Uint8Array): Outcome<Uint8Array> {
  const head = readWavHeader(file);
  if (!head.ok) {
    return failure('tapeSoundUnreadable', { name }, { cause: head.error });
  }
  const { format, dataStart } = head.value;
  return format.coding === 'float' && format.bytesPerSample === 4 && format.channels === 1
    ? { ok: true, value: file.subarray(dataStart) }
    : failure('tapeSoundChanged', { name });
}
