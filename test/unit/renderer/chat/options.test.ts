import { describe, expect, it } from 'vitest';
import { typingOf, withSent, withTold } from '../../../../renderer/chat/typing.ts';
import { joinBridge } from '../../../../renderer/store/join-bridge.ts';
import { fakeBridge, fakeEye } from '../../../fakes/fake-bridge.ts';
import { promised } from '../../../fakes/promised.ts';

describe('a field of the options', () => {
  it('keeps what is typed while the core tells what was typed before', () => {
    let typing = withSent({ ...typingOf<number | undefined>(undefined), text: '5' }, 5);
    typing = withSent({ ...typing, text: '51' }, 51);
    typing = withTold({ ...typing, text: '512' }, 5);
    expect(typing).toEqual({ text: '512', seen: 5, sent: [51] });
    expect(withTold(typing, 51)).toEqual({ text: '512', seen: 51, sent: [] });
  });

  it('keeps it also where what came between was never told', () => {
    const typing = withSent(withSent(typingOf(''), 'a'), 'ab');
    expect(withTold({ ...typing, text: 'abc' }, 'ab')).toEqual({
      text: 'abc',
      seen: 'ab',
      sent: [],
    });
  });

  it('shows what was set elsewhere', () => {
    const typing = withSent(typingOf('a'), 'ab');
    expect(withTold(typing, 'reset')).toEqual({ text: 'reset', seen: 'reset', sent: [] });
  });
});

describe('the options', () => {
  it('are all set that were set while the first was still on its way', async () => {
    const first = promised();
    const { bridge, asked } = fakeBridge({ until: { setChatOptions: first.promise } });
    const { actions } = joinBridge({ bridge, eye: fakeEye().eye, now: () => 0 });
    const setting = actions.chat.setOptions({ voice: 'ann' });
    void actions.chat.setOptions({ speech: true });
    void actions.chat.setOptions({ thinking: true });
    first.resolve();
    await setting;
    const inputs = asked.filter(({ name }) => name === 'setChatOptions').map(({ input }) => input);
    expect(inputs).toMatchObject([
      { voice: 'ann', speech: false },
      { voice: 'ann', speech: true, thinking: true },
    ]);
  });
});
