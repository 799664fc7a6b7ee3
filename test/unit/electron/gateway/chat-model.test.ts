import { describe, expect, it } from 'vitest';
import { flushPromises } from '../../../fakes/promises.ts';
import type { ChatMessage, ChatTurnEvent } from '../../../../shared/protocol/realtime-api.ts';
import { fakeJpeg } from '../../../fakes/fake-pictures.ts';
import {
  setGatewayScene,
  silence,
  type GatewayScene,
  type GatewayClient,
} from './gateway-client.ts';

type Turn = Partial<Omit<ChatTurnEvent, 'kind' | 'messages'>>;

const says = (content: ChatMessage['content']): readonly ChatMessage[] => [
  { role: 'user', content },
];

async function emit(
  { clock }: GatewayScene,
  client: GatewayClient,
  messages: readonly ChatMessage[],
  turn: Turn = {},
) {
  client.ask({ kind: 'chat', messages, ...turn });
  for (let nr = 0; nr < 60; nr += 1) {
    await flushPromises();
    clock.advance(50);
  }
  return client.news();
}

async function reply(content: ChatMessage['content'], turn: Turn = {}): Promise<string> {
  const scene = setGatewayScene();
  const client = scene.goLive('chat');
  await emit(scene, client, says(content), turn);
  return client.last('done')?.text ?? 'no reply';
}

describe('a chat with the demonstration', () => {
  it.each([
    ['Please reply with exactly: Straße 7, ok?', /^Straße 7, ok\?$/],
    ['Hi there!', /^Hello, I am the demonstration\.$/],
    ['What is your name?', /demonstration/],
    ['Can you help me?', /demonstration[\s\S]*Reply with exactly/],
    ['Why is the sky blue?', /demonstration.*Connect Parley/],
    ['Can you write some code?', /```js\n[\s\S]+\n```\n[\s\S]*\| --- \| --- \|/u],
    ['What did I say earlier?', /not said anything/],
  ])('answers "%s" with %s', async (question, answer) => {
    expect(await reply(question)).toMatch(answer);
  });

  it('shortens lines to their first sentences, and leaves out the oldest that do not fit', async () => {
    const lines = [
      '- Ada has a cat. It is grey.',
      '- Tea is at four.',
      '- Tea is at four.',
      '- Bo goes',
    ];
    const ask = (most: string) => reply(`Put this into ${most}:\n\n${lines.join('\n')}`);
    expect(await ask('at most 120 words')).toBe('Ada has a cat. Tea is at four. Bo goes');
    expect(await ask('at most 6 words')).toBe('Tea is at four. Bo goes');
    expect(await ask('at most 1 words')).toMatch(/demonstration/u);
    expect(await ask('verse')).toMatch(/demonstration/u);
    expect(await reply('概括成最多 9 个字：\n- 阿达有一只猫。是灰色的。\n- 四点喝茶。')).toBe(
      '四点喝茶。',
    );
  });

  it('quotes the earlier message', async () => {
    const scene = setGatewayScene();
    const client = scene.goLive('chat');
    await emit(scene, client, [
      { role: 'user', content: 'My cat is called Ada.' },
      { role: 'assistant', content: 'I see.' },
      { role: 'user', content: 'What did I say?' },
    ]);
    expect(client.last('done')?.text).toMatch(/"My cat is called Ada\."/);
  });

  it('describes pictures and sounds that are attached', async () => {
    const picture = { type: 'image', image: fakeJpeg } as const;
    const sound = { type: 'audio', audio: silence(1500) } as const;
    const text = await reply([{ type: 'text', text: 'What is this?' }, picture]);
    expect(text).toMatch(/64 by 48 pixels/);
    expect(await reply([picture, picture])).toMatch(/There are 2 pictures/);
    expect(await reply([sound])).toMatch(/1\.5 seconds of sound/);
    const unclear = { type: 'text', text: 'Write it down, or [unclear].' } as const;
    expect(await reply([unclear, sound])).toMatch(/^\[unclear\].*only a demonstration/);
  });

  it('streams in several deltas of one response, or answers in one piece', async () => {
    const scene = setGatewayScene();
    const client = scene.goLive('chat');
    const streamed = await emit(scene, client, says('Hello'), { inputId: 'a' });
    expect(streamed.map(({ kind }) => kind)).toEqual(['output', 'output', 'done']);
    const done = client.last('done');
    expect(done).toMatchObject({ reason: 'turn_end', inputId: 'a' });
    expect(done?.metrics?.values['n_tokens']).toBe(5);
    const outputs = client.all('output');
    expect(outputs.map(({ text }) => text).join('')).toBe(done?.text);
    expect(new Set([...outputs, done].map((event) => event?.responseId)).size).toBe(1);
    expect(new Set(client.frames.map(({ at }) => at)).size).toBeGreaterThan(3);
    const whole = await emit(scene, client, says('Hello'), { streaming: false });
    expect(whole.map(({ kind }) => kind)).toEqual(['done']);
    expect(client.last('done')?.responseId).not.toBe(done?.responseId);
  });

  it('stops at max_new_tokens with the reason length', async () => {
    const scene = setGatewayScene();
    const client = scene.goLive('chat');
    await emit(scene, client, says('Hello'), { maxNewTokens: 3 });
    expect(client.last('done')).toMatchObject({ text: 'Hello, I am', reason: 'length' });
    await emit(scene, client, says('Hello'), { maxNewTokens: 3, speech: { enabled: true } });
    const audio = client.all('output').flatMap(({ audio }) => audio ?? []);
    // Three words of 0.4 s, and no sound for what was not said.
    expect(audio.reduce((sum, { length }) => sum + length, 0)).toBe(28_800);
  });

  it.each([
    ['documented', ['done']],
    ['deployed', ['output', 'done']],
  ] as const)('gives the whole sound at the end without streaming: %s', async (profile, kinds) => {
    const scene = setGatewayScene({ profile });
    const client = scene.goLive('chat');
    const turn = { streaming: false, speech: { enabled: true } };
    const news = await emit(scene, client, says('Hello'), turn);
    expect(news.map(({ kind }) => kind)).toEqual(kinds);
    expect(client.last('done')?.audio).toHaveLength(48_000);
    for (const { audio, text } of client.all('output')) {
      expect(audio).toHaveLength(48_000);
      expect(text).toBeUndefined();
    }
  });

  it.each([
    ['no messages', [], {}, 'missing_field'],
    ['a limit of nothing', says('x'), { maxNewTokens: 0 }, 'invalid_payload'],
    ['ten slices', says('x'), { maxSlices: 10 }, 'invalid_payload'],
    ['a bad picture', says([{ type: 'image', image: Uint8Array.of(1) }]), {}, 'invalid_payload'],
  ] as const)('refuses %s', (_what, messages, turn, code) => {
    const { goLive } = setGatewayScene({ profile: 'documented' });
    const client = goLive('chat');
    client.ask({ kind: 'chat', messages, ...turn });
    expect(client.last('error')?.code).toBe(code);
    client.ask({ kind: 'append', audio: silence(1000) });
    expect(client.last('error')?.code).toBe('missing_field');
  });

  it('reports its mode', () => {
    expect(setGatewayScene().goLive('chat').last('created')?.runtimeMode).toBe('turn_based');
    expect(setGatewayScene().goLive('video').last('created')?.runtimeMode).toBe('full_duplex');
    expect(setGatewayScene().goLive('chat').last('created')?.sessionId).toMatch(/^sess_/);
    const legacy = setGatewayScene({ dialect: 'legacy' }).goLive('chat');
    expect(legacy.last('created')?.sessionId).toMatch(/^rt_\d{13}$/);
    expect(legacy.last('created')?.runtimeMode).toBe('full_duplex');
  });
});
