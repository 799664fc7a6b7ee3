import { describe, expect, it } from 'vitest';
import { createStore } from '../../../../renderer/app/store.ts';
import { initialUiState } from '../../../../renderer/app/ui-state.ts';
import { chimeFor, playQueueChimes } from '../../../../renderer/talk/queue-chime.ts';
import {
  endingTitle,
  noSpokenTurns,
  patchTurns,
  type SpokenTurns,
  updateSpokenTurns,
} from '../../../../renderer/talk/talk-ui-state.ts';
import { sessionError } from '../../../../shared/errors/app-error.ts';
import { redactSettings, defaultSettings } from '../../../../shared/settings/settings.ts';
import type {
  CaptionedTurn,
  CaptionPatch,
  Floor,
  TalkState,
} from '../../../../shared/talk/talk-view.ts';

const added = (turn: number): CaptionPatch => ({ turn, added: `${turn}`, heard: 1 });
const newTurns = (count: number): readonly CaptionPatch[] =>
  Array.from({ length: count }, (_, turn) => added(turn));

it('captions are the same whether patches come together or one by one', () => {
  const patches: readonly CaptionPatch[] = [
    ...newTurns(5),
    { turn: 2, added: ' more' },
    { turn: 4, heard: 1, settled: true },
    { turn: 3, cutFrom: 0 },
  ];
  let oneByOne: readonly CaptionedTurn[] = [];
  for (const patch of patches) oneByOne = patchTurns(oneByOne, [patch]);
  expect(patchTurns([], patches)).toEqual(oneByOne);
  expect(oneByOne[2]).toMatchObject({ text: '2 more' });
});

it('a caption patch keeps the identity of other turns and does not change the input list', () => {
  const before = patchTurns([], newTurns(3));
  const after = patchTurns(before, [{ turn: 2, added: '!' }]);
  expect(after[0]).toBe(before[0]);
  expect(before[2]?.text).toBe('2');
});

it('captions keep at least the newest 2,000 turns, whether these come at once or one by one', () => {
  const many = newTurns(7000);
  const atOnce = patchTurns([], many);
  let oneByOne: readonly CaptionedTurn[] = [];
  for (const patch of many) oneByOne = patchTurns(oneByOne, [patch]);
  for (const turns of [atOnce, oneByOne]) {
    expect(turns.length).toBeGreaterThanOrEqual(2000);
    expect(turns.length).toBeLessThanOrEqual(2200);
    expect(turns.at(-1)?.turn).toBe(6999);
  }
});

/** The spoken turns after these changes of the floor, in seconds, with Parley's newest turn. */
function turnsAfter(...steps: readonly (readonly [at: number, floor: Floor, newest?: number])[]) {
  return steps.reduce<SpokenTurns>(
    (spoken, [at, floor, newest]) => updateSpokenTurns(spoken, floor, newest, at * 1000),
    noSpokenTurns,
  ).turns;
}

describe('the spoken turns', () => {
  it('have a length and follow the newest turn at their beginning', () => {
    expect(turnsAfter([1, 'you', 3], [5, 'nobody', 4])).toEqual([
      { at: 1000, seconds: 4, after: 3 },
    ]);
    expect(turnsAfter([1, 'you'], [2, 'both', 1], [4, 'parley', 1])).toEqual([
      { at: 1000, seconds: 3, after: undefined },
    ]);
  });

  it('skip a cough, and join speech across a breath', () => {
    expect(turnsAfter([1, 'you'], [1.5, 'nobody'])).toEqual([]);
    expect(turnsAfter([1, 'you', 2], [3, 'nobody', 2], [4, 'you', 2], [4.5, 'nobody', 2])).toEqual([
      { at: 1000, seconds: 2.5, after: 2 },
    ]);
    expect(
      turnsAfter([1, 'you', 2], [3, 'parley', 2], [6, 'you', 3], [8, 'nobody', 3]),
    ).toHaveLength(2);
  });
});

it('the headline of an ended talk names who or what ended it', () => {
  const ending = { error: sessionError('x'), by: 'server', orderly: true } as const;
  expect(endingTitle(ending, 'none')).toBe('server');
  expect(endingTitle({ ...ending, error: sessionError('timeout') }, 'continue')).toBe('limit');
  expect(endingTitle({ ...ending, error: sessionError('context_full') }, 'continue')).toBe(
    'context',
  );
  expect(endingTitle(ending, 'checkToken')).toBe('token');
  expect(endingTitle({ ...ending, by: 'network' }, 'checkEndpoint')).toBe('endpoint');
});

const queued = (position: number | undefined): TalkState => ({
  phase: 'queued',
  position,
  length: 4,
  etaSeconds: undefined,
});

describe('queue chimes', () => {
  it('sound only for moving up and for the user’s turn', () => {
    expect(chimeFor(queued(3), queued(2))).toBe('moved');
    expect(chimeFor(queued(1), { phase: 'live' })).toBe('turn');
    expect(chimeFor(queued(1), { phase: 'connecting' })).toBe('turn');
    expect(chimeFor(queued(undefined), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), queued(3))).toBeUndefined();
    expect(chimeFor(queued(2), { phase: 'ending' })).toBeUndefined();
    expect(chimeFor({ phase: 'connecting' }, { phase: 'live' })).toBeUndefined();
  });

  it('sound once per change while turned on', () => {
    const store = createStore({ ...initialUiState, talkState: { value: queued(2), at: 0 } });
    const played: string[] = [];
    playQueueChimes(store, (chime) => played.push(chime));
    store.setState({ talkState: { value: queued(1), at: 1 } });
    store.setState({ floor: 'you' });
    const audio = { ...defaultSettings.audio, chimes: false };
    store.setState({ settings: redactSettings({ ...defaultSettings, audio }) });
    store.setState({ talkState: { value: { phase: 'live' }, at: 2 } });
    expect(played).toEqual(['moved']);
  });
});
