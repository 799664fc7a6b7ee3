import { describe, expect, it } from 'vitest';
import { BargeInRoom } from './barge-in-room.ts';

describe('barge-in during echo cancellation', () => {
  const answered = (): BargeInRoom => {
    const room = new BargeInRoom();
    room.presence = 0.05;
    room.voice = 0.1;
    room.playedDb = -18;
    room.pass(3000, true);
    return room;
  };
  /** Milliseconds until the answer is ducked for a sound of 600 ms. */
  const duckedAfter = (voice: number, presence: number, db: number): number | undefined => {
    const room = answered();
    const began = room.now;
    room.voice = voice;
    room.presence = presence;
    room.say(600, true, db);
    return room.events[0] && room.events[0][0] - began;
  };

  it('detects a user whom both the voice detector and the canceller hear', () => {
    expect(duckedAfter(0.95, 0.95, -30)).toBeLessThanOrEqual(200);
  });

  it('detects a quiet user whom only one of the two hears clearly', () => {
    expect(duckedAfter(0.95, 0.6, -45)).toBeLessThanOrEqual(400);
    expect(duckedAfter(0.5, 0.97, -45)).toBeLessThanOrEqual(400);
  });

  it('detects a user over the first word of an answer', () => {
    const room = new BargeInRoom();
    room.presence = 0.05;
    room.voice = 0.02;
    room.pass(1000, false);
    room.playedDb = -18;
    room.pass(300, true);
    room.presence = 0.95;
    room.voice = 0.9;
    room.say(300, true, -35);
    expect(room.eventNames).toEqual(['duck']);
  });

  it('ignores residual echo that sounds a little like a voice', () => {
    expect(duckedAfter(0.15, 0.05, -48)).toBeUndefined();
  });

  it('ignores a sound that is not a voice', () => {
    expect(duckedAfter(0.02, 0.6, -40)).toBeUndefined();
  });
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
    return room.eventNames;
  };
  expect(words(0.6)).toEqual(['duck']);
  expect(words(0.95)).toEqual(['duck', 'takesFloor']);
});
