import { describe, expect, it } from 'vitest';
import type { RoomJudgement, RoomStep } from '../../../../../shared/audio/sound-tests.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import type { RequestName } from '../../../../../shared/ipc/contract.ts';
import { deferred } from '../../../../fakes/deferred.ts';
import { flushPromises } from '../../../../fakes/flush-promises.ts';
import { openApp } from '../../open-app.ts';

const good: RoomJudgement = { noiseDb: -62, person: { attenuationDb: 1 }, isClipped: false };

/** A page that runs a room test; the core replies when `end` is called. */
async function open({
  refused = [],
  kept = { kind: 'folder', path: '/rooms' },
}: { readonly refused?: readonly RequestName[]; readonly kept?: object } = {}) {
  const test = deferred();
  const core = {
    refused,
    values: { testRoom: good, keepRoom: kept },
    until: { testRoom: test.promise },
  };
  const app = openApp(core, { now: () => 700 });
  await flushPromises();
  const settingsUi = () => app.store.getState().settingsUi;
  return {
    room: app.actions.setup.room,
    test: () => settingsUi().roomTest,
    problem: () => settingsUi().fields['roomTest']?.problem,
    step: (payload: RoomStep) => {
      app.notice({ name: 'roomStep', payload });
    },
    end: async () => {
      test.resolve();
      await flushPromises();
    },
    times: (name: RequestName) => app.inputs(name).length,
  };
}

describe('a room test', () => {
  it('explains itself before any request', async () => {
    const { room, test, times } = await open();
    room.explain();
    expect(test()).toEqual({ step: 'explained' });
    await room.cancel();
    expect(test()).toBeUndefined();
    expect(times('testRoom') + times('forgetRoom')).toBe(0);
  });

  it('advances by step on the page’s clock, up to the result', async () => {
    const { room, test, step, end, times } = await open();
    void room.begin();
    expect(test()).toEqual({ step: 'opening' });
    step({ step: 'alone', ms: 7400 });
    expect(test()).toEqual({ step: 'alone', ms: 7400, at: 700 });
    step({ step: 'ready' });
    await room.ready();
    expect(times('speakInRoom')).toBe(1);
    await end();
    expect(test()).toEqual({ step: 'judged', found: good });
    // A late step, or one of a different page.
    step({ step: 'judging' });
    expect(test()).toEqual({ step: 'judged', found: good });
  });

  it('ignores results after it was stopped', async () => {
    const { room, test, step, end, times, problem } = await open({ refused: ['testRoom'] });
    void room.begin();
    step({ step: 'over', ms: 7400 });
    await room.cancel();
    expect(test()).toEqual({ step: 'closed', why: 'stopped' });
    expect(times('forgetRoom')).toBe(1);
    await end();
    step({ step: 'judging' });
    expect(test()).toEqual({ step: 'closed', why: 'stopped' });
    expect(problem()).toBeUndefined();
  });

  it('shows why it failed, until the next test', async () => {
    const { room, test, end, problem } = await open({ refused: ['testRoom'] });
    void room.begin();
    await end();
    expect(test()).toBeUndefined();
    expect(problem()).toEqual(appError('noTalk'));
    room.explain();
    expect(problem()).toBeUndefined();
  });

  it('is discarded silently when the page is left, during the test or after it', async () => {
    const { room, test, end, times } = await open();
    await room.leave();
    expect(times('forgetRoom')).toBe(0);
    void room.begin();
    await room.leave();
    expect(times('forgetRoom')).toBe(1);
    void room.begin();
    await end();
    expect(test()?.step).toBe('judged');
    await room.leave();
    expect(times('forgetRoom')).toBe(2);
    expect(test()).toBeUndefined();
  });
});

describe('a room recording', () => {
  it('is saved where the user chooses, and the path is shown', async () => {
    const { room, test, end, times } = await open();
    void room.begin();
    await end();
    await room.keep();
    expect(test()).toEqual({ step: 'kept', where: { kind: 'folder', path: '/rooms' } });
    await room.showFolder();
    expect(times('showSaved')).toBe(1);
    await room.cancel();
    expect(test()).toBeUndefined();
    expect(times('forgetRoom')).toBe(0);
  });

  it('stays unsaved after a cancelled dialog or an error', async () => {
    for (const options of [{ kept: { kind: 'cancelled' } }, { refused: ['keepRoom'] as const }]) {
      const { room, test, end, problem } = await open(options);
      void room.begin();
      await end();
      await room.keep();
      expect(test()?.step).toBe('judged');
      expect(problem()).toEqual('kept' in options ? undefined : appError('noTalk'));
    }
  });

  it('is discarded with a message', async () => {
    const { room, test, end, times } = await open();
    void room.begin();
    await end();
    await room.discard();
    expect(test()).toEqual({ step: 'closed', why: 'thrownAway' });
    expect(times('forgetRoom')).toBe(1);
  });
});
