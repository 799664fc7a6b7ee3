import { describe, expect, it } from 'vitest';
import { BargeInRoom } from './barge-in-room.ts';

describe('barge-in during echo cancellation', () => {
  const answered = (): BargeInRoom => {
    const room = new BargeInRoom();
    room.echo = true;
    room.voice = 0.1;
    room.playedDb = -18;
    room.pass(3000, true);
    room.playedDb = -100;
    room.pass(1500, false);
    room.playedDb = -18;
    return room;
  };

  it('detects a user who speaks over the beginning of the next answer', () => {
    const room = answered();
    room.pass(100, true);
    room.voice = 0.95;
    const began = room.now;
    room.say(600, true, -30);
    expect(room.words).toEqual(['duck']);
    expect((room.events[0]?.[0] ?? Infinity) - began).toBeLessThanOrEqual(220);
  });

  it('ignores residual echo with a low voice likelihood', () => {
    const room = answered();
    room.voice = 0.4;
    room.say(600, true, -30);
    expect(room.words).toEqual([]);
  });
});

it('ducks for near-end speech even if nothing is left of it', () => {
  const lowered = (echo: boolean): readonly string[] => {
    const room = new BargeInRoom();
    room.voice = 0.01;
    room.pass(1000, false);
    room.playedDb = -18;
    room.pass(300, true);
    room.echo = echo;
    room.somebody = true;
    room.pass(200, true);
    return room.words;
  };
  expect(lowered(false)).toEqual(['duck']);
  // In a learned room the voice would be audible.
  expect(lowered(true)).toEqual([]);
});

it('ducks without giving the floor to a sound that is a voice only in parts, such as a bark', () => {
  const words = (least: number): readonly string[] => {
    const room = new BargeInRoom();
    room.voice = 0.01;
    room.pass(1000, true);
    for (let part = 0; part < 6; part += 1) {
      room.voice = part % 2 === 0 ? 0.97 : least;
      room.say(200);
    }
    return room.words;
  };
  expect(words(0.6)).toEqual(['duck']);
  expect(words(0.95)).toEqual(['duck', 'takesFloor']);
});
