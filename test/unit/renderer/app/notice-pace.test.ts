import { expect, it } from 'vitest';
import { NoticePace } from '../../../../renderer/app/bridge/ordered-bridge.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';

function open(costMs = 0) {
  const applied: (readonly Notice[])[] = [];
  const frames: (() => void)[] = [];
  const ticks: (() => void)[] = [];
  let now = 0;
  const pace = new NoticePace({
    apply: (notices) => {
      applied.push(notices);
      now += costMs * notices.length;
    },
    now: () => now,
    nextFrame: (run) => frames.push(run),
    nextTick: (run) => ticks.push(run),
  });
  const addUrgent = (count: number): void => {
    for (let turn = 0; turn < count; turn += 1)
      pace.add({ name: 'historyChanged', payload: { count: turn } });
  };
  const addHighRate = (turn: number): void => {
    pace.add({ name: 'caption', payload: { turn, added: 'a' } });
  };
  return {
    addUrgent,
    pace,
    addHighRate,
    frame: () => frames.shift()?.(),
    tick: () => ticks.shift()?.(),
    asked: () => frames.length,
    counts: () => applied.map(({ length }) => length),
    turns: () =>
      applied.flat().map((notice) => {
        if (notice.name === 'caption') return notice.payload.turn;
        return notice.name === 'historyChanged' ? notice.payload.count : undefined;
      }),
  };
}

it('the notice pace applies the first notice at once and the rest with the next frame, in order', () => {
  const { addUrgent, frame, counts, turns, asked } = open();
  addUrgent(4);
  expect(counts()).toEqual([1]);
  frame();
  expect(counts()).toEqual([1, 3]);
  expect(turns()).toEqual([0, 1, 2, 3]);
  frame();
  // Without notices it requests no frame.
  expect(asked()).toBe(0);
  addUrgent(1);
  expect(counts()).toEqual([1, 3, 1]);
});

it('the notice pace applies a flood within the budget of each frame', () => {
  const { addUrgent, frame, turns } = open(0.01);
  addUrgent(10_000);
  frame();
  expect(turns().length).toBeGreaterThan(700);
  expect(turns().length).toBeLessThan(1000);
  // Three frames are left for input.
  const first = turns().length;
  for (let frames = 0; frames < 3; frames += 1) frame();
  expect(turns()).toHaveLength(first);
  frame();
  expect(turns().length).toBeGreaterThan(first);
  for (let frames = 0; frames < 60; frames += 1) frame();
  expect(turns()).toEqual(Array.from({ length: 10_000 }, (_, turn) => turn));
});

it('the notice pace flushes pending notices before newer state', () => {
  const { addUrgent, pace, counts } = open();
  addUrgent(3);
  pace.flush();
  expect(counts()).toEqual([1, 2]);
  pace.flush();
  expect(counts()).toEqual([1, 2]);
});

it('the notice pace holds high-rate notices until the next frame tick', () => {
  const { addHighRate, tick, counts, asked, turns } = open();
  addHighRate(0);
  addHighRate(1);
  expect(counts()).toEqual([]);
  tick();
  expect([counts(), asked()]).toEqual([[2], 0]);
  addHighRate(2);
  tick();
  expect(turns()).toEqual([0, 1, 2]);
});

it('the notice pace applies held notices with an urgent one, in order', () => {
  const { addHighRate, addUrgent, tick, frame, counts, turns } = open();
  addHighRate(0);
  addUrgent(1);
  expect(counts()).toEqual([2]);
  tick();
  frame();
  expect(turns()).toEqual([0, 0]);
});

it('the notice pace applies a flood of captions within the budget of a frame tick', () => {
  const { addHighRate, tick, frame, turns } = open(0.01);
  for (let turn = 0; turn < 5000; turn += 1) addHighRate(turn);
  tick();
  expect(turns().length).toBeLessThan(1000);
  for (let frames = 0; frames < 60; frames += 1) frame();
  expect(turns()).toEqual(Array.from({ length: 5000 }, (_, turn) => turn));
});
