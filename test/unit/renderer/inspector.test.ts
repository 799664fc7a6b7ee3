import { describe, expect, it } from 'vitest';
import { GraphFeed, graphRange, TimeSeries } from '../../../renderer/inspector/graph.tsx';
import {
  formatSince,
  formatWireFrameSize,
  prettyJson,
} from '../../../renderer/inspector/wire-frame-list.tsx';
import { maxLoggedWireFrames, WireLog } from '../../../renderer/inspector/wire-log.ts';
import type { WireFrame } from '../../../shared/protocol/wire-frame.ts';

describe('the graphs', () => {
  it('drop points that are no longer visible', () => {
    const line = new TimeSeries(1000);
    for (let at = 0; at <= 10_000; at += 10) line.push(at, at);
    const points = line.since(9000);
    expect(points[0]?.at).toBe(8990);
    expect(points.at(-1)?.at).toBe(10_000);
    expect(line.since(0).length).toBeLessThan(250);
    expect(line.last).toBe(10_000);
  });

  it('reach up to a round number above every visible value', () => {
    const line = new TimeSeries(1000);
    line.push(0, 730);
    expect(graphRange([line], 0, 0, 500)).toEqual({ min: 0, max: 800 });
    expect(graphRange([new TimeSeries(1)], 0, 0, 500)).toEqual({ min: 0, max: 500 });
    expect(graphRange([], 0, -60, 0)).toEqual({ min: -60, max: 0 });
  });

  it('take their data from the right notices and ignore others', () => {
    const feed = new GraphFeed();
    let updates = 0;
    feed.subscribe(() => (updates += 1));
    feed.apply({ name: 'level', payload: { who: 'you', rmsDb: -20, peakDb: -10 } }, 1);
    const buffer = { bufferMs: 300, targetMs: 200 };
    feed.apply({ name: 'talkStep', payload: { buffer, latest: { roundTrip: 90 } } }, 2);
    feed.apply({ name: 'floor', payload: 'you' }, 3);
    expect(feed.contextUse).toBeUndefined();
    const { you, buffer: waiting, target, roundTrip, micToWire } = feed.lines;
    expect([you.last, waiting.last, target.last, roundTrip.last]).toEqual([-20, 300, 200, 90]);
    expect([micToWire.last, updates]).toEqual([undefined, 2]);
  });

  it('know the spent context and the latest remaining tokens', () => {
    const feed = new GraphFeed();
    const context = { spent: { pictures: 64, sound: 12, words: 20 }, estimated: [] };
    feed.apply({ name: 'talkStep', payload: { buffer: undefined, latest: {}, context } }, 1);
    expect(feed.contextUse).toEqual({ ...context, left: undefined });
    const limits = { seconds: 9, tokenSeconds: 9, pruning: false };
    feed.apply({ name: 'talkLimits', payload: { ...limits, tokens: 8096 } }, 2);
    expect(feed.contextUse).toEqual({ ...context, left: 8096 });
    feed.apply({ name: 'talkStep', payload: { buffer: undefined, latest: {}, context } }, 3);
    expect(feed.contextUse?.left).toBe(8096);
  });
});

const frame = (text: string, direction: WireFrame['direction'] = 'in', at = 0): WireFrame => ({
  at,
  connection: 1,
  mode: 'audio',
  direction,
  length: text.length,
  text,
});
const frameOfType = (type: string) => frame(JSON.stringify({ type, more: 'Words' }));
const shownTypes = (log: WireLog) => log.shown.map(({ name }) => name);

describe('the wire log', () => {
  it('names events by their type, even if they are cut', () => {
    const log = new WireLog();
    log.add({
      frames: [frameOfType('a.b'), frame('{"type": "cut", "audio": "…'), frame('x')],
      missed: 2,
    });
    expect(shownTypes(log)).toEqual(['a.b', 'cut', undefined]);
    expect([log.total, log.missed]).toEqual([3, 2]);
  });

  it('filters both existing and new events', () => {
    const log = new WireLog();
    log.add({
      frames: [frameOfType('one'), frame('{"type":"two"}', 'out'), frame('', 'opened')],
      missed: 0,
    });
    log.setFilter({ direction: 'out' });
    expect(log.shown.map(({ direction }) => direction)).toEqual(['out', 'opened']);
    log.setFilter({ direction: 'all', text: ' WORDS ' });
    log.add({ frames: [frameOfType('three'), frame('nothing of it')], missed: 0 });
    expect(shownTypes(log)).toEqual(['one', 'three']);
  });

  it('logs events while paused', () => {
    const log = new WireLog();
    log.add({ frames: [frameOfType('one')], missed: 0 });
    log.setPaused(true);
    const standing = log.shown;
    log.add({ frames: [frameOfType('two')], missed: 0 });
    expect(log.shown).toBe(standing);
    log.setFilter({ text: 'two' });
    expect(log.shown).toEqual([]);
    log.setFilter({ text: '' });
    log.setPaused(false);
    expect(shownTypes(log)).toEqual(['one', 'two']);
    log.clear();
    expect(log.shown).toEqual([]);
  });

  it('keeps at least the newest ten thousand events and counts all', () => {
    const log = new WireLog();
    for (let count = 0; count < 240; count += 1) {
      log.add({ frames: Array.from({ length: 50 }, () => frameOfType('x')), missed: 0 });
    }
    expect(log.total).toBe(12_000);
    expect(log.shown.length).toBeGreaterThanOrEqual(maxLoggedWireFrames);
    expect(log.shown.length).toBeLessThanOrEqual(maxLoggedWireFrames + 1000);
    expect(log.shown.at(-1)?.number).toBe(12_000);
  });

  it('formats times, sizes and events', () => {
    expect(formatSince(3210, 1000)).toBe('2.210');
    expect([
      formatWireFrameSize(812),
      formatWireFrameSize(4100),
      formatWireFrameSize(3_200_000),
    ]).toEqual(['812 B', '4.1 KB', '3.2 MB']);
    expect(prettyJson('{"a":1}')).toBe('{\n  "a": 1\n}');
    expect(prettyJson('{"a":1…')).toBe('{"a":1…');
  });
});
