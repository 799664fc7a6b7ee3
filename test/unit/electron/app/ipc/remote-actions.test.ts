import { describe, expect, it } from 'vitest';
import {
  listenForRemoteCommands,
  remoteActions,
  runRemoteAction,
} from '../../../../../electron/app/ipc/remote-actions.ts';
import type { RequestDispatcher } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import { isRequestName, requests } from '../../../../../shared/ipc/contract.ts';
import { successReply } from '../../../../fakes/fake-bridge.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { type PushToTalkMode, idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { fakeRemoteChannels } from '../../../../fakes/fake-remote-channel.ts';

/** A running Parley, with a talk in this mode or without a talk. */
function runningParley(
  talking?: PushToTalkMode,
  answer: RequestDispatcher = () => Promise.resolve(successReply(undefined)),
) {
  const requested: { name: unknown; input: unknown }[] = [];
  const talk = talking && { mode: 'audio' as const, endpoint: 'Here' };
  const controls = { ...idleTalkView.controls, talking: talking ?? 'open' };
  const opened: string[] = [];
  const switched: boolean[] = [];
  return {
    requested,
    opened,
    openTapeAt: (path: string) => {
      opened.push(path);
      return Promise.resolve(path.includes('none') ? failure('replayTapeGone') : done);
    },
    talk: { view: { ...idleTalkView, talk, controls } },
    switched,
    linkRegistration: {
      set: (on: boolean) => {
        switched.push(on);
        return Promise.resolve(done);
      },
      state: () => Promise.resolve({ ok: true, value: 'off' } as const),
    },
    answer: ((name, input) => {
      requested.push({ name, input });
      return answer(name, input);
    }) satisfies RequestDispatcher,
  };
}

describe('a command of another process', () => {
  it('opens the quick ask with a question', async () => {
    const parley = runningParley();
    expect(await runRemoteAction('ask "Why?\\n"', parley)).toEqual(done);
    expect(parley.requested).toEqual([{ name: 'openQuick', input: { text: 'Why?\n' } }]);
    expect(await runRemoteAction('ask Why?', parley)).toMatchObject({ ok: false });
  });

  it.each(remoteActions.filter((action) => !action.startsWith('links ')))(
    'becomes a request that the core accepts: %s',
    async (action) => {
      const parley = runningParley('hold');
      expect(await runRemoteAction(action, parley)).toEqual(done);
      const [{ name, input } = { name: '', input: '' }] = parley.requested;
      if (!isRequestName(name)) throw new Error(`${String(name)} is not a request`);
      expect(requests[name].input.safeParse(input).success).toBe(true);
    },
  );

  it.each(['', 'sing', 'ptt', '__proto__'])('is refused if it is unknown: "%s"', async (words) => {
    const parley = runningParley('hold');
    expect(await runRemoteAction(words, parley)).toEqual(failure('commandUnknown'));
    expect(parley.requested).toEqual([]);
  });

  it('is refused if the talk key has no effect, unless it releases that key', async () => {
    const parley = runningParley('open');
    for (const action of ['ptt press', 'ptt toggle']) {
      expect(await runRemoteAction(action, parley)).toEqual(failure('microphoneOpen'));
    }
    expect(await runRemoteAction('ptt release', parley)).toEqual(done);
    expect(parley.requested).toEqual([{ name: 'talkKey', input: { key: 'release' } }]);
  });
});

describe('a tape that another process names', () => {
  it('is opened at any path, and the window is shown, unless the tape is refused', async () => {
    const parley = runningParley();
    expect(await runRemoteAction('replay "/none"', parley)).toEqual(failure('replayTapeGone'));
    const path = '/tapes/with “words”\nand 中文/tape.ndjson';
    expect(await runRemoteAction(`replay ${JSON.stringify(path)}`, parley)).toEqual(done);
    expect(parley.opened).toEqual(['/none', path]);
    expect(parley.requested).toEqual([{ name: 'showMain', input: undefined }]);
  });

  it.each(['replay', 'replay /plain', 'replay {}'])(
    'is refused if no path follows: "%s"',
    async (words) => {
      const parley = runningParley();
      expect(await runRemoteAction(words, parley)).toEqual(failure('commandUnknown'));
      expect(parley.opened).toEqual([]);
    },
  );
});

describe('a long-running Parley', () => {
  it('receives the commands until it ends, and after that a second Parley does', async () => {
    const channelAt = fakeRemoteChannels();
    const first = { ...runningParley('hold'), log: new FakeLog(), lifetime: new Lifetime('first') };
    const second = {
      ...runningParley('hold'),
      log: new FakeLog(),
      lifetime: new Lifetime('second'),
    };
    await listenForRemoteCommands(channelAt('here'), first);
    await listenForRemoteCommands(channelAt('here'), second);
    expect(second.log.lines).toEqual([
      'parley info: another running Parley receives the remote commands',
    ]);
    expect(await channelAt('here').ask('stop')).toEqual({ kind: 'done' });
    await first.lifetime.end();
    expect(second.log.lines.at(-1)).toBe(
      'parley info: this Parley now receives the remote commands',
    );
    expect(await channelAt('here').ask('stop')).toEqual({ kind: 'done' });
    await second.lifetime.end();
    expect(await channelAt('here').ask('stop')).toEqual({ kind: 'nobody' });
    expect([first.requested.length, second.requested.length]).toEqual([1, 1]);
  });
});
