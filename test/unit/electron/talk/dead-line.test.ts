import { beforeEach, describe, expect, it } from 'vitest';
import { lost, Stage } from './stage.ts';

let stage: Stage;

const sent = {
  event: 'sent',
  inputId: 'x',
  samples: 16_000,
  frames: 0,
  forceListen: false,
} as const;

beforeEach(() => {
  stage = new Stage().live();
});

function step(loudness: number, answered = true): void {
  stage.pass(1000, loudness);
  stage.session.emit(sent);
  if (answered) stage.session.emit({ event: 'listen', yields: false });
}

describe('a dead connection', () => {
  it('is reported as quiet after three seconds, until the server answers again', () => {
    for (let second = 0; second < 5; second += 1) step(0);
    expect(stage.state).toEqual({ phase: 'live' });
    step(0, false);
    step(0, false);
    step(0, false);
    expect(stage.state).toEqual({ phase: 'live', quiet: true });
    step(0);
    expect(stage.state).toEqual({ phase: 'live' });
  });

  it("loses no speech since the server's last event: the next session gets it first", () => {
    for (let second = 0; second < 3; second += 1) step(0);
    for (const loudness of [0.2, 0.3, 0.4]) step(loudness, false);
    stage.session.close(lost);
    stage.pass(100, 0.5);
    stage.talk.onNetworkBack();
    const [first, second] = stage.sessions;
    expect([stage.sessions.length, second?.heard]).toEqual([2, []]);
    stage.live();
    for (let chunk = 0; chunk < 6; chunk += 1) {
      stage.session.emit(sent);
    }
    const heard = [...new Set(second?.heard)].map((sample) => Math.round(sample * 10) / 10);
    expect(heard).toEqual([0, 0.2, 0.3, 0.4, 0.5]);
    expect(first?.heard.length).toBe(6 * 16_000);
    stage.pass(1000, 0.6);
    expect(Math.round((second?.heard.at(-1) ?? 0) * 10) / 10).toBe(0.6);
    expect(stage.emittedOf('error')).toEqual([]);
  });

  it('loses nothing of a word that has just begun when the next session is live', () => {
    for (let second = 0; second < 3; second += 1) step(0);
    stage.session.close(lost);
    stage.talk.onNetworkBack();
    // Too short for the voice detector.
    stage.pass(20, 0.3).live().pass(400, 0.3);
    const said = stage.session.heard.filter((sample) => sample !== 0);
    expect(said.length).toBeGreaterThanOrEqual((420 * 16_000) / 1000 - 80);
  });

  it('reports speech older than ten seconds as lost', () => {
    for (let second = 0; second < 3; second += 1) step(0);
    for (let second = 0; second < 8; second += 1) step(0.3, false);
    stage.session.close(lost);
    // No retry is due meanwhile; only the user's speech continues.
    const sessions = stage.sessions.length;
    for (let block = 0; block < 300; block += 1) {
      stage.talk.pushAudio(new Float32Array(320).fill(0.3));
    }
    stage.talk.onNetworkBack();
    expect(stage.sessions).toHaveLength(sessions + 1);
    stage.live();
    expect(stage.emittedOf('error')).toMatchObject([
      { error: { code: 'speechLost', facts: { seconds: 5 } }, fatal: false },
    ]);
  });

  it('is not retried when the network is back while a session is live', () => {
    stage.talk.onNetworkBack();
    expect([stage.sessions.length, stage.state]).toEqual([1, { phase: 'live' }]);
  });
});
