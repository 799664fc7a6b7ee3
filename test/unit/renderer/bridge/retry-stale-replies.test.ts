import { failure } from '../../../../shared/errors/app-error.ts';
import { describe, expect, it } from 'vitest';
import { retryStaleReplies } from '../../../../renderer/bridge/retry-stale-replies.ts';
import { createAppContext } from '../../../../renderer/store/app-context.ts';
import type { Notice, RequestName } from '../../../../shared/ipc/contract.ts';
import { successReply } from '../../../../shared/ipc/reply.ts';
import type { Reply } from '../../../../shared/ipc/reply.ts';
import { changeSettings } from '../../../../shared/settings/read-settings.ts';
import { defaultSettings } from '../../../../shared/settings/default-settings.ts';
import { redactSettings } from '../../../../shared/settings/redacted-settings.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

function inLanguage(language: 'en' | 'zh') {
  const changed = changeSettings(defaultSettings, { appearance: { language } });
  if (!changed.ok) throw new Error(changed.error.code);
  return redactSettings(changed.value);
}

const told = (language: 'en' | 'zh'): Notice => ({
  name: 'settingsChanged',
  payload: inLanguage(language),
});

/** A core whose replies come when the test says so. */
function slowCore() {
  const { bridge, notice } = fakeBridge();
  const waiting: { name: RequestName; answer: (reply: Reply<never>) => void }[] = [];
  const slow = {
    ...bridge,
    request: ((name) =>
      new Promise((resolve) => {
        waiting.push({ name, answer: resolve });
      })) as typeof bridge.request,
  };
  return {
    bridge: slow,
    notice,
    asked: (name: RequestName) => waiting.filter((one) => one.name === name),
    reply: async (name: RequestName, reply: Reply<unknown>) => {
      const at = waiting.findIndex((one) => one.name === name);
      const [one] = waiting.splice(at, 1);
      one?.answer(reply as Reply<never>);
      await settle();
    },
  };
}

describe('what is asked for whole', () => {
  // A key that is pressed before the core is loaded: both requests are answered in one go.
  it('is not put over what was told since it was made', async () => {
    const core = slowCore();
    const { store } = createAppContext({
      bridge: core.bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    core.notice(told('zh'));
    await core.reply('settings', successReply({ settings: inLanguage('en'), problems: [] }));
    expect(store.getState().settings?.appearance.language).toBe('zh');
    await core.reply('settings', successReply({ settings: inLanguage('zh'), problems: [] }));
    expect(store.getState().settings?.appearance.language).toBe('zh');
    expect(core.asked('settings')).toEqual([]);
  });

  it('is asked for until nothing was told meanwhile, and of other things anything may be told', async () => {
    const core = slowCore();
    const reply = retryStaleReplies(core.bridge).request('settings', undefined);
    for (const made of [1, 2, 3]) {
      core.notice(told('zh'));
      await core.reply('settings', successReply(made));
    }
    core.notice({ name: 'voicesChanged', payload: [] });
    await core.reply('settings', successReply(4));
    expect(await reply).toEqual(successReply(4));
  });

  it('is not asked for again where it cannot be had', async () => {
    const core = slowCore();
    const reply = retryStaleReplies(core.bridge).request('talk', undefined);
    core.notice({ name: 'floor', payload: 'nobody' });
    await core.reply('talk', failure('noTalk'));
    expect(await reply).toEqual(failure('noTalk'));
  });

  it('leaves what is done to be done once', async () => {
    const core = slowCore();
    const reply = retryStaleReplies(core.bridge).request('changeSettings', {});
    core.notice(told('zh'));
    await core.reply('changeSettings', successReply(inLanguage('zh')));
    expect((await reply).ok).toBe(true);
    expect(core.asked('changeSettings')).toEqual([]);
  });
});

describe('a setting that is changed', () => {
  it('is what was told last, also where its own reply is older', async () => {
    const core = slowCore();
    const { store, actions } = createAppContext({
      bridge: core.bridge,
      capture: fakeCapture().capture,
      now: () => 0,
    });
    const chosen = actions.setup.choose('appearance.language', { appearance: { language: 'en' } });
    core.notice(told('en'));
    core.notice(told('zh'));
    await core.reply('changeSettings', successReply(inLanguage('en')));
    await chosen;
    expect(store.getState().settings?.appearance.language).toBe('zh');
  });
});
