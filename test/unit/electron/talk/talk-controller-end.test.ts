import { beforeEach, describe, expect, it } from 'vitest';
import { failure } from '../../../../shared/errors/app-error.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { settled } from './manual-devices.ts';
import { byPerson } from './stage.ts';
import { TalkControllerHarness } from './talk-controller-harness.ts';

let stage: TalkControllerHarness;

beforeEach(() => {
  stage = new TalkControllerHarness();
});

describe('the end of Parley', () => {
  it('ends the talk and closes everything', async () => {
    await stage.live('video');
    const ending = stage.controller.end();
    expect(stage.session.calls).toContain('end');
    stage.session.close(byPerson);
    await ending;
    expect(stage.hand.open).toEqual([0, 0]);
    expect(stage.taker).toBeUndefined();
    expect([stage.listeners, stage.systemSleep.listeners]).toEqual([0, 0]);
  });

  it('leaves no talk behind during the start of one', async () => {
    const connecting = deferred();
    const { connected } = stage;
    stage.connected = () => connecting.promise.then(connected);
    const starting = stage.controller.start('audio');
    await stage.controller.end();
    connecting.resolve();
    expect(await starting).toEqual(failure('shuttingDown'));
    expect([stage.sessions.length, ...stage.hand.open]).toEqual([0, 0, 0]);
    expect(await stage.controller.start('audio')).toMatchObject({ ok: false });
  });

  it('closes devices that are still opening', async () => {
    const opening = deferred();
    stage.hand.ready = opening.promise;
    const starting = stage.controller.start('audio');
    await settled();
    const ending = stage.controller.end();
    stage.session.close(byPerson);
    opening.resolve();
    await Promise.all([starting, ending]);
    expect(stage.hand.speakers).toHaveLength(1);
    expect(stage.hand.open).toEqual([0, 0]);
  });
});
