import { describe, expect, it } from 'vitest';
import { appError } from '../../../../shared/errors/app-error.ts';
import { sessionError } from '../../../../shared/errors/session-reasons.ts';
import { byPerson, lost, Stage } from './stage.ts';

describe('the talk lifecycle', () => {
  it('emits one state at a time, only on change', () => {
    const stage = new Stage();
    stage.session.enter('connecting', 'queued');
    for (const [position, etaSeconds] of [
      [2, 20],
      [2, 20],
      [1, 10],
    ] as const) {
      stage.session.emit({ event: 'queue', position, length: 3, etaSeconds });
    }
    stage.session.enter('configuring', 'live');
    stage.talk.end();
    stage.session.enter('closing').close(byPerson);
    expect(stage.phases).toEqual([
      'connecting',
      'queued',
      'queued',
      'queued',
      'connecting',
      'live',
      'ending',
      'ended',
    ]);
    const [, event] = stage.emittedOf('talk').filter(({ state }) => state.phase === 'queued');
    expect(event?.state).toEqual({ phase: 'queued', position: 2, length: 3, etaSeconds: 20 });
  });

  it('does not end when the server closes a session, because another may follow', () => {
    const stage = new Stage().live();
    stage.session.enter('closing').close(lost);
    expect(stage.phases).toEqual(['connecting', 'live', 'reconnecting']);
  });

  it('counts the instructions as the first use of the context', () => {
    const stage = new Stage();
    stage.session.enter('connecting', 'configuring');
    stage.session.emit({ event: 'session', id: 's', dialect: 'legacy', promptLength: 256 });
    stage.session.enter('live');
    expect(stage.emittedOf('limits').at(-1)?.limits.tokens).toBe(8192 - 256);
  });

  it('passes on events of its sessions', () => {
    const stage = new Stage().live();
    stage.session.emit({
      event: 'error',
      error: appError('serverReports', { reason: 'x' }, { detail: 'm' }),
      fatal: false,
    });
    expect(stage.emittedOf('error')).toHaveLength(1);
    expect(stage.emittedOf('state').map(({ state }) => state)).toEqual([
      'connecting',
      'configuring',
      'live',
    ]);
  });

  it('continues after a loss, with the heard words in the instructions', () => {
    const stage = new Stage({ settings: { instructions: 'Be kind.' } }).live();
    stage.says('one two three', 2).ends().pass(3000).says('four five six seven', 4, 2).pass(1500);
    stage.session.close(lost);
    const first = { phase: 'reconnecting', attempt: 1, error: lost.error };
    expect(stage.state).toMatchObject(first);
    stage.pass(1000);
    expect(stage.sessions).toHaveLength(2);
    expect(stage.state).toMatchObject({ phase: 'reconnecting', inMs: 0 });
    const { instructions } = stage.session.options.settings;
    expect(instructions).toMatch(/^Be kind\./);
    expect(instructions).toContain('one two three');
    expect(instructions).toContain('four');
    stage.live();
    expect(stage.phases.slice(-3)).toEqual(['reconnecting', 'reconnecting', 'live']);
  });

  it('plays out sound received before a loss, and cuts the rest', () => {
    const stage = new Stage()
      .live()
      .says('one two three four five six seven eight nine ten eleven', 1)
      .pass(200);
    stage.session.close(lost);
    stage.pass(1500);
    expect(stage.speaker.queued()).toBe(0);
    expect(stage.speaker.heard()).toBeGreaterThanOrEqual(24_000);
    expect(stage.talk.stats().playout?.concealmentEvents).toBe(0);
    expect(stage.shown(1)).toMatch(/^one two[a-z ]*\|~ [a-z ]*eleven$/);
  });

  it('numbers turns across sessions', () => {
    const stage = new Stage().live().says('one', 1).ends().says('two', 1, 2).ends(2).pass(3000);
    stage.session.close(lost);
    stage.pass(1000).live().says('three', 1).ends().pass(2000);
    expect(stage.emittedOf('turnHeard').map(({ turn, heard }) => [turn, heard])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
  });

  it('ignores events of a dropped session', () => {
    const stage = new Stage().live();
    const [first] = stage.sessions;
    stage.talk.onSystemWake();
    expect(first?.calls).toEqual(['end']);
    expect(stage.phases.at(-1)).toBe('reconnecting');
    first?.emit({ event: 'text', turn: 1, text: 'too late' });
    first?.close(byPerson);
    expect(stage.pass(1000).phases.at(-1)).toBe('reconnecting');
    expect(stage.sessions).toHaveLength(2);
    expect(stage.emittedOf('text')).toEqual([]);
  });

  it('retries at once when the machine wakes during a backoff', () => {
    const stage = new Stage().live();
    stage.session.close(lost);
    stage.talk.onSystemWake();
    expect(stage.sessions).toHaveLength(2);
    expect(stage.pass(20_000).sessions).toHaveLength(2);
  });

  it('detects a sleep by the calendar clock, unless the server still answers', () => {
    const sleeping = (): { readonly stage: Stage; readonly sleep: () => void } => {
      let slept = 0;
      const stage: Stage = new Stage({}, { wallNow: () => stage.clock.now() + slept }).live();
      return { stage: stage.pass(1000), sleep: () => void (slept += 3_600_000) };
    };
    const dead = sleeping();
    dead.sleep();
    expect(dead.stage.pass(9000).sessions).toHaveLength(2);
    const alive = sleeping();
    alive.sleep();
    alive.stage.pass(1000).listens(false);
    expect(alive.stage.pass(9000).sessions).toHaveLength(1);
    const anew = sleeping();
    anew.sleep();
    anew.stage.pass(200).session.close(lost);
    anew.stage.pass(1000).live();
    expect(anew.stage.pass(9000).sessions).toHaveLength(2);
  });

  it('survives half a minute without a network, with the transcript', () => {
    const stage = new Stage().live().says('one two three', 1).ends().pass(2000);
    stage.session.close(lost);
    for (let waited = 0; waited < 30_000; waited += 100) {
      stage.pass(100);
      const { phase } = stage.session;
      if (phase === 'connecting')
        stage.session.close({ ...lost, error: sessionError('unreachable') });
    }
    const tries = stage
      .emittedOf('talk')
      .flatMap(({ state }) =>
        state.phase === 'reconnecting' && state.inMs > 0 ? [state.attempt] : [],
      );
    expect(tries).toEqual(tries.map((_, index) => index + 1));
    expect(tries.length).toBeGreaterThan(3);
    const before = stage.sessions.length;
    for (let waited = 0; stage.sessions.length === before && waited < 20_000; waited += 100) {
      stage.pass(100);
    }
    expect(stage.live().phases.at(-1)).toBe('live');
    expect(stage.session.options.settings.instructions).toContain('one two three');
  });

  it('ends while another attempt is in progress', () => {
    const stage = new Stage().live();
    stage.session.close(lost);
    stage.pass(1000).session.enter('connecting');
    stage.talk.end();
    stage.talk.end();
    expect(stage.session.calls).toEqual(['end', 'end']);
    stage.session.close(byPerson);
    expect(stage.phases.at(-1)).toBe('ended');
    expect(stage.pass(20_000).sessions).toHaveLength(2);
  });

  it('ends during a backoff, without further attempts', () => {
    const stage = new Stage().live();
    stage.session.close(lost);
    stage.talk.end();
    expect(stage.state).toMatchObject({
      phase: 'ended',
      ending: { by: 'client' },
    });
    expect(stage.pass(20_000).sessions).toHaveLength(1);
  });

  it('carries pause, slices and mute over to later sessions', () => {
    const stage = new Stage({ mode: 'video', settings: { maxSlices: 1 } }).live();
    stage.talk.setMaxSlices(4);
    stage.talk.setPaused(true);
    stage.session.close(lost);
    stage.pass(1000);
    expect(stage.session.options.settings.maxSlices).toBe(4);
    expect(stage.session.calls).toEqual(['pause']);
  });

  it('accepts a picture and a key press before it is live', () => {
    const stage = new Stage({ mode: 'video' });
    stage.talk.pushFrame(new Uint8Array(3));
    stage.talk.controls.press();
    expect(stage.session.calls).toEqual(['see 3']);
  });
});

describe('devices', () => {
  it('are emitted with their current state, and a lost one does not end the talk', () => {
    const stage = new Stage().live();
    stage.talk.onDeviceEvent('microphone', { kind: 'using', device: 'Headset' });
    stage.talk.onDeviceEvent('microphone', { kind: 'lost', error: appError('noMicrophone') });
    stage.talk.onDeviceEvent('speaker', { kind: 'moved', from: 'Headset', device: 'Built-in' });
    expect(stage.emittedOf('devices').at(-1)?.devices).toEqual({
      microphone: { kind: 'lost', error: appError('noMicrophone') },
      speaker: { kind: 'standsIn', device: 'Built-in', missing: 'Headset' },
    });
    expect(stage.phases.at(-1)).toBe('live');
  });
});
