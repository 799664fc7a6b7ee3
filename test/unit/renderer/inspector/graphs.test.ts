import { describe, expect, it } from 'vitest';
import { GraphFeed } from '../../../../renderer/inspector/graph-feed.ts';
import { rangeOf } from '../../../../renderer/inspector/paint-graph.ts';
import { TimeLine } from '../../../../renderer/inspector/time-line.ts';

describe('the graphs', () => {
  it('keep as much of the past as they show, and no more', () => {
    const line = new TimeLine(1000);
    for (let at = 0; at <= 10_000; at += 10) line.push(at, at);
    const seen = line.since(9000);
    expect(seen[0]?.at).toBe(8990);
    expect(seen.at(-1)?.at).toBe(10_000);
    expect(line.since(0).length).toBeLessThan(250);
    expect(line.last).toBe(10_000);
  });

  it('reach to a round number above what is seen', () => {
    const line = new TimeLine(1000);
    line.push(0, 730);
    expect(rangeOf([line], 0, 0, 500)).toEqual({ least: 0, most: 800 });
    expect(rangeOf([new TimeLine(1)], 0, 0, 500)).toEqual({ least: 0, most: 500 });
    expect(rangeOf([], 0, -60, 0)).toEqual({ least: -60, most: 0 });
  });

  it('take what they draw from the notices, and nothing from others', () => {
    const feed = new GraphFeed();
    let told = 0;
    feed.subscribe(() => (told += 1));
    feed.hear({ name: 'level', payload: { who: 'you', rmsDb: -20, peakDb: -10 } }, 1);
    const buffer = { bufferMs: 300, targetMs: 200 };
    feed.hear({ name: 'talkStep', payload: { buffer, latest: { roundTrip: 90 } } }, 2);
    feed.hear({ name: 'floor', payload: 'you' }, 3);
    const { you, buffer: waiting, target, roundTrip, micToWire } = feed.lines;
    expect([you.last, waiting.last, target.last, roundTrip.last]).toEqual([-20, 300, 200, 90]);
    expect([micToWire.last, told]).toEqual([undefined, 2]);
  });
});
