import { describe, expect, it } from 'vitest';
import { Scene } from './session-scene.ts';

const tools = [{ type: 'function', function: { name: 'add' } }];
const ask = (call: string) =>
  ({ kind: 'toolCall', call, ask: { form: 'done', name: 'add', args: { a: 1 } } }) as const;

/** A live session that has tools for its server. */
function openScene(announced: 'admitted' | 'created' | 'before' | 'never', part = {}): Scene {
  const scene = new Scene({ settings: { tools }, takesTools: announced === 'before', ...part });
  const says = (when: typeof announced) => announced === when && ({ takesTools: true } as const);
  return scene
    .open()
    .say(
      { kind: 'admitted', ...says('admitted') },
      { kind: 'created', sessionId: 's', ...says('created') },
    );
}

const configured = (scene: Scene) =>
  scene.asked.flatMap(({ ask: sent }) => (sent.kind === 'configure' ? [sent.settings] : []));
const results = (scene: Scene) =>
  scene.asked.flatMap(({ ask: sent }) => (sent.kind === 'toolResult' ? [sent] : []));

describe('a session with a server that takes tools', () => {
  it.each(['admitted', 'before'] as const)('sends them if that is known: %s', (announced) => {
    const scene = openScene(announced);
    expect(configured(scene)).toEqual([{ tools }]);
    expect(scene.emittedOf('session')).toMatchObject([{ takesTools: true, callsTools: true }]);
  });

  it('tells a later session of it if the server says so after the configuration', () => {
    const scene = openScene('created');
    expect(configured(scene)).toEqual([{}]);
    const [session] = scene.emittedOf('session');
    expect(session).toMatchObject({ takesTools: true });
    expect(session).not.toHaveProperty('callsTools');
  });

  it.each([
    ['the server never announces it', 'never', {}],
    ['the session writes', 'before', { mode: 'chat' }],
    ['the dialect is legacy', 'before', { dialect: 'legacy' }],
    ['there are none', 'before', { settings: { tools: [] } }],
  ] as const)('sends none if %s, and makes no call', (_why, announced, part) => {
    const scene = openScene(announced, part).say(ask('c1'));
    for (const settings of configured(scene)) expect(settings).not.toHaveProperty('tools');
    expect(scene.emittedOf('toolCall')).toEqual([]);
  });

  it('passes a call on once, and answers it once, in the form in which it came', () => {
    const scene = openScene('admitted').say(ask('c1'), ask('c1'));
    expect(scene.emittedOf('toolCall')).toMatchObject([{ call: 'c1', ask: { name: 'add' } }]);
    scene.session.answerCall('c1', 'It is 3.');
    scene.session.answerCall('c1', 'It is 4.');
    scene.session.answerCall('c2', 'It is 5.');
    expect(results(scene)).toEqual([
      { kind: 'toolResult', call: 'c1', form: 'done', text: 'It is 3.' },
    ]);
  });

  it('answers no call that its model gave up', () => {
    const scene = openScene('admitted').say(ask('c1'), { kind: 'toolCall', call: 'c1' });
    scene.say({ kind: 'toolCall', call: 'c9' });
    expect(scene.emittedOf('toolCall').map((event) => event.ask !== undefined)).toEqual([
      true,
      false,
    ]);
    scene.session.answerCall('c1', 'It is 3.');
    expect(results(scene)).toEqual([]);
  });

  it('holds eight open calls, and ends a server that floods it with calls', () => {
    const scene = openScene('admitted');
    for (let count = 0; count < 500; count += 1) scene.say(ask(`c${count}`));
    expect(scene.emittedOf('toolCall')).toHaveLength(8);
    expect(scene.session.phase).toBe('live');
    for (let count = 0; count < 200; count += 1) scene.say(ask(`d${count}`));
    expect(scene.session.phase).toBe('closed');
  });

  it('counts no call as the answer to a chunk', () => {
    const scene = openScene('admitted').speak(1).say(ask('c1'));
    expect(scene.emittedOf('listen')).toEqual([]);
    scene.say({ kind: 'listen', wire: 'unified' });
    expect(scene.emittedOf('listen')).toHaveLength(1);
  });
});
