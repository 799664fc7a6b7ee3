import { describe, expect, it } from 'vitest';
import { refusedError, sessionError } from '../../../../shared/errors/session-reasons.ts';
import { byPerson, lost, Stage } from './stage.ts';

const timeout = { ...lost, error: sessionError('timeout'), by: 'server', orderly: true } as const;

describe('the end of a talk', () => {
  it('lets the answer play out at the time limit, and offers to continue', () => {
    const stage = new Stage().live().says('one two', 2).ends().pass(500);
    stage.session.enter('closing').close(timeout);
    expect(stage.state).toMatchObject({ phase: 'ended', offer: 'continue' });
    stage.pass(3000);
    expect(stage.shown(1)).toBe('one two|');
    stage.talk.continueTalk('transcript');
    expect(stage.session.options.settings.instructions).toContain('one two');
    expect(stage.live().phases.slice(-2)).toEqual(['connecting', 'live']);
  });

  it('may be followed by a talk without the transcript', () => {
    const stage = new Stage({ settings: { instructions: 'Be kind.' } }).live();
    stage.says('one two', 1).ends().pass(2000).session.close(timeout);
    stage.talk.continueTalk('nothing');
    expect(stage.session.options.settings.instructions).toBe('Be kind.');
    stage.talk.continueTalk('nothing');
    expect(stage.sessions).toHaveLength(2);
  });

  it('silences at once if the user requests it, even repeatedly', () => {
    const stage = new Stage().live().says('one two', 5);
    stage.talk.end();
    stage.talk.end();
    expect(stage.speaker.queued()).toBe(0);
    stage.session.enter('closing').close(byPerson);
    stage.talk.end();
    expect(stage.phases.filter((phase) => phase === 'ended')).toHaveLength(1);
  });

  it('is not retried if only the user can fix it', () => {
    const stage = new Stage();
    stage.session.close({ ...lost, error: refusedError(401, ''), by: 'server' });
    expect(stage.state).toMatchObject({ offer: 'checkToken' });
    expect(stage.pass(30_000).sessions).toHaveLength(1);
  });

  it('closes after its session, and leaves no events or timers', async () => {
    const stage = new Stage().live().says('one two', 5);
    const closing = stage.talk.close();
    expect(stage.talk.close()).toBe(closing);
    stage.session.enter('closing').close(byPerson);
    await closing;
    const before = stage.emitted.length;
    stage.pass(60_000);
    stage.talk.continueTalk('nothing');
    stage.talk.interrupt();
    expect(stage.emitted).toHaveLength(before);
    expect(stage.sessions).toHaveLength(1);
  });

  it('closes at once after an end or during a backoff', async () => {
    const over = new Stage().live();
    over.session.close(timeout);
    await over.talk.close();
    const waiting = new Stage().live();
    waiting.session.close(lost);
    await waiting.talk.close();
    expect(waiting.pass(20_000).sessions).toHaveLength(1);
  });
});
