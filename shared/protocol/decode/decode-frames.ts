import type { ClientEventFields } from './client-event-fields.ts';

/** The pictures of an append: each must be a JPEG as far as its first two bytes tell. */
export function decodeFrames(fields: ClientEventFields): readonly Uint8Array[] | undefined {
  return fields.items('video_frames', (items, place) => {
    const bytes = items.bytes(place);
    if (bytes === undefined || (bytes[0] === 0xff && bytes[1] === 0xd8)) return bytes;
    return items.invalid(place, 'JPEG decode failed');
  });
}
