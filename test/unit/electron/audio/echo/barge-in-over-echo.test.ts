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

describe('a sound that is a voice only in parts, such as a bark', () => {
  /** The events of a second in which the detector is certain for this many of ten steps, spread evenly. */
  const eventsFor = (certain: number, presence: number | undefined): readonly string[] => {
    const room = new BargeInRoom();
    room.voice = 0.01;
    room.presence = presence;
    room.pass(1000, true);
    for (let step = 0; step < 50; step += 1) {
      room.voice = (step * certain) % 10 < certain ? 0.97 : 0.6;
      room.say(20);
    }
    return room.eventNames;
  };

  it.each([
    { where: 'without an echo', presence: undefined, least: 8 },
    { where: 'over a cancelled echo', presence: 0.97, least: 7 },
  ])('takes the floor from $least tenths $where', ({ presence, least }) => {
    expect(eventsFor(least - 1, presence)).toEqual(['duck']);
    expect(eventsFor(least + 1, presence)).toEqual(['duck', 'takesFloor']);
  });
});
