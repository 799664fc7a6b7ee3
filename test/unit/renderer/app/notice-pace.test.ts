import { expect, it } from 'vitest';
import { NoticePace } from '../../../../renderer/app/bridge/ordered-bridge.ts';
import type { Notice } from '../../../../shared/ipc/contract.ts';

function open(costMs = 0) {
  const applied: (readonly Notice[])[] = [];
  const frames: (() => void)[] = [];
  const beats: (() => void)[] = [];
  let now = 0;
  const pace = new NoticePace({
    apply: (notices) => {
      applied.push(notices);
      now += costMs * notices.length;
    },
    now: () => now,
    nextFrame: (run) => frames.push(run),
    nextTick: (run) => beats.push(run),
  });
  const add = (count: number): void => {
    for (let turn = 0; turn < count; turn += 1)
      pace.add({ name: 'historyChanged', payload: { count: turn } });
  };
  const flow = (turn: number): void => {
    pace.add({ name: 'caption', payload: { turn, added: 'a' } });
  };
  return {
    add,
    pace,
    flow,
    frame: () => frames.shift()?.(),
    beat: () => beats.shift()?.(),
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
  const { add, frame, counts, turns, asked } = open();
  add(4);
  expect(counts()).toEqual([1]);
  frame();
  expect(counts()).toEqual([1, 3]);
  expect(turns()).toEqual([0, 1, 2, 3]);
  frame();
  // Without notices it requests no frame.
  expect(asked()).toBe(0);
  add(1);
  expect(counts()).toEqual([1, 3, 1]);
});

it('the notice pace applies a flood within the budget of each frame', () => {
  const { add, frame, turns } = open(0.01);
  add(10_000);
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
  const { add, pace, counts } = open();
  add(3);
  pace.flush();
  expect(counts()).toEqual([1, 2]);
  pace.flush();
  expect(counts()).toEqual([1, 2]);
});

it('the notice pace holds high-rate notices until the next frame tick', () => {
  const { flow, beat, counts, asked, turns } = open();
  flow(0);
  flow(1);
  expect(counts()).toEqual([]);
  beat();
  expect([counts(), asked()]).toEqual([[2], 0]);
  flow(2);
  beat();
  expect(turns()).toEqual([0, 1, 2]);
});

it('the notice pace applies held notices with an urgent one, in order', () => {
  const { flow, add, beat, frame, counts, turns } = open();
  flow(0);
  add(1);
  expect(counts()).toEqual([2]);
  beat();
  frame();
  expect(turns()).toEqual([0, 0]);
});

it('the notice pace applies a flood of captions within the budget of a frame tick', () => {
  const { flow, beat, frame, turns } = open(0.01);
  for (let turn = 0; turn < 5000; turn += 1) flow(turn);
  beat();
  expect(turns().length).toBeLessThan(1000);
  for (let frames = 0; frames < 60; frames += 1) frame();
  expect(turns()).toEqual(Array.from({ length: 5000 }, (_, turn) => turn));
});
