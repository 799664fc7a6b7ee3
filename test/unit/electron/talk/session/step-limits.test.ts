import { describe, expect, it } from 'vitest';
import {
  applyListen,
  applyOutput,
  beginsStep,
  updateStep,
} from '../../../../../electron/talk/session/model-turns.ts';
import type {
  ModelStep,
  TurnState,
  UplinkState,
} from '../../../../../electron/talk/session/session-state.ts';
import {
  dropLostAppends,
  settleAppend,
} from '../../../../../electron/talk/session/uplink-queue.ts';
import { delta, legacyListen, listen, sound, text } from './server-events.ts';

const step: ModelStep = {
  inputId: undefined,
  at: 1000,
  text: false,
  audio: true,
  listened: false,
  forced: true,
};
const spoken: ModelStep = { ...step, text: true, audio: false };

describe('an event belongs to a step', () => {
  it.each([
    ['sound after sound', step, sound(), 100],
    ['text after text', spoken, text('a'), 100],
    ['sound after text', spoken, sound(), 700],
    ['a listen after sound', step, listen(), 100],
  ])('%s, up to its limit', (_, before, event, limit) => {
    expect(beginsStep(before, event, 1000 + limit, 1)).toBe(false);
    expect(beginsStep(before, event, 1001 + limit, 1)).toBe(true);
  });

  it('an event belongs to its step at any delay, if no append is left that a listen could answer', () => {
    expect(beginsStep(step, listen(), 60_000, 0)).toBe(false);
    expect(beginsStep(spoken, listen(), 1000, 0)).toBe(true);
    expect(beginsStep({ ...step, listened: true }, sound(), 1000, 0)).toBe(true);
  });

  it('an event belongs to the step of its id, if either has one', () => {
    const named = { ...step, inputId: 'p1' };
    expect(beginsStep(named, sound('p1'), 60_000, 1)).toBe(false);
    expect(beginsStep(named, sound('p2'), 1000, 1)).toBe(true);
    expect(beginsStep(named, sound(), 1000, 1)).toBe(true);
    expect(beginsStep(step, sound('p1'), 1000, 1)).toBe(true);
    expect(beginsStep(named, delta('a', false), 1000, 1)).toBe(true);
  });

  it('an empty event belongs to its step without adding anything', () => {
    const empty = updateStep(undefined, { ...sound(undefined, 0), text: '' }, 5, true, false);
    expect(empty).toMatchObject({ text: false, audio: false, listened: false, forced: false });
    expect(updateStep(step, text('a'), 5, false, false)).toMatchObject({
      text: true,
      audio: true,
      forced: true,
      at: 5,
    });
    expect(updateStep(step, listen('p'), 5, true, undefined)).toMatchObject({
      inputId: 'p',
      text: false,
      audio: false,
      listened: true,
      forced: undefined,
    });
  });
});

const uplink: UplinkState = {
  count: 3,
  unanswered: [1, 2, 3].map((n) => ({ inputId: `p${n}`, at: n, forced: n === 2 })),
  waiting: [],
  echoes: false,
  answeredAt: 100,
  hasAnswered: true,
  outputs: 0,
};

describe('an append', () => {
  it('is given up after its timeout since the last answer, later if ids are echoed', () => {
    expect(dropLostAppends(uplink, 5100)).toBe(uplink);
    expect(dropLostAppends(uplink, 5101)).toEqual({ ...uplink, unanswered: [] });
    expect(dropLostAppends({ ...uplink, answeredAt: 0 }, 5001).unanswered).toHaveLength(3);
    const echoing = { ...uplink, echoes: true };
    expect(dropLostAppends(echoing, 30_100)).toBe(echoing);
    expect(dropLostAppends(echoing, 30_101).unanswered).toEqual([]);
    const none = { ...uplink, unanswered: [] };
    expect(dropLostAppends(none, 1e6)).toBe(none);
  });

  it('is settled by its id with those before, and by order only at the start of a step', () => {
    const byId = settleAppend(uplink, 'p2', 'p', false, 7);
    expect(byId.settled).toEqual({ inputId: 'p2', at: 2, forced: true });
    expect(byId.uplink).toMatchObject({ echoes: true, answeredAt: 7 });
    expect(byId.uplink.unanswered.map(({ inputId }) => inputId)).toEqual(['p3']);
    expect(settleAppend(uplink, 'p9', 'p', true, 7)).toEqual({
      uplink: { ...uplink, echoes: true },
      settled: undefined,
    });
    expect(settleAppend(uplink, 'server-1', 'p', true, 7)).toMatchObject({
      settled: { inputId: 'p1' },
      uplink: { echoes: false },
    });
    expect(settleAppend(uplink, undefined, 'p', false, 7)).toEqual({ uplink, settled: undefined });
  });
});

const turns: TurnState = {
  turn: 4,
  open: true,
  closesInStep: false,
  interrupting: false,
  interruptedAt: undefined,
  openedAt: 1000,
  voicedAt: undefined,
};
const yieldsAt = (before: Partial<TurnState>, at: number): boolean =>
  applyListen({ ...turns, ...before }, listen(), undefined, false, at, 'auto', false).effects.some(
    (effect) => effect.do === 'emit' && effect.event.event === 'listen' && effect.event.yields,
  );

describe('a listen over an open turn', () => {
  it('cuts it up to the limit after an interruption', () => {
    expect(yieldsAt({ interruptedAt: 1000 }, 6000)).toBe(true);
    expect(yieldsAt({ interruptedAt: 1000 }, 6001)).toBe(false);
  });

  it('cuts it if the user spoke after it began, up to the limit', () => {
    expect(yieldsAt({ voicedAt: 1001 }, 3501)).toBe(true);
    expect(yieldsAt({ voicedAt: 1001 }, 3502)).toBe(false);
    expect(yieldsAt({ voicedAt: 1000 }, 1001)).toBe(false);
    expect(yieldsAt({ voicedAt: 1500, openedAt: undefined }, 1600)).toBe(false);
  });

  it('clears an interruption that took effect, and keeps one that did not', () => {
    const after = (at: number): TurnState =>
      applyListen({ ...turns, interruptedAt: 1000 }, listen(), undefined, false, at, 'auto', false)
        .turns;
    expect(after(2000)).toMatchObject({ turn: 5, open: false, interruptedAt: undefined });
    expect(after(9000)).toMatchObject({ turn: 5, open: false, interruptedAt: 1000 });
  });

  it('keeps the interruption until a listen answers it', () => {
    const after = (forced: boolean | undefined): boolean =>
      applyListen({ ...turns, interrupting: true }, legacyListen, step, forced, 5, 'auto', false)
        .turns.interrupting;
    expect([after(false), after(true), after(undefined)]).toEqual([true, false, false]);
  });
});

it('a turn opens with its first output, and an empty output opens none', () => {
  const closed = { ...turns, open: false, openedAt: undefined };
  expect(applyOutput(closed, sound(), 70).turns).toMatchObject({ open: true, openedAt: 70 });
  expect(applyOutput(turns, sound(), 70).turns.openedAt).toBe(1000);
  const empty = applyOutput(closed, { ...sound(undefined, 0), text: '', endOfTurn: true }, 70);
  expect(empty).toEqual({ turns: closed, effects: [] });
  expect(applyOutput({ ...turns, interrupting: true }, delta('a', true), 70).effects).toEqual([]);
});
