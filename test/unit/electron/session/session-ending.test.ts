import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../electron/session/session-event.ts';
import { admitted, closed, delta, error, queued } from './server-events.ts';
import { chat, Scene } from './session-scene.ts';

describe('ending a session oneself', () => {
  it('says session.close, waits for the answer and closes the line', () => {
    const scene = new Scene().live();
    scene.session.end();
    expect(scene.asked.at(-1)).toMatchObject({ ask: { kind: 'close', reason: 'user_stop' } });
    expect(scene.line.closes).toEqual([]);
    scene.say(closed('stopped'));
    expect(scene.line.closes).toEqual([{ code: 1000, reason: '' }]);
    scene.close(1000);
    expect(scene.toldOf('closed')).toEqual([
      {
        event: 'closed',
        reason: 'user_stop',
        by: 'client',
        message: 'You ended the session.',
        orderly: true,
      },
    ]);
  });

  it('says turn_done in chat', () => {
    const scene = chat().live();
    scene.session.end();
    expect(scene.asked.at(-1)).toMatchObject({ ask: { kind: 'close', reason: 'turn_done' } });
    expect(scene.close(1000).closed).toMatchObject({ reason: 'turn_done', by: 'client' });
  });

  it('does not wait for ever, neither for the word nor for the line', () => {
    const scene = new Scene().live();
    scene.session.end();
    scene.wait(1_999);
    expect(scene.line.closes).toEqual([]);
    scene.wait(1);
    expect(scene.line.closes).toHaveLength(1);
    expect(scene.wait(999).closed).toBeUndefined();
    expect(scene.wait(1).closed).toMatchObject({ by: 'client', orderly: true });
    expect(scene.line.terminated).toBe(true);
  });

  it.each([
    ['connecting', (scene: Scene) => scene],
    ['open and not admitted', (scene: Scene) => scene.open()],
    ['queued', (scene: Scene) => scene.open().say(queued(1))],
  ])('sends nothing while it is %s', (_, come) => {
    const scene = come(new Scene());
    scene.session.end();
    scene.wait(1_000);
    expect(scene.line.sent).toEqual([]);
    expect(scene.toldOf('closed')).toMatchObject([{ by: 'client', orderly: true }]);
    expect(scene.line.state).toBe('ended');
  });

  it('says nothing to a server that has not created the session yet', () => {
    const scene = new Scene().open().say(admitted);
    scene.session.end();
    expect(scene.asks).toEqual(['configure unified 0']);
    expect(scene.wait(1_000).closed).toMatchObject({ by: 'client' });
  });

  it('sends and tells nothing more, whatever happens', () => {
    const scene = new Scene().live();
    scene.session.end();
    const before = scene.asked.length;
    scene.speak(3).say(delta('late', true));
    scene.session.interrupt();
    scene.session.end();
    scene.wait(10_000).say(delta('later', true)).speak(3);
    scene.session.end();
    expect(scene.asked).toHaveLength(before);
    expect(scene.toldOf('text')).toEqual([]);
    expect(scene.toldOf('closed')).toHaveLength(1);
    expect(scene.session.phase).toBe('closed');
  });

  it('is the reason that counts, when the server has another at the same time', () => {
    const scene = new Scene().live();
    scene.session.end();
    expect(scene.say(closed('timeout')).close(1006).closed).toMatchObject({ by: 'client' });
  });
});

describe('an end that the server tells', () => {
  it.each([
    ['timeout', 'audio', '10 minutes', true],
    ['timeout', 'video', '5 minutes', true],
    ['context_full', 'audio', '8192', true],
    ['backend_error', 'audio', 'failed', false],
    ['server_shutdown', 'audio', 'shutting down', false],
    ['error', 'audio', 'could not recover', false],
    ['user_stop', 'audio', 'as if you had asked', false],
    ['stopped', 'audio', 'as if you had asked', false],
    ['client_closed', 'audio', 'as if you had asked', false],
    ['moon_phase', 'audio', '“moon_phase”', false],
  ] as const)('%s in %s says %s', (reason, mode, words, orderly) => {
    const scene = new Scene({ mode }).live().say(closed(reason));
    expect(scene.session.phase).toBe('closing');
    expect(scene.close(1000).closed).toMatchObject({ reason, by: 'server', orderly });
    expect(scene.closed?.message).toContain(words);
  });

  it('passes on what the server diagnosed, in one line of bounded length', () => {
    const scene = new Scene()
      .live()
      .say(closed('backend_error', `bad\n  audio ${'x'.repeat(999)}`));
    const message = scene.close(1000).closed?.message ?? '';
    expect(message).toContain('The server says: bad audio xxx');
    expect(message.length).toBeLessThan(500);
  });

  it.each([
    [1000, '', 'closed', 'server', 'without saying why'],
    [1000, 'bye', 'bye', 'server', 'bye'],
    [1001, '', 'server_shutdown', 'server', 'going away'],
    [1003, '', 'unreadable', 'server', '1003'],
    [1006, '', 'connection_lost', 'network', 'cut'],
    [1008, '', 'policy', 'server', 'token'],
    [1009, '', 'too_large', 'server', 'too large'],
    [1011, 'boom', 'server_error', 'server', 'boom'],
    [1013, 'Queue full', 'queue_full', 'server', 'queue is full'],
    [1013, 'No idle worker available', 'worker_busy', 'server', 'busy'],
    [1013, 'worker connect failed', 'worker_connect_failed', 'server', 'reach'],
    [1013, '', 'service_unavailable', 'server', 'not ready'],
    [4711, '', 'closed_4711', 'server', '4711'],
    [4711, 'odd', 'odd', 'server', '4711'],
  ])('by a close with %s “%s” is %s by %s', (code, said, reason, by, words) => {
    const scene = new Scene().live().close(code, said);
    expect(scene.closed).toMatchObject({ reason, by, orderly: false });
    expect(scene.closed?.message).toContain(words);
  });

  it('is explained by an error just before it, unless the line was cut', () => {
    const explained = new Scene().live().say(error('odd_thing', 'no disk')).close(1011);
    expect(explained.closed).toMatchObject({ reason: 'odd_thing', by: 'server' });
    expect(explained.closed?.message).toContain('no disk');
    const later = new Scene().live().say(error('odd_thing')).wait(6_000).close(1011);
    expect(later.closed).toMatchObject({ reason: 'server_error' });
    const cut = new Scene().live().say(error('odd_thing')).close(1006);
    expect(cut.closed).toMatchObject({ reason: 'connection_lost', by: 'network' });
  });

  it('is not explained by what went wrong before the session was live', () => {
    const scene = new Scene().open().say(queued(1), error('odd_thing')).live().close(1011);
    expect(scene.closed).toMatchObject({ reason: 'server_error' });
  });

  it.each(['not_ready', 'unknown_event', 'missing_field', 'invalid_payload', 'inference_error'])(
    'does not follow from %s',
    (code) => {
      const scene = new Scene().live().say(error(code)).speak(1);
      expect(scene.toldOf('error')).toMatchObject([{ code, fatal: false }]);
      expect(scene.appends).toHaveLength(1);
    },
  );

  it.each([401, 403, 404, 429, 502, 418])('refused with %s names the status', (status) => {
    const scene = new Scene();
    scene.line.end({ kind: 'refused', status, body: '' });
    expect(scene.closed?.message).toContain(`(${status})`);
  });
});

describe('what is done from inside what is told', () => {
  it('waits its turn', () => {
    const scene = chat();
    scene.session.ask({ messages: [] });
    const told: SessionEvent[] = scene.told;
    const push = told.push.bind(told);
    told.push = (...events) => {
      const length = push(...events);
      if (events[0]?.event === 'session') scene.session.end();
      return length;
    };
    scene.live();
    expect(scene.asks).toEqual(['configure unified 0', 'chat unified 0', 'close unified 0']);
    expect(scene.broken).toEqual([]);
    expect(scene.remembered).toEqual(['unified']);
  });
});
