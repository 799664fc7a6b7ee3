import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { attachmentSizeError } from '../../../../shared/chat/chat-thread.ts';
import { Attachments, MediaCache } from '../../../../electron/chat/attachments.ts';
import { PictureThread } from '../../../../electron/platform/pictures/picture-thread.ts';
import { createPictures } from '../../../../electron/platform/pictures/pictures.ts';
import { decodeWav, encodeWav, encodeWavHeader } from '../../../../shared/audio/wav.ts';
import { appError, failure } from '../../../../shared/errors/app-error.ts';
import type { Pictures } from '../../../../shared/ports/pictures.ts';
import { cpuTime } from '../../../fakes/cpu-time.ts';
import { FakePictures } from '../../../fakes/fake-pictures.ts';
import { seeded } from '../../../fakes/seeded.ts';

function openAttachments(pictures: Pictures = new FakePictures()) {
  const media = new MediaCache();
  return { media, attachments: new Attachments({ pictures, media, random: seeded(1) }) };
}

const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

function webpOf(frames: number): Promise<Uint8Array> {
  const pixels = Buffer.alloc(12 * frames, 40).fill(200, 12);
  return sharp(pixels, { raw: { width: 2, height: 2 * frames, channels: 3, pageHeight: 2 } })
    .webp({ lossless: true })
    .toBuffer();
}

describe('a picture', () => {
  it('is scaled to what the model sees', async () => {
    const { media, attachments } = openAttachments();
    const file = FakePictures.draw({ width: 4000, height: 2000 });
    const added = await attachments.addFile('cat.jpg', file);
    const part = added.ok ? added.value.part : undefined;
    expect(added).toMatchObject({ ok: true, value: { part: { type: 'image' } } });
    expect(media.get(part?.media ?? '')).toEqual({
      type: 'image',
      file: FakePictures.draw({ width: 1344, height: 672 }),
    });
  });

  it('is refused with a sentence if it is too large, damaged or not a picture', async () => {
    const { attachments, media } = openAttachments();
    const huge = FakePictures.draw({ width: 10_000, height: 10_000 });
    for (const [file, refused] of [
      [huge, failure('pictureLarge', { width: 10_000, height: 10_000 })],
      [Uint8Array.of(0xff, 0xd8, 0xff, 1), failure('pictureBroken')],
      [latin('hello'), failure('notAttachable')],
      [new Uint8Array(), failure('emptyFile')],
    ] as const) {
      expect(await attachments.addFile('a.jpg', file)).toEqual(refused);
    }
    expect(await attachments.addFile('big.png', new Uint8Array(50_000_001))).toEqual(
      failure('pictureHeavy', { name: 'big.png', most: 50, size: 51 }),
    );
    expect(media.get('')).toBeUndefined();
  });

  it('is checked for its size before it is read', () => {
    expect(attachmentSizeError({ name: 'film.jpg', bytes: 2_000_000_000 })).toEqual(
      appError('pictureHeavy', { name: 'film.jpg', most: 50, size: 2000 }),
    );
    expect(attachmentSizeError({ name: 'a.WAV', bytes: 60_000_000 })).toBeUndefined();
    expect(attachmentSizeError({ name: 'a.png', bytes: 60_000_000 })).toBeDefined();
  });

  it('is accepted with a note if it is animated', async () => {
    const { attachments } = openAttachments(createPictures(new PictureThread()));
    expect(await attachments.addFile('a.webp', await webpOf(2))).toMatchObject({
      value: { notice: appError('pictureMoves') },
    });
    const still = await attachments.addFile('a.webp', await webpOf(1));
    expect(still.ok && Object.keys(still.value)).toEqual(['part']);
  });
});

describe('a sound', () => {
  it('is resampled for the model from any rate', async () => {
    const { media, attachments } = openAttachments();
    const file = encodeWav(new Float32Array(96_000).fill(0.25), {
      rate: 48_000,
      channels: 2,
      coding: 'pcm16',
    });
    const added = await attachments.addFile('clip.wav', file);
    expect(added).toMatchObject({ ok: true, value: { part: { type: 'audio', seconds: 1 } } });
    const part = added.ok ? added.value.part : undefined;
    const clip = media.get(part?.media ?? '');
    const samples = clip?.type === 'audio' ? clip.samples : new Float32Array();
    expect(samples).toHaveLength(16_000);
    expect(samples[8000]).toBeCloseTo(0.25, 3);
  });

  it('is refused before it is decoded if it is too long for the model', async () => {
    const { attachments } = openAttachments();
    const long = new Uint8Array(44 + 400 * 16_000 * 2);
    long.set(encodeWavHeader({ rate: 16_000, channels: 1, coding: 'pcm16' }, 400 * 16_000));
    expect(await attachments.addFile('long.wav', long)).toEqual(
      failure('soundLong', { seconds: 400, most: 300 }),
    );
    const refused = await cpuTime(() => attachments.addFile('long.wav', long));
    const decoded = await cpuTime(() => decodeWav(long.slice()));
    expect(refused).toBeLessThan(decoded / 2);
  });

  it('is refused with the name of its format if Parley does not support that', async () => {
    const { attachments } = openAttachments();
    for (const [head, kind] of [
      ['ID3\u0004', 'MP3'],
      ['\u00FF\u00FB\u0090d', 'MP3'],
      ['OggS\0', 'Ogg'],
      ['fLaC\0', 'FLAC'],
      ['\0\0\0 ftypM4A ', 'AAC/MPEG-4'],
      ['\u001AE\u00DF\u00A3', 'WebM/Matroska'],
    ] as const) {
      expect(await attachments.addFile('song', latin(`${head}${' '.repeat(20)}`))).toEqual(
        failure('otherSound', { kind }),
      );
    }
  });

  it('is not called a picture if it is empty or has no sound in it', async () => {
    const { attachments } = openAttachments();
    expect(await attachments.addFile('a.wav', new Uint8Array())).toEqual(failure('emptyFile'));
    expect(await attachments.addFile('a.WAV', latin('hello'))).toEqual(failure('notWav'));
  });

  it('is accepted unchanged from the recorder unless it is too long', () => {
    const { attachments, media } = openAttachments();
    const added = attachments.addRecording(new Float32Array(8000));
    expect(added).toMatchObject({ value: { part: { type: 'audio', seconds: 0.5 } } });
    expect(attachments.addRecording(new Float32Array())).toMatchObject({ ok: false });
    expect(attachments.addRecording(new Float32Array(301 * 16_000))).toMatchObject({ ok: false });
    const id = added.ok ? added.value.part.media : '';
    attachments.forget(id);
    expect(media.get(id)).toBeUndefined();
  });
});

const pictureOf = (bytes: number) => ({ type: 'image', file: new Uint8Array(bytes) }) as const;
const soundOf = (samples: number) =>
  ({ type: 'audio', samples: new Float32Array(samples) }) as const;

/** A cache of 100 bytes with three stored pictures, of which these are in use. */
function fillCache(inUse: readonly string[] = []) {
  const cache = new MediaCache(100, () => new Set(inUse));
  for (const id of ['a', 'b', 'c']) cache.put(id, pictureOf(30), true);
  return { cache, cached: () => ['a', 'b', 'c', 'd'].filter((id) => cache.get(id) !== undefined) };
}

describe('media in memory', () => {
  it('are evicted by newer media, the least recently used first', () => {
    const { cache, cached } = fillCache();
    cache.get('a');
    cache.put('d', soundOf(10), true);
    expect(cached()).toEqual(['a', 'c', 'd']);
  });

  it('are evicted only after they are stored', () => {
    const { cache, cached } = fillCache();
    cache.put('d', pictureOf(90));
    expect(cached()).toEqual(['d']);
    cache.put('a', pictureOf(90));
    expect(cached()).toEqual(['a', 'd']);
    cache.markStored(['d', 'never seen']);
    expect(cached()).toEqual(['a']);
  });

  it('are not evicted while the open conversation uses them', () => {
    const { cache, cached } = fillCache(['a', 'b']);
    cache.put('d', pictureOf(90), true);
    expect(cached()).toEqual(['a', 'b']);
  });
});
