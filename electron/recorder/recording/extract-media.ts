import type { JsonObject, JsonValue } from '../../../shared/protocol/json.ts';
import { isJsonObject } from '../../../shared/protocol/json.ts';
import type { MediaReference } from './tape.ts';

export type MediaKind = 'sound' | 'frame' | 'voice';

/** Puts base64 away and answers with its reference; nothing if it is none, or cannot be rebuilt. */
export type StoreMedia = (kind: MediaKind, base64: string) => MediaReference | undefined;

/** Replaces the media in a frame of the wire; what cannot be decoded as such stays as text. */
export function extractMedia(frame: JsonObject, storeMedia: StoreMedia): JsonObject {
  return extractFromObject(frame, storeMedia);
}

/** Whether a frame already holds what a reader would take for a reference. */
export function containsMediaReference(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(containsMediaReference);
  if (!isJsonObject(value)) return false;
  if ('$sound' in value || '$file' in value) return true;
  return Object.values(value).some(containsMediaReference);
}

const kinds: Readonly<Record<string, MediaKind>> = {
  audio: 'sound',
  ref_audio: 'voice',
  tts_ref_audio: 'voice',
  ref_audio_base64: 'voice',
  tts_ref_audio_base64: 'voice',
  ref_audio_data: 'voice',
};

const partKinds: Readonly<Record<string, MediaKind>> = { image: 'frame', audio: 'voice' };

function extractFromObject(object: JsonObject, storeMedia: StoreMedia): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      const kind = kindOf(object, key);
      return [
        key,
        kind === undefined ? extractFrom(value, storeMedia) : extract(kind, value, storeMedia),
      ];
    }),
  );
}

function kindOf(object: JsonObject, key: string): MediaKind | undefined {
  if (key === 'video_frames') return 'frame';
  if (key !== 'data') return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
  const { type } = object;
  return typeof type === 'string' && Object.hasOwn(partKinds, type) ? partKinds[type] : undefined;
}

function extract(kind: MediaKind, value: JsonValue, storeMedia: StoreMedia): JsonValue {
  if (typeof value === 'string') return storeMedia(kind, value) ?? value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => extract(kind, item, storeMedia));
  return extractFrom(value, storeMedia);
}

function extractFrom(value: JsonValue, storeMedia: StoreMedia): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => extractFrom(item, storeMedia));
  return isJsonObject(value) ? extractFromObject(value, storeMedia) : value;
}
