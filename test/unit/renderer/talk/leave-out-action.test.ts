import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { refusingServer } from '../../../../renderer/talk/talk-actions.ts';
import { appError } from '../../../../shared/errors/app-error.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { sampleSettings, severalServers } from '../../../gallery/sample-settings.ts';

const hosted = severalServers.list.find(({ id }) => id === 'hosted');
const others = severalServers.list.filter((each) => each !== hosted);
const traits = { timeLimit: 90, config: { tone: 'calm', beam_width: 4 } };
const endpoints = {
  chosen: 'hosted',
  list: hosted === undefined ? others : [...others, { ...hosted, traits }],
};
const settings = { ...sampleSettings, endpoints };

function createApp(options: Parameters<typeof fakeBridge>[0] = {}) {
  const bridge = fakeBridge(options);
  const app = createAppContext({
    bridge: bridge.bridge,
    capture: fakeCapture().capture,
    now: () => 0,
  });
  app.store.setState({ settings, facts: { mode: 'audio', endpoint: hosted?.name ?? '' } });
  return { ...bridge, ...app };
}

describe('a config field that the server refused', () => {
  it('is left out for this server before the talk restarts', async () => {
    const { actions, asked } = createApp();
    asked.length = 0;
    await actions.leaveOut('beam_width');
    expect(asked.map(({ name }) => name)).toEqual(['putEndpoint', 'startTalk']);
    const { hasToken: _hasToken, ...kept } = hosted ?? {};
    expect(asked[0]?.input).toEqual({
      ...kept,
      traits: { timeLimit: 90, config: { tone: 'calm', beam_width: null } },
    });
    expect(asked[1]?.input).toEqual({ mode: 'audio' });
  });

  it('is left out once despite several clicks', async () => {
    const { actions, names } = createApp({ refused: ['putEndpoint'] });
    await Promise.all([actions.leaveOut('beam_width'), actions.leaveOut('beam_width')]);
    expect(names().filter((name) => name === 'putEndpoint')).toHaveLength(1);
    expect(names()).not.toContain('startTalk');
  });

  it('is left out even if the talk ended before the reply to its start', async () => {
    let resolveStart = (): void => undefined;
    const startTalk = new Promise<void>((resolve) => {
      resolveStart = resolve;
    });
    const { actions, names, notice } = createApp({ until: { startTalk } });
    const first = actions.start('audio');
    const error = appError('fieldRefused', { field: 'beam_width', reason: 'backend_error' });
    const ending = { error, by: 'server', orderly: false } as const;
    const state = { phase: 'ended', ending, offer: 'checkEndpoint' } as const;
    notice({ name: 'talkState', payload: state });
    const second = actions.leaveOut('beam_width');
    const third = actions.leaveOut('beam_width');
    await Promise.resolve();
    resolveStart();
    await Promise.all([first, second, third]);
    expect(names().filter((name) => name === 'startTalk')).toHaveLength(2);
  });

  it('is not offered for the demonstration or after another server was chosen', () => {
    const serverFor = (chosen: string, endpoint: string) =>
      refusingServer({
        settings: { ...settings, endpoints: { ...endpoints, chosen } },
        facts: { mode: 'audio', endpoint },
      })?.id;
    expect(serverFor('hosted', 'MiniCPM-o, hosted')).toBe('hosted');
    expect(serverFor('home', 'MiniCPM-o, hosted')).toBeUndefined();
    expect(serverFor('embedded', 'Demonstration')).toBeUndefined();
  });
});
