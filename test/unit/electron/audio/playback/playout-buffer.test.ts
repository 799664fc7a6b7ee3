import { describe, expect, it } from 'vitest';
import { PlayoutBuffer } from '../../../../../electron/audio/playback/playout-buffer.ts';
import { randomRuns } from '../../../../fakes/random-runs.ts';
import { seeded } from '../../../../fakes/seeded.ts';
import { numbered } from '../devices/sound-stage.ts';
import { NaivePlayout } from './naive-playout.ts';

function playAll(buffer: PlayoutBuffer): Float32Array {
  const sound = buffer.unsent(Infinity) ?? new Float32Array();
  buffer.send(sound.length);
  buffer.playedTo(buffer.sent);
  return sound;
}

describe('PlayoutBuffer', () => {
  it('sends in one piece what was written in several', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 3), 1);
    buffer.insert(numbered(100, 2));
    buffer.write(numbered(3, 2), 1);
    expect([...(buffer.unsent(6) ?? [])]).toEqual([1, 2, 3, 101, 102, 4]);
    buffer.send(4);
    expect([...(buffer.unsent(6) ?? [])]).toEqual([102, 4, 5]);
    buffer.send(3);
    expect(buffer.unsent(6)).toBeUndefined();
  });

  it('passes only the original answer to the listener', () => {
    const buffer = new PlayoutBuffer();
    const heard: number[] = [];
    buffer.listen((samples) => heard.push(...samples));
    buffer.write(numbered(0, 3), 1, new Float32Array(3).fill(0.5));
    buffer.insert(new Float32Array(2));
    expect([...playAll(buffer)]).toEqual([0.5, 0.5, 0.5, 0, 0]);
    buffer.heardTo(4);
    expect(heard).toEqual([1, 2, 3]);
    expect([buffer.playhead, buffer.insertedHeard, buffer.isSounding]).toEqual([3, 1, true]);
    buffer.heardTo(5);
    expect([buffer.playhead, buffer.isSilent, buffer.isSounding]).toEqual([3, true, false]);
  });

  it('holds sound back until it is taken and written again', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 2), 1);
    buffer.holdBack(numbered(10, 3), 2);
    expect([buffer.heldCount, buffer.waiting, buffer.queued]).toEqual([3, 2, 5]);
    expect([...playAll(buffer)]).toEqual([1, 2]);
    const [held] = buffer.takeHeldBack();
    expect([[...(held ?? [])], buffer.queued, buffer.samplesOf(2)]).toEqual([[11, 12, 13], 2, 0]);
    buffer.write(held ?? new Float32Array(), 2);
    expect([...playAll(buffer)]).toEqual([11, 12, 13]);
  });

  it('sends unplayed sound again to the next device', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 6), 1);
    buffer.send(5);
    buffer.playedTo(3);
    buffer.resend();
    expect([...(buffer.unsent(9) ?? [])]).toEqual([4, 5, 6]);
    expect(buffer.heard).toBe(3);
  });

  it('ends a cut where a device already has the sound, and cuts once', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 4), 1);
    buffer.insert(numbered(0, 2));
    buffer.holdBack(numbered(4, 4), 2);
    buffer.send(4);
    buffer.playedTo(3);
    buffer.heardTo(3);
    expect([buffer.samplesOf(1), buffer.samplesOf(2), buffer.queued]).toEqual([4, 4, 5]);
    expect(buffer.cut()).toEqual({ dropped: 7, answer: 5 });
    expect([buffer.samplesOf(1), buffer.samplesOf(2), buffer.heldCount]).toEqual([3, 0, 0]);
    expect(buffer.queued).toBe(0);
    expect(buffer.cut()).toEqual({ dropped: 0, answer: 0 });
  });

  it('never overtakes a count nor goes back', () => {
    const buffer = new PlayoutBuffer();
    buffer.write(numbered(0, 4), 1);
    buffer.playedTo(9);
    expect(buffer.played).toBe(0);
    buffer.send(9);
    buffer.playedTo(9);
    buffer.playedTo(-5);
    buffer.heardTo(2);
    buffer.heardTo(1);
    expect([buffer.sent, buffer.played, buffer.heard]).toEqual([4, 4, 2]);
  });
});

const seeds = Array.from({ length: randomRuns(40) }, (_, n) => n + 1);

it.each(seeds)('matches a list of single samples (seed %i)', (seed) => {
  const random = seeded(seed);
  const buffer = new PlayoutBuffer();
  const naive = new NaivePlayout();
  const heard: number[] = [];
  buffer.listen((samples) => heard.push(...samples));
  let next = 0;
  let turn = 1;
  for (let step = 0; step < 400; step += 1) {
    const action = Math.floor(random() * 10);
    const count = Math.floor(random() * 30);
    const samples = numbered(next, count);
    if (action < 3) {
      // Writing again requires taking the held sound.
      naive.takeHeld();
      buffer.takeHeldBack();
      if (random() < 0.3) turn += 1;
      buffer.write(samples, turn);
      naive.write(samples, turn, false);
      next += count;
    } else if (action === 3 && buffer.heldCount === 0) {
      buffer.insert(samples);
      naive.write(samples, undefined, false);
    } else if (action === 4) {
      buffer.holdBack(samples, turn);
      naive.write(samples, turn, true);
      next += count;
    } else if (action === 5) {
      expect([...(buffer.unsent(count) ?? [])]).toEqual(naive.unsent(count));
      buffer.send(count);
      naive.send(count);
    } else if (action === 6) {
      const to = naive.played + count - 5;
      buffer.playedTo(to);
      naive.playedTo(to);
    } else if (action === 7) {
      const to = naive.heard + count - 5;
      buffer.heardTo(to);
      naive.heardTo(to);
    } else if (action === 8 && random() < 0.3) {
      expect(buffer.cut()).toEqual(naive.cut());
    } else if (random() < 0.3) {
      buffer.resend();
      naive.resend();
    }
    expect(naive.stateOf(buffer, turn)).toEqual(naive.state(turn));
    expect(heard).toEqual(naive.heardSamples);
  }
});
