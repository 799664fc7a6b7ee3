import { describe, expect, it } from 'vitest';
import { requestChecks } from '../../../../shared/ipc/checks.ts';
import { isRequestName } from '../../../../shared/ipc/contract.ts';
import { failure, success } from '../../../../shared/ipc/reply.ts';
import type { TalkingMode } from '../../../../shared/talk/talk-controls.ts';
import { quietTalk } from '../../../../shared/talk/talk-view.ts';
import { hearRemote } from '../../../../electron/compose-remote.ts';
import type { Answer } from '../../../../electron/ipc/answer.ts';
import { answerRemote, remoteDeeds } from '../../../../electron/ipc/remote-deeds.ts';
import { Lifetime } from '../../../../shared/lifetime.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakeRemoteLines } from '../../../fakes/fake-remote-line.ts';

const done = { ok: true, value: undefined } as const;

/** A Parley that runs, with a talk in that mode or without one. */
function running(
  talking?: TalkingMode,
  answer: Answer = () => Promise.resolve(success(undefined)),
) {
  const asked: { name: unknown; input: unknown }[] = [];
  const talk = talking && { mode: 'audio' as const, endpoint: 'Here' };
  const controls = { ...quietTalk.controls, talking: talking ?? 'open' };
  return {
    asked,
    talk: { view: { ...quietTalk, talk, controls } },
    answer: ((name, input) => {
      asked.push({ name, input });
      return answer(name, input);
    }) satisfies Answer,
  };
}

describe('what another process asks', () => {
  it.each(remoteDeeds)('%s is a request that the core takes', async (deed) => {
    const parley = running('hold');
    expect(await answerRemote(deed, parley)).toEqual(done);
    const [{ name, input } = { name: '', input: '' }] = parley.asked;
    if (!isRequestName(name)) throw new Error(`${String(name)} is no request`);
    expect(requestChecks[name].safeParse(input).success).toBe(true);
  });

  it('is refused with the sentence of the core', async () => {
    const parley = running('hold', () => Promise.resolve(failure('refused', 'There is no talk.')));
    expect(await answerRemote('interrupt', parley)).toEqual({
      ok: false,
      problem: 'There is no talk.',
    });
  });

  it.each(['', 'sing', 'ptt', 'about', '__proto__'])('"%s" is nothing it knows', async (asked) => {
    const parley = running('hold');
    expect(await answerRemote(asked, parley)).toMatchObject({
      ok: false,
      problem: 'The Parley that runs does not know this command; restart it.',
    });
    expect(parley.asked).toEqual([]);
  });

  it('is told where the talk key has nothing to open', async () => {
    const parley = running('open');
    for (const deed of ['ptt press', 'ptt toggle']) {
      expect(await answerRemote(deed, parley)).toMatchObject({
        problem: expect.stringContaining('open all the time') as string,
      });
    }
    expect(await answerRemote('ptt release', parley)).toEqual(done);
    expect(parley.asked).toEqual([{ name: 'talkKey', input: { key: 'release' } }]);
  });
});

describe('a Parley that stays', () => {
  it('hears until it ends; a second one leaves that to it', async () => {
    const lineAt = fakeRemoteLines();
    const first = { ...running('hold'), log: new FakeLog(), lifetime: new Lifetime('first') };
    const second = { ...running('hold'), log: new FakeLog(), lifetime: new Lifetime('second') };
    await hearRemote(lineAt('here'), first);
    await hearRemote(lineAt('here'), second);
    expect(second.log.lines).toEqual(['parley info: another Parley hears the commands']);
    expect(await lineAt('here').ask('stop')).toEqual({ kind: 'done' });
    await second.lifetime.end();
    expect(await lineAt('here').ask('stop')).toEqual({ kind: 'done' });
    await first.lifetime.end();
    expect(await lineAt('here').ask('stop')).toEqual({ kind: 'nobody' });
    expect([first.asked.length, second.asked.length]).toEqual([2, 0]);
  });

  it('says in its log where none can be heard', async () => {
    const parley = { ...running(), log: new FakeLog(), lifetime: new Lifetime('deaf') };
    const deaf = fakeRemoteLines()('here');
    const listen = () => Promise.resolve({ ok: false, problem: 'No room for a socket.' } as const);
    await hearRemote({ ...deaf, listen }, parley);
    expect(parley.log.lines).toEqual(['parley warn: No room for a socket.']);
    await parley.lifetime.end();
  });
});
