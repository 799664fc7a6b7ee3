import { describe, expect, it } from 'vitest';
import { WritingStage } from './writing-stage.ts';

describe('transcribed phrases', () => {
  it('use one session in turn, which is released soon', async () => {
    const stage = new WritingStage({ workers: 1 });
    stage.say(0, 0);
    stage.say(5000, 1);
    stage.say(9000, 'other');
    await stage.pass(12_000);
    expect(stage.last).toEqual({
      0: { state: 'written', text: 'Where is the station?' },
      5000: { state: 'written', text: 'It is late.' },
      9000: { state: 'written', text: '' },
    });
    expect(stage.opened).toBe(1);
    expect(stage.statuses.at(-1)).toEqual({ kind: 'idle' });
    // The only worker is free, so a new talk does not wait.
    const talk = stage.talk();
    await stage.pass(2000);
    expect(talk.phase).toBe('live');
    talk.end();
    await stage.pass(2000);
  });

  it('leave a queue at once while a talk runs, and wait in it afterwards', async () => {
    const stage = new WritingStage({ workers: 1 });
    const talk = stage.talk();
    await stage.pass(2000);
    stage.writer.permit('ifFree');
    stage.say(0);
    await stage.pass(2000);
    expect(stage.last).toEqual({ 0: { state: 'waiting' } });
    expect(stage.statuses.at(-1)).toEqual({ kind: 'busy' });
    // Another client joins the queue first.
    const other = stage.talk();
    talk.end();
    await stage.pass(2000);
    expect(other.phase).toBe('live');
    stage.writer.permit('yes');
    await stage.pass(2000);
    expect(stage.statuses.at(-1)).toEqual({ kind: 'queued', position: 1 });
    other.end();
    await stage.pass(6000);
    expect(stage.last).toEqual({ 0: { state: 'written', text: 'Where is the station?' } });
  });

  it('release the session during a phrase when the talk needs a worker, without loss', async () => {
    const stage = new WritingStage({ workers: 1 });
    stage.writer.permit('ifFree');
    stage.say(0);
    stage.say(3000, 1);
    await stage.pass(300);
    expect(stage.last).toMatchObject({ 0: { state: 'writing' } });
    // The talk reconnects and needs a worker.
    stage.writer.permit('no');
    const talk = stage.talk();
    await stage.pass(1500);
    expect(talk.phase).toBe('live');
    expect(stage.last).toMatchObject({ 0: { state: 'waiting' } });
    stage.writer.permit('yes');
    talk.end();
    await stage.pass(9000);
    expect(stage.last).toMatchObject({ 0: { state: 'written' }, 3000: { state: 'written' } });
  });

  it('are not requested before that is permitted', async () => {
    const stage = new WritingStage();
    stage.writer.permit('no');
    stage.say(0);
    await stage.pass(5000);
    expect([stage.opened, stage.news]).toEqual([0, []]);
    await stage.writer.end();
  });

  it('are tried three times, with pauses', async () => {
    const stage = new WritingStage({
      faults: [1, 2, 3].map((atStep) => ({ kind: 'error', atStep, code: 'inference_error' })),
    });
    stage.say(0);
    await stage.pass(60_000);
    expect(stage.news.filter(([, { state }]) => state === 'writing')).toHaveLength(3);
    expect(stage.last).toMatchObject({
      0: { state: 'unwritten', error: { code: 'answerFailed' } },
    });
  });

  it('are not requested after three failures in a row, until the user retries', async () => {
    const stage = new WritingStage({
      workers: 1,
      faults: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((session) => ({
        session,
        kind: 'drop' as const,
        atStep: 1,
      })),
    });
    for (const at of [0, 1, 2, 3, 4]) stage.say(at);
    await stage.pass(180_000);
    const { opened } = stage;
    expect(opened).toBeLessThanOrEqual(9);
    expect(Object.values(stage.last).map(({ state }) => state)).toEqual(
      Array.from({ length: 5 }, () => 'unwritten'),
    );
    expect(stage.statuses.at(-1)).toMatchObject({ kind: 'failed' });
    stage.say(9);
    await stage.pass(60_000);
    expect(stage.opened).toBe(opened);
    expect(stage.last).toMatchObject({ 9: { state: 'unwritten' } });
    // Failed phrases can be retried.
    while (stage.opened < 12) {
      stage.writer.retry('talk');
      await stage.pass(60_000);
    }
    stage.writer.retry('talk');
    await stage.pass(60_000);
    expect(Object.values(stage.last).map(({ state }) => state)).toEqual(
      Array.from({ length: 6 }, () => 'written'),
    );
  });

  it('report once if the server has no chat', async () => {
    const stage = new WritingStage({}, 'legacy');
    stage.say(0);
    stage.say(1);
    await stage.pass(5000);
    stage.say(2);
    await stage.pass(5000);
    expect(stage.opened).toBe(1);
    for (const at of [0, 1, 2])
      expect(stage.last[at]).toMatchObject({
        state: 'unwritten',
        error: { code: 'noChatInLegacy' },
      });
    expect(stage.statuses.filter(({ kind }) => kind === 'failed')).toHaveLength(1);
  });

  it('report if a server of the other dialect takes the chat for a talk', async () => {
    const stage = new WritingStage({ dialect: 'legacy' });
    stage.say(0);
    await stage.pass(70_000);
    expect(stage.last).toMatchObject({
      0: { state: 'unwritten', error: { code: 'noChatInLegacy' } },
    });
    expect(stage.opened).toBe(1);
  });

  it('are discarded with their talk, even during a request, while others continue', async () => {
    const stage = new WritingStage();
    stage.say(0, 0, 'one');
    stage.say(1, 1, 'two');
    await stage.pass(300);
    stage.writer.forget('one');
    const said = stage.news.length;
    await stage.pass(6000);
    expect(stage.news.slice(said).map(([at]) => at)).not.toContain(0);
    expect(stage.last).toMatchObject({ 1: { state: 'written', text: 'It is late.' } });
  });

  it('are stored for up to ten minutes of speech', async () => {
    const stage = new WritingStage();
    stage.writer.permit('no');
    const samples = new Float32Array(20 * 16_000);
    for (let at = 0; at < 32; at += 1)
      stage.writer.add({ talk: 'talk', at, server: 'server', samples });
    expect(stage.news.map(([at, { state }]) => [at, state])).toEqual([
      [0, 'unwritten'],
      [1, 'unwritten'],
    ]);
    await stage.writer.end();
  });
});
