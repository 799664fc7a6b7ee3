import { failure } from '../../../shared/errors/app-error.ts';
import type { JsonObject, JsonValue } from '../../../shared/protocol/json.ts';
import { isJsonObject } from '../../../shared/protocol/json.ts';
import type { Outcome } from '../../ports/outcome.ts';
import type { MediaReference } from './tape.ts';
import { tapeLimits } from './tape-limits.ts';

/** One name in the tape's own folder, so that no tape can reach for other files. */
const plainName = /^[\w-]+(?:\.[\w-]+)*$/;
const maxNameLength = 100;

/** Where a frame refers to media, in order; a failure where it refers to anything else, or is too deep to be walked. */
export function referencesIn(frame: JsonObject): Outcome<readonly MediaReference[]> {
  const found: MediaReference[] = [];
  let wrong: Outcome<never> | undefined;
  mapReferences(frame, (reference) => {
    const read = readReference(reference);
    if (read.ok) found.push(read.value);
    else wrong ??= read;
    return '';
  });
  return wrong ?? { ok: true, value: found };
}

/** The frame with other references; what is none stays as it is. */
export function mapMedia(
  frame: JsonObject,
  change: (reference: MediaReference) => MediaReference,
): JsonObject {
  const mapped = mapReferences(frame, (reference) => {
    const read = readReference(reference);
    return read.ok ? { ...change(read.value) } : reference;
  });
  return isJsonObject(mapped) ? mapped : frame;
}

/** The frame with what each of its references stands for. */
export function replaceReferences(
  frame: JsonObject,
  textOf: (reference: MediaReference) => string,
): JsonObject {
  const replaced = mapReferences(frame, (reference) => {
    const read = readReference(reference);
    return read.ok ? textOf(read.value) : reference;
  });
  return isJsonObject(replaced) ? replaced : frame;
}

/** Whether anything in it is deeper than frames are. */
export function isTooDeep(value: JsonValue, levels: number = tapeLimits.depth): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue) => isTooDeep(inner, levels - 1));
}

function mapReferences(value: JsonValue, change: (reference: JsonObject) => JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapReferences(item, change));
  if (!isJsonObject(value)) return value;
  if (Object.hasOwn(value, '$sound') || Object.hasOwn(value, '$file')) return change(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapReferences(inner, change)]),
  );
}

function readReference(reference: JsonObject): Outcome<MediaReference> {
  const { $sound: sound, $file: file, from, samples } = reference;
  const name = typeof file === 'string' ? file : sound;
  if (typeof name !== 'string') return failure('tapeReferenceBroken');
  if (!isPlainName(name)) {
    return failure('tapeFileOutside', { name: name.slice(0, maxNameLength) });
  }
  if (typeof file === 'string') return { ok: true, value: { $file: file } };
  return isCount(from) && isCount(samples)
    ? { ok: true, value: { $sound: name, from, samples } }
    : failure('tapeReferenceBroken');
}

/** One of a tape's own files, by its name. */
export function isPlainName(name: string): boolean {
  return name.length <= maxNameLength && plainName.test(name);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
