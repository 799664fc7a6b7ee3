import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { refusingServer } from '../../../../renderer/talk/restart-actions.ts';
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

function stage(options: Parameters<typeof fakeBridge>[0] = {}) {
  const bridge = fakeBridge(options);
  const app = createAppContext({
    bridge: bridge.bridge,
    capture: fakeCapture().capture,
    now: () => 0,
  });
  app.store.setState({ settings, facts: { mode: 'audio', endpoint: hosted?.name ?? '' } });
  return { ...bridge, ...app };
}

describe('a field that the server does not take', () => {
  it('is left out for this server, which keeps all else, and the talk begins anew', async () => {
    const { actions, asked } = stage();
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

  it('is left out once, however often it is clicked, and begins nothing where that is refused', async () => {
    const { actions, names } = stage({ refused: ['putEndpoint'] });
    await Promise.all([actions.leaveOut('beam_width'), actions.leaveOut('beam_width')]);
    expect(names().filter((name) => name === 'putEndpoint')).toHaveLength(1);
    expect(names()).not.toContain('startTalk');
  });

  it('is left out also where the talk had ended before its start was answered', async () => {
    let answer = (): void => undefined;
    const startTalk = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { actions, names, notice } = stage({ until: { startTalk } });
    const first = actions.start('audio');
    const error = appError('fieldRefused', { field: 'beam_width', reason: 'backend_error' });
    const ending = { error, by: 'server', orderly: false } as const;
    const state = { phase: 'ended', ending, offer: 'checkEndpoint' } as const;
    notice({ name: 'talkState', payload: state });
    const second = actions.leaveOut('beam_width');
    const third = actions.leaveOut('beam_width');
    await Promise.resolve();
    answer();
    await Promise.all([first, second, third]);
    expect(names().filter((name) => name === 'startTalk')).toHaveLength(2);
  });

  it('is not offered for the demonstration, nor where another server is chosen by now', () => {
    const of = (chosen: string, endpoint: string) =>
      refusingServer({
        settings: { ...settings, endpoints: { ...endpoints, chosen } },
        facts: { mode: 'audio', endpoint },
      })?.id;
    expect(of('hosted', 'MiniCPM-o, hosted')).toBe('hosted');
    expect(of('home', 'MiniCPM-o, hosted')).toBeUndefined();
    expect(of('embedded', 'Demonstration')).toBeUndefined();
  });
});
