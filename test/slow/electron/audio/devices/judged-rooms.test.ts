import { describe, expect, it } from 'vitest';
import { judgeRoom } from '../../../../../electron/audio/devices/room-test.ts';
import type { RoomTestFailure, RoomJudgement } from '../../../../../shared/audio/sound-tests.ts';
import { inputRate } from '../../../../../shared/protocol/realtime-api.ts';
import { echoRoom, type EchoRoomOptions } from '../../../../fakes/echo-room.ts';

const seconds = 7;
/** The last second is for the phrase's reverberation. */
const pauses = [[6, seconds]] as const;
const speaks = [[1, 6]] as const;

/** Judges a simulated room: quiet, with the phrase, and with a voice at this level over the phrase. */
async function judgedRoom(options: EchoRoomOptions, voiceDb?: number): Promise<RoomJudgement> {
  const quiet = echoRoom({ ...options, echoDb: -200, seconds: 1 }).microphone;
  const alone = echoRoom({ ...options, seconds, pauses });
  if (voiceDb === undefined) return getJudgement(await judgeRoom({ quiet, alone }));
  const { microphone, played } = echoRoom({ ...options, seconds, pauses, voiceDb, speaks });
  // The second recording starts at another moment.
  const later = Math.round(0.123 * inputRate);
  const over = { microphone: microphone.subarray(later), played: played.subarray(later) };
  return getJudgement(await judgeRoom({ quiet, alone, over }));
}

function getJudgement(judgement: RoomJudgement | RoomTestFailure): RoomJudgement {
  if (typeof judgement === 'string') throw new Error(judgement);
  return judgement;
}

describe('judgeRoom', () => {
  it('finds neither echo nor loss of speech with headphones', async () => {
    const room = await judgedRoom({ seed: 1, echoDb: -120 }, -26);
    expect(room.echo).toBeUndefined();
    expect(room.noiseDb).toBeCloseTo(-60, 0);
    expect(room.person?.attenuationDb).toBeLessThan(0.3);
  });

  it('measures delay, level and cancellation of an echo in a quiet room', async () => {
    const { noiseDb, echo, person } = await judgedRoom({ seed: 2, echoDb: -30, noiseDb: -65 }, -26);
    expect(noiseDb).toBeCloseTo(-65, 0);
    expect(echo?.delayMs).toBeGreaterThan(55);
    expect(echo?.delayMs).toBeLessThan(75);
    expect(echo?.echoAboveNoiseDb).toBeCloseTo(35, -0.5);
    expect(echo?.medianCancelledDb).toBeGreaterThan(28);
    expect(echo?.worstCancelledDb).toBeGreaterThan(15);
    expect(echo?.worstCancelledDb).toBeLessThan(echo?.medianCancelledDb ?? 0);
    expect(echo?.residualAboveNoiseDb).toBeLessThan(6);
    expect(person?.attenuationDb).toBeLessThan(3);
  });

  it('measures the echo over loud noise', async () => {
    const { noiseDb, echo } = await judgedRoom({ seed: 3, echoDb: -20, noiseDb: -42 });
    expect(noiseDb).toBeCloseTo(-42, 0);
    expect(echo?.echoAboveNoiseDb).toBeGreaterThan(20);
    expect(echo?.echoAboveNoiseDb).toBeLessThan(24);
    // Cancelling the echo also removes some of the noise.
    expect(echo?.medianCancelledDb).toBeGreaterThan(28);
  });

  it('finds an echo that is 300 ms late', async () => {
    const { echo } = await judgedRoom({ seed: 1, delayMs: 300 });
    expect(echo?.delayMs).toBeGreaterThan(295);
    expect(echo?.delayMs).toBeLessThan(315);
    expect(echo?.medianCancelledDb).toBeGreaterThan(15);
    expect(echo?.residualAboveNoiseDb).toBeLessThan(6);
  });

  it('reports that speech gets quieter in a room whose echo keeps changing', async () => {
    const jumps = [1.7, 2.4, 3.1, 3.8, 4.5, 5.2].map((at, n) => ({ at, ms: n % 2 === 0 ? 90 : 0 }));
    const [steady, broken] = [
      await judgedRoom({ seed: 4, echoDb: -20 }, -20),
      await judgedRoom({ seed: 4, echoDb: -20, jumps }, -20),
    ];
    expect(steady.person?.attenuationDb).toBeLessThan(4);
    expect(broken.person?.attenuationDb).toBeGreaterThan((steady.person?.attenuationDb ?? 0) + 0.5);
    expect(broken.echo?.residualAboveNoiseDb).toBeGreaterThan(
      (steady.echo?.residualAboveNoiseDb ?? 0) + 5,
    );
  });

  it('finds no user in a recording without speech', async () => {
    for (const seed of [2, 3]) {
      const { echo, person } = await judgedRoom({ seed }, -120);
      expect(echo).toBeDefined();
      expect(person).toBeUndefined();
    }
  });
});
