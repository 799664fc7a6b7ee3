import { describe, expect, it } from 'vitest';
import { PlayoutBuffer } from '../../../../../electron/audio/playback/playout-buffer.ts';
import { numbered } from '../devices/sound-stage.ts';

/** A buffer, and in which pieces whoever listens along was given the answer. */
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

describe('an answer that comes sample by sample', () => {
  it('is put together, and heard as it came', () => {
    const { buffer, pieces, heard, hearAll } = listened();
    for (let at = 0; at < 3000; at += 1) buffer.write(numbered(at, 1), 1);
    hearAll();
    expect(pieces).toEqual([2400, 600]);
    expect(heard).toEqual([...numbered(0, 3000)]);
  });

  it('is put together while it is held back, too, but not with what is not', () => {
    const { buffer } = listened();
    for (let at = 0; at < 3; at += 1) buffer.write(numbered(at, 1), 1);
    for (let at = 3; at < 8; at += 1) buffer.hold(numbered(at, 1), 1);
    expect(buffer.takeHeld()).toEqual([numbered(3, 5)]);
    expect([buffer.queued, buffer.held]).toEqual([3, 0]);
  });

  it('is not put together with long pieces, which would be copied', () => {
    const { buffer, pieces, hearAll } = listened();
    for (const length of [100, 240, 100, 239]) buffer.write(numbered(0, length), 1);
    hearAll();
    expect(pieces).toEqual([100, 240, 339]);
  });

  it('is heard once where it is heard bit by bit, and cut where it was', () => {
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

it('sounds until it is silent: after a cut for as long as a device still has of it', () => {
  const { buffer, hearAll } = listened();
  buffer.write(numbered(0, 100), 1);
  buffer.send(100);
  buffer.playedTo(40);
  buffer.heardTo(30);
  buffer.cut();
  expect([buffer.silent, buffer.sounding]).toEqual([false, true]);
  hearAll();
  expect([buffer.silent, buffer.sounding]).toEqual([true, false]);
  buffer.write(numbered(0, 100), 2);
  buffer.send(50);
  buffer.playedTo(90);
  buffer.heardTo(90);
  expect(buffer.sounding).toBe(true);
  buffer.cut();
  expect([buffer.silent, buffer.sounding]).toEqual([true, false]);
});
