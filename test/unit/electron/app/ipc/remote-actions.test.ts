import { describe, expect, it } from 'vitest';
import {
  listenForRemoteCommands,
  remoteActions,
  runRemoteAction,
} from '../../../../../electron/app/ipc/remote-actions.ts';
import type { RequestDispatcher } from '../../../../../electron/app/ipc/request-dispatcher.ts';
import { done, failure } from '../../../../../shared/errors/app-error.ts';
import { isRequestName, requests } from '../../../../../shared/ipc/contract.ts';
import { successReply } from '../../../../fakes/success-reply.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import type { PushToTalkMode } from '../../../../../shared/talk/talk-state.ts';
import { idleTalkView } from '../../../../../shared/talk/talk-view.ts';
import { FakeLog } from '../../../../fakes/fake-log.ts';
import { fakeRemoteChannels } from '../../../../fakes/fake-remote-channel.ts';

/** A Parley that runs, with a talk in that mode or without one. */
function running(
  talking?: PushToTalkMode,
  answer: RequestDispatcher = () => Promise.resolve(successReply(undefined)),
) {
  const asked: { name: unknown; input: unknown }[] = [];
  const talk = talking && { mode: 'audio' as const, endpoint: 'Here' };
  const controls = { ...idleTalkView.controls, talking: talking ?? 'open' };
  const opened: string[] = [];
  const switched: boolean[] = [];
  return {
    asked,
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
      asked.push({ name, input });
      return answer(name, input);
    }) satisfies RequestDispatcher,
  };
}

describe('a command of another process', () => {
  it('opens the small window with a question', async () => {
    const parley = running();
    expect(await runRemoteAction('ask "Why?\\n"', parley)).toEqual(done);
    expect(parley.asked).toEqual([{ name: 'openQuick', input: { text: 'Why?\n' } }]);
    expect(await runRemoteAction('ask Why?', parley)).toMatchObject({ ok: false });
  });

  it.each(remoteActions.filter((action) => !action.startsWith('links ')))(
    'becomes a request that the core accepts: %s',
    async (action) => {
      const parley = running('hold');
      expect(await runRemoteAction(action, parley)).toEqual(done);
      const [{ name, input } = { name: '', input: '' }] = parley.asked;
      if (!isRequestName(name)) throw new Error(`${String(name)} is not a request`);
      expect(requests[name].input.safeParse(input).success).toBe(true);
    },
  );

  it('switches links, with or without a talk, and reports their state', async () => {
    const parley = running();
    expect(await runRemoteAction('links on', parley)).toEqual(done);
    expect(await runRemoteAction('links off', parley)).toEqual(done);
    expect(parley.switched).toEqual([true, false]);
    expect(await runRemoteAction('links status', parley)).toEqual({ ok: true, value: 'off' });
    expect(await runRemoteAction('links', parley)).toEqual(failure('commandUnknown'));
    expect(parley.asked).toEqual([]);
  });

  it('fails with the core’s sentence', async () => {
    const parley = running('hold', () => Promise.resolve(failure('noTalk')));
    expect(await runRemoteAction('interrupt', parley)).toEqual(failure('noTalk'));
  });

  it.each(['', 'sing', 'ptt', 'about', '__proto__'])(
    '"%s" is an unknown command',
    async (asked) => {
      const parley = running('hold');
      expect(await runRemoteAction(asked, parley)).toEqual(failure('commandUnknown'));
      expect(parley.asked).toEqual([]);
    },
  );

  it('is refused if the talk key has no effect', async () => {
    const parley = running('open');
    for (const action of ['ptt press', 'ptt toggle']) {
      expect(await runRemoteAction(action, parley)).toEqual(failure('microphoneOpen'));
    }
    expect(await runRemoteAction('ptt release', parley)).toEqual(done);
    expect(parley.asked).toEqual([{ name: 'talkKey', input: { key: 'release' } }]);
  });
});

describe('a tape that another process names', () => {
  it('is opened at any path, and the window comes to the front', async () => {
    const parley = running();
    const path = '/tapes/with “words”\nand 中文/tape.ndjson';
    expect(await runRemoteAction(`replay ${JSON.stringify(path)}`, parley)).toEqual(done);
    expect(parley.opened).toEqual([path]);
    expect(parley.asked).toEqual([{ name: 'showMain', input: undefined }]);
  });

  it('fails with the core’s sentence', async () => {
    const parley = running();
    expect(await runRemoteAction('replay "/none"', parley)).toEqual(failure('replayTapeGone'));
    expect(parley.asked).toEqual([]);
  });

  it.each(['replay', 'replay ', 'replay /plain', 'replay {}', 'replay ["/a"]'])(
    'is refused if no path follows: "%s"',
    async (asked) => {
      const parley = running();
      expect(await runRemoteAction(asked, parley)).toEqual(failure('commandUnknown'));
      expect(parley.opened).toEqual([]);
    },
  );
});

describe('a long-running Parley', () => {
  it('listens until it ends, and then a second one listens', async () => {
    const lineAt = fakeRemoteChannels();
    const first = { ...running('hold'), log: new FakeLog(), lifetime: new Lifetime('first') };
    const second = { ...running('hold'), log: new FakeLog(), lifetime: new Lifetime('second') };
    await listenForRemoteCommands(lineAt('here'), first);
    await listenForRemoteCommands(lineAt('here'), second);
    expect(second.log.lines).toEqual([
      'parley info: another running Parley receives the remote commands',
    ]);
    expect(await lineAt('here').ask('stop')).toEqual({ kind: 'done' });
    await first.lifetime.end();
    expect(second.log.lines.at(-1)).toBe(
      'parley info: this Parley now receives the remote commands',
    );
    expect(await lineAt('here').ask('stop')).toEqual({ kind: 'done' });
    await second.lifetime.end();
    expect(await lineAt('here').ask('stop')).toEqual({ kind: 'nobody' });
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
  });

  it('logs that it cannot listen', async () => {
    const parley = { ...running(), log: new FakeLog(), lifetime: new Lifetime('deaf') };
    const deaf = fakeRemoteChannels()('here');
    const listen = () => Promise.resolve(failure('commandsPathLong', { path: '/x' }));
    await listenForRemoteCommands({ ...deaf, listen }, parley);
    expect(parley.log.lines).toEqual([
      'parley warn: Remote commands are off: /x is too long for a socket.',
    ]);
    await parley.lifetime.end();
  });
});
