import { describe, expect, it } from 'vitest';
import {
  formatSince,
  formatWireFrameSize,
  prettyJson,
} from '../../../../renderer/inspector/wire-frame-list.tsx';
import { maxLoggedWireFrames, WireLog } from '../../../../renderer/inspector/wire-log.ts';
import type { WireFrame } from '../../../../shared/protocol/wire-frame.ts';

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
    expect([log.total, log.dropped]).toEqual([3, 2]);
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

  it('keeps the newest ten thousand events and counts all', () => {
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
