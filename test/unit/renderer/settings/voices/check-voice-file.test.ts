import { describe, expect, it } from 'vitest';
import { checkVoiceFile } from '../../../../../renderer/settings/voices/voices-section.tsx';
import { encodeWavHeader } from '../../../../../shared/audio/wav.ts';

/** A WAV file of this length, of which every part reads as its header. */
function fileOf(seconds: number, rate = 16_000): Blob {
  const head = encodeWavHeader({ rate, channels: 1, coding: 'pcm16' }, seconds * rate);
  return {
    size: head.length + seconds * rate * 2,
    slice: () => new Blob([new Uint8Array(head)]),
  } as unknown as Blob;
}

describe('a voice file', () => {
  it('is refused by its header if it lasts an hour', async () => {
    expect(await checkVoiceFile(fileOf(3600))).toEqual({ kind: 'tooLong', minutes: 60 });
    expect(await checkVoiceFile(fileOf(3600, 8000))).toEqual({ kind: 'tooLong', minutes: 60 });
    expect(await checkVoiceFile(fileOf(120))).toBeUndefined();
  });

  it('is refused by its size without a readable header', async () => {
    const film = { size: 2_000_000_000, slice: () => new Blob(['film']) } as unknown as Blob;
    expect(await checkVoiceFile(film)).toEqual({ kind: 'tooLarge', megabytes: 2000 });
    // The core reports files that are not WAV.
    expect(await checkVoiceFile(new Blob(['text']))).toBeUndefined();
  });

  it('is refused if it no longer exists', async () => {
    const gone = {
      size: 1,
      slice: () => ({ arrayBuffer: () => Promise.reject(new Error('gone')) }),
    } as unknown as Blob;
    expect(await checkVoiceFile(gone)).toEqual({ kind: 'notRead' });
  });
});
