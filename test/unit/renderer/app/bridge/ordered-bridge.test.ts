import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../../renderer/app/app-context.ts';
import { orderReplies } from '../../../../../renderer/app/bridge/ordered-bridge.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import type { Notice, RequestName, SnapshotName } from '../../../../../shared/ipc/contract.ts';
import type { Reply } from '../../../../../shared/ipc/bridge.ts';
import { successReply } from '../../../../fakes/success-reply.ts';
import { changeSettings } from '../../../../../shared/settings/read-settings.ts';
import { redactSettings, defaultSettings } from '../../../../../shared/settings/settings.ts';
import { fakeBridge, fakeCapture } from '../../../../fakes/fake-bridge.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function inLanguage(language: 'en' | 'zh') {
  const changed = changeSettings(defaultSettings, { appearance: { language } });
  if (!changed.ok) throw new Error(changed.error.code);
  return redactSettings(changed.value);
}

const settingsNotice = (language: 'en' | 'zh'): Notice => ({
  name: 'settingsChanged',
  payload: inLanguage(language),
});

/** A core whose replies the test releases. */
function slowCore() {
  const { bridge, notice, noticeAt, connection } = fakeBridge();
  const waiting: { name: RequestName; answer: (reply: Reply<never>) => void }[] = [];
  const slow = {
    ...bridge,
    request: ((name) =>
      new Promise((resolve) => {
        waiting.push({ name, answer: resolve });
      })) as typeof bridge.request,
  };
  const answer = async (at: number, reply: Reply<unknown>): Promise<void> => {
    const [one] = waiting.splice(at, 1);
    one?.answer(reply as Reply<never>);
    await settle();
  };
  return {
    bridge: slow,
    notice,
    noticeAt,
    connection,
    asked: (name: RequestName) => waiting.filter((one) => one.name === name),
    reply: (name: RequestName, reply: Reply<unknown>) =>
      answer(
        waiting.findIndex((one) => one.name === name),
        reply,
      ),
    replyLast: (name: RequestName, reply: Reply<unknown>) =>
      answer(
        waiting.findLastIndex((one) => one.name === name),
        reply,
      ),
  };
}

/** Reads over this core and logs replies and notices in order of arrival. */
function reader() {
  const core = slowCore();
  const ordered = orderReplies(core.bridge);
  const seen: unknown[] = [];
  ordered.onNotice(({ name }, revision) => seen.push(`${name} ${revision}`));
  const read = (name: SnapshotName) => ordered.read(name, (value) => seen.push(value));
  return { core, ordered, seen, read };
}

describe('a snapshot', () => {
  // A key pressed during the start causes two requests that are answered together.
  it('does not overwrite newer notices', async () => {
    const core = slowCore();
    const { store } = createAppContext({
      bridge: core.bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    core.notice(settingsNotice('zh'));
    await core.reply('settings', successReply({ settings: inLanguage('en'), problems: [] }, 0));
    expect(store.getState().settings?.appearance.language).toBe('zh');
    expect(core.asked('settings')).toEqual([]);
  });

  it('replaces notices from before it, even if they arrive later', async () => {
    const { core, read, seen } = reader();
    void read('settings');
    core.notice(settingsNotice('zh'));
    await core.reply('settings', successReply('made after one', 1));
    core.noticeAt(settingsNotice('zh'), 1);
    core.noticeAt(settingsNotice('en'), 2);
    expect(seen).toEqual(['made after one', 'settingsChanged 2']);
  });

  it('is followed by newer notices in order', async () => {
    const { core, read, seen } = reader();
    void read('settings');
    for (const language of ['zh', 'en', 'zh'] as const) core.notice(settingsNotice(language));
    core.notice({ name: 'voicesChanged', payload: [] });
    expect(seen).toEqual(['voicesChanged 4']);
    await core.reply('settings', successReply('made after two', 2));
    expect(seen).toEqual(['voicesChanged 4', 'made after two', 'settingsChanged 3']);
  });

  it('is requested again after a newer reply overtook it', async () => {
    const { core, read, seen } = reader();
    void read('settings');
    void read('settings');
    core.notice(settingsNotice('zh'));
    await core.replyLast('settings', successReply('newer', 1));
    await core.reply('settings', successReply('older', 0));
    expect(seen).toEqual(['newer']);
    await core.reply('settings', successReply('newest', 1));
    expect(seen).toEqual(['newer', 'newest']);
  });

  it('is not requested again after a failure, and held notices are delivered', async () => {
    const { core, read, seen } = reader();
    const reply = read('talk');
    core.notice({ name: 'floor', payload: 'nobody' });
    await core.reply('talk', failure('disconnected'));
    expect(await reply).toEqual(failure('disconnected'));
    expect(seen).toEqual(['floor 1']);
  });

  it('is accepted from a new core regardless of its revision', async () => {
    const { core, read, seen, ordered } = reader();
    ordered.onConnection(() => undefined);
    void read('settings');
    await core.reply('settings', successReply('of the first', 900));
    core.connection('lost');
    core.connection('connected');
    core.noticeAt(settingsNotice('zh'), 1);
    expect(seen).toEqual(['of the first', 'settingsChanged 1']);
  });
});

describe('a changed setting', () => {
  it('takes the value of the last notice, even if its reply is older', async () => {
    const core = slowCore();
    const { store, actions } = createAppContext({
      bridge: core.bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    await core.reply('settings', successReply({ settings: inLanguage('en'), problems: [] }, 0));
    const chosen = actions.setup.choose('appearance.language', { appearance: { language: 'en' } });
    core.notice(settingsNotice('en'));
    core.notice(settingsNotice('zh'));
    await core.reply('changeSettings', successReply(inLanguage('en')));
    await chosen;
    expect(store.getState().settings?.appearance.language).toBe('zh');
  });
});
