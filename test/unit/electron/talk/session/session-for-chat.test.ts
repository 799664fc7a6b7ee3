import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../../../electron/talk/session/session-event.ts';
import { SessionForChat } from '../../../../../electron/talk/session/session-for-chat.ts';
import type { SessionOptions } from '../../../../../electron/talk/session/session.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { PlayedSession } from '../stage.ts';

const question = { messages: [{ role: 'user', content: 'Hello' }] } as const;
const noChat = {
  event: 'closed',
  error: appError('noChatInLegacy'),
  by: 'server',
  orderly: false,
} as const;

type Known = Pick<SessionOptions, 'dialect' | 'rememberedDialect'>;

/** A SessionForChat whose sessions the test plays. */
function asking(known: Partial<Known> = {}) {
  const emitted: SessionEvent[] = [];
  const opened: { way: string; session: PlayedSession; asked: object[] }[] = [];
  const session = new SessionForChat(
    { dialect: 'auto', ...known },
    {
      emit: (event) => void emitted.push(event),
      open: (way, emit) => {
        const options = { mode: 'chat', settings: {}, dialect: 'auto', chunkMs: 1000 } as const;
        const asked: object[] = [];
        const played = Object.assign(new PlayedSession(options, emit), {
          ask: (turn: object) => void asked.push(turn),
          end: () => {
            played.close({ ...noChat, error: appError('answerDone'), by: 'client', orderly: true });
          },
        });
        opened.push({ way, session: played, asked });
        return played;
      },
    },
  );
  const last = () => {
    const way = opened.at(-1);
    if (way === undefined) throw new Error('Nothing was opened.');
    return way;
  };
  return {
    session,
    emitted,
    last,
    ways: () => opened.map(({ way }) => way),
    names: () => emitted.map((event) => (event.event === 'state' ? event.state : event.event)),
  };
}

describe('the method for a written conversation', () => {
  it.each([
    [{ dialect: 'legacy' }, ['olderPath']],
    [{ dialect: 'unified' }, ['chatMode']],
    [{}, ['chatModeBriefly', 'olderPath', 'chatMode']],
    [{ rememberedDialect: 'unified' }, ['chatMode']],
    [{ rememberedDialect: 'legacy' }, ['olderPath', 'chatModeBriefly']],
  ] as const)('depends on what is known of the server: %j', (known, ways) => {
    const asked = asking(known);
    for (const _ of ways) asked.last().session.close(noChat);
    expect(asked.ways()).toEqual(ways);
    expect(asked.names()).toEqual(['closed', 'closed']);
    expect(asked.session.phase).toBe('closed');
  });

  it('changes silently if the first one has no chat, with the same questions', () => {
    const { session, emitted, last, names } = asking();
    session.ask(question);
    const error = { event: 'error', error: noChat.error, fatal: true } as const;
    last().session.enter('connecting', 'configuring', 'closing').emit(error);
    expect(session.phase).toBe('connecting');
    last().session.close(noChat);
    expect(last()).toMatchObject({ way: 'olderPath', asked: [question] });
    last()
      .session.enter('connecting', 'live')
      .emit({ event: 'done', text: 'So', reason: 'turn_end' });
    expect(names()).toEqual(['connecting', 'configuring', 'connecting', 'live', 'done']);
    expect(emitted.at(-1)).toMatchObject({ text: 'So' });
    session.ask(question);
    expect(last().asked).toHaveLength(2);
  });

  it('stays once it works, and after any other end', () => {
    const begun = asking();
    begun.last().session.enter('live').close(noChat);
    expect(begun.ways()).toEqual(['chatModeBriefly']);
    const refused = asking();
    refused.last().session.close({ ...noChat, error: appError('queueFull') });
    expect(refused.ways()).toEqual(['chatModeBriefly']);
    expect(refused.emitted.at(-1)).toMatchObject({ error: { code: 'queueFull' } });
  });

  it('is reported with all events when the last one fails', () => {
    const { last, names } = asking({ dialect: 'unified' });
    const error = { event: 'error', error: noChat.error, fatal: true } as const;
    last().session.enter('closing').emit(error);
    last().session.close(noChat);
    expect(names()).toEqual(['closing', 'error', 'closed', 'closed']);
  });

  it('is not changed after the user ended the session', () => {
    const { session, ways, names } = asking();
    session.ask(question);
    session.end();
    expect(ways()).toEqual(['chatModeBriefly']);
    expect(names()).toEqual(['closed', 'closed']);
    const late = asking();
    Object.assign(late.last().session, { end: () => undefined });
    late.session.end();
    late.last().session.close(noChat);
    expect(late.ways()).toEqual(['chatModeBriefly']);
    expect(late.session.phase).toBe('closed');
  });
});
