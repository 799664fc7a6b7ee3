import { expect, it } from 'vitest';
import { inputRate } from '../../../shared/protocol/realtime-api.ts';
import { type BargeCases, bargeScene } from '../../bench/barge/barge-scenes.ts';
import { judgeScene, formatTable } from '../../bench/barge/judge-scene.ts';
import { roomOf } from '../../bench/barge/rooms.ts';
import { runScene } from '../../bench/barge/run-scene.ts';
import { echoRoom, powerDb } from '../../fakes/echo-room.ts';

const recorded = echoRoom({ seed: 3, seconds: 8, delayMs: 90, noiseDb: -66 });
const room = roomOf('synthetic', recorded.played, recorded.microphone);
const other = echoRoom({ seed: 4, seconds: 4, speaks: [[0, 4]] }).voice;

const cases = (person: Float32Array): BargeCases => {
  const sounds = [{ name: 'somebody', what: 'somebody', sound: person }];
  return {
    sounds: { person: sounds, noise: sounds, backChannel: sounds },
    speakers: [['speaker', [recorded.played]]],
  };
};

it('finds an echo path’s delay and response in a recording', () => {
  const { delay, explainedDb } = room.path;
  expect(delay / 16).toBeGreaterThan(80);
  expect(delay / 16).toBeLessThan(91);
  expect(explainedDb).toBeGreaterThan(15);
  expect(powerDb(room.noise, 1, 7)).toBeGreaterThan(-70);
  expect(powerDb(room.noise, 1, 7)).toBeLessThan(-62);
});

it('ducks an answer under speech and not without it', async () => {
  const scene = bargeScene(cases(other.subarray(0, 3 * inputRate)), [room], 2);
  const judged = judgeScene(scene, await runScene(scene));
  expect(judged.map(({ kind, ownCut }) => [kind, ownCut])).toEqual([
    ['person', 0],
    ['person', 0],
  ]);
  // In the first answer since a start little is left of a person.
  expect(judged[1]?.loweredMs).toBeLessThan(500);
  const silent = bargeScene(cases(new Float32Array(inputRate)), [room], 2);
  const alone = judgeScene(silent, await runScene(silent));
  // The first answer since a start may be lowered for a moment, and is not cut.
  expect(alone.map(({ cut, ownCut }) => [cut, ownCut])).toEqual([
    [false, 0],
    [false, 0],
  ]);
  expect(alone[1]?.loweredMs).toBeUndefined();
});

it('reports the results of answers by kind, place and level', () => {
  const one = { name: '', room: 'a', echoDb: -30, ownLowered: 1, ownCut: 0, cut: false };
  const lines = formatTable([
    {
      ...one,
      kind: 'person',
      what: 'person',
      levelDb: 0,
      into: 0.3,
      atFirst: true,
      loweredMs: 120,
    },
    {
      ...one,
      kind: 'person',
      what: 'person',
      levelDb: 9,
      into: 3,
      atFirst: false,
      loweredMs: undefined,
    },
    {
      ...one,
      kind: 'noise',
      what: 'music',
      levelDb: 0,
      into: 3,
      atFirst: false,
      loweredMs: 90,
      cut: true,
    },
  ]);
  expect(lines).toContain(
    'people (2): 50.0 % noticed, 50.0 % in 300 ms; median 120 ms, p95 120 ms',
  );
  expect(lines).toContain(
    '  first 1.2 s after a start (1): 100.0 % noticed, 100.0 % in 300 ms; median 120 ms, p95 120 ms',
  );
  expect(lines).toContain('  music (1): cut 100.0 %, lowered 100.0 %');
  expect(lines.at(-1)).toBe('own echo, in 3 answers: cut 0, lowered 3');
});
