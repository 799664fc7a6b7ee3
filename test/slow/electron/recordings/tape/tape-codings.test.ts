import { describe, expect, it } from 'vitest';
import { PictureThread } from '../../../../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../../../../electron/platform/pictures/pictures.ts';
import {
  bufferBase64,
  startSha256,
} from '../../../../../electron/platform/system/base64-sha256.ts';
import { repairTape } from '../../../../../electron/recordings/edit/tape-tools.ts';
import { redactTape } from '../../../../../electron/recordings/redact/redact-tape.ts';
import { checkTape, tapeFileNames } from '../../../../../electron/recordings/tape/inspect-tape.ts';
import type { TapeCoding } from '../../../../../electron/recordings/tape/tape.ts';
import { FakeFiles } from '../../../../fakes/fake-files.ts';
import { convertToFlac } from '../../../../fixtures/pack-tape.ts';
import { recordTalk } from '../../../../fixtures/record-talk.ts';
import { renderInSteps, tapeIn } from '../../../../unit/electron/recordings/replay/render-tapes.ts';

const base64 = bufferBase64;

async function recorded(sound: TapeCoding) {
  const files = new FakeFiles();
  files.putFolder('/talks');
  await recordTalk('/talks/t', files, {
    sound: sound === 'flac' ? 'pcm16' : sound,
    bothSides: true,
    digest: startSha256,
    speaks: (ms) => ms < 1500,
    actions: [[6000, (talk) => talk.end()]],
  });
  if (sound === 'flac') await convertToFlac('/talks/t', files);
  return files;
}

async function shown(files: FakeFiles, folder = '/talks/t') {
  const tape = await tapeIn(folder, files);
  const { rendered } = await renderInSteps(tape);
  const frames = tape.lines.map((line) =>
    'frame' in line ? JSON.stringify(tape.frame(line.frame)) : '',
  );
  tape.close();
  return { header: tape.header, notices: JSON.stringify(rendered.notices), frames };
}

describe.each(['float32', 'pcm16', 'flac'] as const)('a tape in %s', (sound) => {
  it('names its coding, unless it is float32, and renders the same twice', async () => {
    const files = await recorded(sound);
    const first = await shown(files);
    expect(first.header.sound).toBe(sound === 'float32' ? undefined : sound);
    expect(await shown(files)).toEqual(first);
    expect(first.notices).toContain('caption');
    const ending = sound === 'flac' ? 'flac' : 'wav';
    expect(files.names()).toContain(`/talks/t/microphone.${ending}`);
    expect(files.names()).toContain('/talks/t/both.wav');
  });

  it('is checked, listed, redacted and repaired with all its files', async () => {
    const files = await recorded(sound);
    const digest = startSha256;
    expect(await checkTape('/talks/t', { files, digest })).toMatchObject({
      value: { state: 'whole', changed: [] },
    });
    const ending = sound === 'flac' ? 'flac' : 'wav';
    const names = await tapeFileNames('/talks/t', { files });
    const own = [`answer.${ending}`, `microphone.${ending}`, 'tape.ndjson'];
    expect(names.ok && names.value.toSorted()).toEqual(own);
    const redacted = await redactTape('/talks/t', '/redacted', {
      files,
      base64,
      frames: createFrames(new PictureThread()),
    });
    expect(redacted).toMatchObject({ value: { state: 'whole' } });
    expect(files.names()).toContain('/redacted/answer.wav');

    const path = `/talks/t/answer.${ending}`;
    const before = files.bytes(path);
    files.put(path, before.subarray(0, before.length * 0.7));
    expect(await checkTape('/talks/t', { files, digest })).toMatchObject({
      value: { state: 'damaged', changed: [`answer.${ending}`] },
    });
    expect(await repairTape('/talks/t', '/mended', { files, base64 })).toMatchObject({
      value: { state: 'early' },
    });
    const [cut, mended] = [await shown(files), await shown(files, '/mended')];
    expect(mended).toEqual(cut);
    expect(mended.frames.length).toBeGreaterThan(5);
  });
});

it('a pcm16 tape rounds the sound to 16 bits and nothing else', async () => {
  const [exact, wav, flac] = [
    await shown(await recorded('float32')),
    await shown(await recorded('pcm16')),
    await shown(await recorded('flac')),
  ];
  expect(flac.frames).toEqual(wav.frames);
  expect(flac.frames).toHaveLength(exact.frames.length);
  expect(flac.frames).not.toEqual(exact.frames);
  for (const [at, frame] of exact.frames.entries()) {
    const other = flac.frames[at] ?? '';
    expect(other.length).toBe(frame.length);
    const sounds = [frame, other].map((text) => {
      const [, inner] = /"audio":"([^"]+)"/u.exec(text) ?? [];
      return new Float32Array((base64.decode(inner ?? '') ?? new Uint8Array()).slice().buffer);
    });
    const furthest = sounds[0]?.reduce(
      (most, sample, n) => Math.max(most, Math.abs(sample - (sounds[1]?.[n] ?? NaN))),
      0,
    );
    expect(furthest).toBeLessThanOrEqual(1 / 32_768);
  }
});
