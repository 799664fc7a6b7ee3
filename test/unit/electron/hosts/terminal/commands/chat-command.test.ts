import { describe, expect, it } from 'vitest';
import { chatCommand } from '../../../../../../electron/hosts/terminal/commands/chat-command.ts';
import type { Session, SessionOptions } from '../../../../../../electron/talk/session/session.ts';
import type { OpenSessionDeps } from '../../../../../../electron/talk/sessions.ts';
import { encodeWav } from '../../../../../../shared/audio/wav.ts';
import { sessionError } from '../../../../../../shared/errors/session-reasons.ts';
import { englishTranscript } from '../../../../../../shared/i18n/en/core-messages.ts';
import { englishCarryOver } from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakePictures } from '../../../../../fakes/fake-pictures.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { PlayedSession } from '../../../talk/stage.ts';

const sound = encodeWav(new Float32Array(8000).fill(0.5), {
  rate: 16_000,
  channels: 1,
  coding: 'pcm16',
});

/** `parley chat` with a server that answers "Yes." to every question. */
async function chat(messages: string, ...args: readonly string[]) {
  const files = new FakeFiles();
  files.putFolder('f');
  files.put('f/in.wav', sound);
  files.put('f/messages.json', new TextEncoder().encode(messages));
  const asked: Parameters<Session['ask']>[0][] = [];
  const parley = {
    ...namedServers(),
    clock: new FakeClock(),
    random: seeded(1),
    files,
    pictures: fakePictures(),
    carryOverMessages: () => Promise.resolve(englishCarryOver),
    transcriptWords: () => Promise.resolve(englishTranscript),
    openWrittenSession: (how: Omit<SessionOptions, 'mode'>, { emit }: OpenSessionDeps): Session => {
      const session = new PlayedSession({ ...how, mode: 'chat' }, emit);
      return Object.assign(session, {
        ask: (turn: Parameters<Session['ask']>[0]) => {
          asked.push(turn);
          session.enter('connecting', 'configuring', 'live');
          emit({ event: 'done', text: 'Yes.', reason: 'turn_end' });
          const error = sessionError('user_stop');
          session.close({ event: 'closed', error, by: 'client', orderly: true });
        },
      });
    },
  };
  const terminal = { out: () => undefined, err: () => undefined };
  const code = await chatCommand.run(args, terminal, () => parley);
  return { asked, code };
}

const earlier = '[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}]';

describe('parley chat', () => {
  it('sends sounds, earlier messages and the chosen voice', async () => {
    const files = ['--audio', 'f/in.wav', '--messages', 'f/messages.json', '--slices', '4'];
    const spoken = ['--tts', 'f/out.wav', '--tts-voice', 'f/in.wav', '--system', 'Be kind.'];
    const { asked, code } = await chat(earlier, 'What is this?', ...files, ...spoken);
    expect(code).toBe(0);
    const audio = new Float32Array(8000).fill(0.5);
    expect(asked).toMatchObject([
      {
        messages: [
          { role: 'system', content: 'Be kind.' },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hi.' },
          {
            role: 'user',
            content: [
              { type: 'audio', audio },
              { type: 'text', text: 'What is this?' },
            ],
          },
        ],
        maxSlices: 4,
        omni: true,
        speech: { enabled: true, voice: audio },
      },
    ]);
  });

  it.each(['not JSON', '{}', '[{"role": "nobody", "content": "x"}]', '[{"role": "user"}]'])(
    'reports invalid messages in a sentence: %s',
    async (messages) => {
      await expect(chat(messages, 'Hello', '--messages', 'f/messages.json')).rejects.toThrow(
        'f/messages.json: not a list of messages, which looks like [',
      );
    },
  );
});
