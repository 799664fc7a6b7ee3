import { describe, expect, it } from 'vitest';
import { PlayoutBuffer } from '../../../../../electron/audio/playback/playout-buffer.ts';
import { numbered } from '../devices/sound-stage.ts';

/** A buffer, and the pieces that its listener received. */
function listened() {
  const buffer = new PlayoutBuffer();
  const pieces: number[] = [];
  const heard: number[] = [];
  buffer.listen((samples) => {
    pieces.push(samples.length);
    heard.push(...samples);
  });
  const hearAll = (): void => {
    buffer.send(Infinity);
    buffer.playedTo(Infinity);
    buffer.heardTo(Infinity);
  };
  return { buffer, pieces, heard, hearAll };
}

describe('an answer that arrives sample by sample', () => {
  it('is joined and heard in full', () => {
    const { buffer, pieces, heard, hearAll } = listened();
    for (let at = 0; at < 3000; at += 1) buffer.write(numbered(at, 1), 1);
    hearAll();
    expect(pieces).toEqual([2400, 600]);
    expect(heard).toEqual([...numbered(0, 3000)]);
  });

  it('is joined while held back, separately from released sound', () => {
    const { buffer } = listened();
    for (let at = 0; at < 3; at += 1) buffer.write(numbered(at, 1), 1);
    for (let at = 3; at < 8; at += 1) buffer.holdBack(numbered(at, 1), 1);
    expect(buffer.takeHeldBack()).toEqual([numbered(3, 5)]);
    expect([buffer.queued, buffer.heldCount]).toEqual([3, 0]);
  });

  it('is not joined with long pieces, which would have to be copied', () => {
    const { buffer, pieces, hearAll } = listened();
    for (const length of [100, 240, 100, 239]) buffer.write(numbered(0, length), 1);
    hearAll();
    expect(pieces).toEqual([100, 240, 339]);
  });

  it('is heard once when heard in small steps, and cut in place', () => {
    const { buffer, pieces, heard, hearAll } = listened();
    buffer.write(numbered(0, 200), 1);
    buffer.send(150);
    for (const to of [30, 70, 150]) {
      buffer.playedTo(to);
      buffer.heardTo(to);
    }
    expect(buffer.cut()).toEqual({ dropped: 50, answer: 50 });
    buffer.write(numbered(300, 10), 2);
    hearAll();
    expect(pieces).toEqual([30, 40, 80, 10]);
    expect(heard).toEqual([...numbered(0, 150), ...numbered(300, 10)]);
  });
});

it('counts as sounding until a device has played its rest after a cut', () => {
  const { buffer, hearAll } = listened();
  buffer.write(numbered(0, 100), 1);
  buffer.send(100);
  buffer.playedTo(40);
  buffer.heardTo(30);
  buffer.cut();
  expect([buffer.isSilent, buffer.isSounding]).toEqual([false, true]);
  hearAll();
  expect([buffer.isSilent, buffer.isSounding]).toEqual([true, false]);
  buffer.write(numbered(0, 100), 2);
  buffer.send(50);
  buffer.playedTo(90);
  buffer.heardTo(90);
  expect(buffer.isSounding).toBe(true);
  buffer.cut();
  expect([buffer.isSilent, buffer.isSounding]).toEqual([true, false]);
});
