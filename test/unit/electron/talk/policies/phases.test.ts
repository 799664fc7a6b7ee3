import { describe, expect, it } from 'vitest';
import {
  afterEnding,
  freshHistory,
} from '../../../../../electron/talk/policies/reconnect-policy.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { admitted, closed, error, queued } from '../session/server-events.ts';
import { Scene } from '../session/session-scene.ts';

const wasLive = { ...freshHistory, wasLive: true, wasEverLive: true };

/** Stages of a session at which its connection breaks. */
const phases: readonly (readonly [string, () => Scene])[] = [
  ['connecting', () => new Scene()],
  ['connected, before the first word', () => new Scene().open()],
  ['queued', () => new Scene().open().say(queued(1))],
  ['configuring', () => new Scene().open().say(admitted)],
  ['live', () => new Scene().live()],
];

function judge(scene: Scene): readonly string[] {
  const { closed } = scene;
  if (closed === undefined) throw new Error('The session has not ended.');
  return [wasLive, freshHistory].map((history) => {
    const then = afterEnding(closed, history, () => 0);
    return then.do === 'reconnect' ? 'reconnect' : then.offer;
  });
}

function cut(scene: Scene): Scene {
  if (scene.socket.state === 'connecting')
    scene.socket.end({ kind: 'unreachable', error: appError('badAddress') });
  else scene.close(1006);
  return scene;
}

describe('a session whose network is lost', () => {
  it.each(phases)(
    'a network lost while %s reconnects the session if it was live before, and else is reported',
    (_, come) => {
      expect(judge(cut(come()))).toEqual(['reconnect', 'retry']);
    },
  );

  it.each(phases)(
    'a network lost while %s, after the user ended the session, is ignored',
    (_, come) => {
      const scene = come();
      scene.session.end();
      if (scene.closed === undefined) cut(scene);
      expect(judge(scene)).toEqual(['none', 'none']);
    },
  );

  it('a network lost while closing after the time limit does not reconnect the session', () => {
    expect(judge(cut(new Scene().live().say(closed('timeout'))))).toEqual(['continue', 'retry']);
  });

  it('may only stay silent, until the session times out', () => {
    expect(judge(new Scene().wait(15_000))).toEqual(['reconnect', 'retry']);
    expect(judge(new Scene().open().wait(21_000))).toEqual(['reconnect', 'retry']);
    const stalled = new Scene().live().speak(1).wait(61_000);
    expect(stalled.closed?.error.code).toBe('serverStalled');
    expect(judge(stalled)).toEqual(['reconnect', 'retry']);
  });

  it('is not confused with a server that refuses the settings', () => {
    const refused = new Scene({ dialect: 'unified' })
      .open()
      .say(admitted, error('invalid_payload'));
    expect(judge(refused.wait(2_000))).toEqual(['checkEndpoint', 'checkEndpoint']);
  });
});
