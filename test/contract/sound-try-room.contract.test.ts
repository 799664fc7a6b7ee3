import { expect, it } from 'vitest';
import type { RoomJudgement } from '../../shared/audio/sound-tests.ts';
import { soundServerForEach } from './sound/server-for-each.ts';
import { reportMeasurement } from '../set-up/report-measurement.ts';

const { run } = await soundServerForEach((server) => server.loopBack());

it(
  'the room test judges a room in which all playback is captured',
  { timeout: 90_000 },
  async () => {
    const { code, output, complaints } = await run('try-room.ts');
    expect(code, complaints).toBe(0);
    const { noiseDb, echo } = JSON.parse(output) as RoomJudgement;
    reportMeasurement(`a room that is looped back: ${output.trimEnd()}`);
    // A monitor source is silent while no program plays.
    expect(noiseDb).toBeLessThan(-90);
    // Playback is aligned with the captured sound, as in `sound-echo-reference`.
    expect(echo?.delayMs).toBeGreaterThan(-10);
    expect(echo?.delayMs).toBeLessThan(40);
    // At the played level, without processing.
    expect(echo?.echoAboveNoiseDb).toBeGreaterThan(60);
    expect(echo?.medianCancelledDb).toBeGreaterThan(20);
  },
);
