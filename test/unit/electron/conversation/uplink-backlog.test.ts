import { beforeEach, describe, expect, it } from 'vitest';
import { UplinkBacklog } from '../../../../electron/conversation/uplink-backlog.ts';

const second = 16_000;
let sent: number[];
let lost: number[];
let backlog: UplinkBacklog;

beforeEach(() => {
  sent = [];
  lost = [];
  backlog = new UplinkBacklog({
    session: { pushAudio: (block) => sent.push(block[0] ?? 0) },
    chunkMs: 1000,
    lost: (seconds) => lost.push(seconds),
  });
});

/** A second of sound, to be told from others. */
const sound = (mark: number): Float32Array => new Float32Array(second).fill(mark);

function say(...marks: readonly number[]): void {
  for (const mark of marks) {
    backlog.push(sound(mark), true);
    backlog.taken(second);
  }
}

describe('what is said into a dead line', () => {
  it('goes to the next one first, as fast as that takes it, and before what is said then', () => {
    say(1, 2);
    backlog.heardServer(true);
    say(3, 4);
    backlog.lineLost();
    backlog.hold(sound(5), true);
    backlog.lineLive();
    expect(sent).toEqual([1, 2, 3, 4, 2, 3]);
    backlog.push(sound(6), true);
    expect(sent).toHaveLength(6);
    for (let chunk = 0; chunk < 6; chunk += 1) backlog.taken(second);
    expect(sent.slice(4)).toEqual([2, 3, 4, 5, 6]);
    expect(lost).toEqual([]);
    say(7);
    expect(sent.at(-1)).toBe(7);
  });

  it('is kept for ten seconds; what is older is said to be lost', () => {
    say(1);
    backlog.heardServer(true);
    for (let mark = 2; mark <= 15; mark += 1) backlog.push(sound(mark), true);
    backlog.lineLost();
    for (let mark = 16; mark <= 18; mark += 1) backlog.hold(sound(mark), true);
    sent = [];
    backlog.lineLive();
    for (let chunk = 0; chunk < 20; chunk += 1) backlog.taken(second);
    expect(sent).toEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
    expect(lost).toEqual([3]);
  });

  it('is not sent where it was silence: nobody is to be answered late for that', () => {
    backlog.push(sound(1), false);
    backlog.heardServer(false);
    backlog.push(sound(2), false);
    backlog.lineLost();
    backlog.hold(sound(3), false);
    sent = [];
    backlog.lineLive();
    backlog.push(sound(4), true);
    expect([sent, lost]).toEqual([[4], []]);
  });

  it('is forgotten with the talk', () => {
    say(1);
    backlog.lineLost();
    backlog.clear();
    sent = [];
    backlog.lineLive();
    expect(sent).toEqual([]);
  });
});
