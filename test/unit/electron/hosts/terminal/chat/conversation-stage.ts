import { chatCommand } from '../../../../../../electron/hosts/terminal/commands/chat-command.ts';
import type { InputLine, LineInput } from '../../../../../../electron/hosts/terminal/line-input.ts';
import type { Session, SessionOptions } from '../../../../../../electron/talk/session/session.ts';
import type { OpenSessionDeps } from '../../../../../../electron/talk/sessions.ts';
import { encodeWav } from '../../../../../../shared/audio/wav.ts';
import type { AppError } from '../../../../../../shared/errors/app-error.ts';
import { sessionError } from '../../../../../../shared/errors/session-reasons.ts';
import { englishTranscript } from '../../../../../../shared/i18n/en/core-messages.ts';
import { englishCarryOver } from '../../../../../../shared/i18n/en/prompts.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { fakeJpeg, fakePictures } from '../../../../../fakes/fake-pictures.ts';
import { namedServers } from '../../../../../fakes/named-servers.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { PlayedSession } from '../../../talk/stage.ts';

export type Asked = Parameters<Session['ask']>[0];

/** The server's reaction to a question: an answer, a failure, or silence for an empty answer. */
export type Reply = string | { readonly fails: AppError };

export interface Played {
  readonly lines: readonly (string | InputLine)[];
  readonly args?: readonly string[];
  readonly typed?: boolean;
  readonly reply?: (asked: Asked, count: number) => Reply;
  /** Further files, beside a picture and a sound. */
  readonly files?: Readonly<Record<string, string>>;
}

/** `parley chat` without a text: these lines are typed or piped in, and a played server answers. */
export async function converse({ lines, args = [], typed = true, reply, files = {} }: Played) {
  const kept = new FakeFiles();
  kept.putFolder('/f');
  kept.put('/f/a b.png', fakeJpeg);
  kept.put(
    '/f/in.wav',
    encodeWav(new Float32Array(800).fill(0.5), { rate: 16_000, channels: 1, coding: 'pcm16' }),
  );
  for (const [path, text] of Object.entries(files)) kept.put(path, text);
  const asked: Asked[] = [];
  const written = { out: '', err: '' };
  const prompts: string[] = [];
  let interrupted: () => void = () => undefined;
  const openWrittenSession = (
    how: Omit<SessionOptions, 'mode'>,
    { emit }: OpenSessionDeps,
  ): Session => {
    const session = new PlayedSession({ ...how, mode: 'chat' }, emit);
    const close = (error: AppError, orderly: boolean): void => {
      if (session.phase === 'closed') return;
      session.close({ event: 'closed', error, by: orderly ? 'client' : 'network', orderly });
    };
    return Object.assign(session, {
      ask: (turn: Asked) => {
        asked.push(turn);
        session.enter('live');
        const said = reply?.(turn, asked.length) ?? `Answer ${asked.length}.`;
        if (said === '') queueMicrotask(interrupted);
        else if (typeof said === 'object') close(said.fails, false);
        else {
          emit({ event: 'text', turn: asked.length, text: said });
          emit({ event: 'done', text: said, reason: 'turn_end' });
        }
      },
      end: () => {
        close(sessionError('user_stop'), true);
      },
    });
  };
  const code = await chatCommand.run(
    args,
    {
      out: (text) => void (written.out += text),
      err: (text) => void (written.err += text),
      openLines: (onCtrlC) => {
        interrupted = onCtrlC;
        return new ScriptedLines(lines, typed, prompts);
      },
    },
    () => ({
      ...namedServers(),
      clock: new FakeClock(),
      random: seeded(1),
      files: kept,
      pictures: fakePictures(),
      openWrittenSession,
      carryOverMessages: () => Promise.resolve(englishCarryOver),
      transcriptWords: () => Promise.resolve(englishTranscript),
    }),
  );
  return { code, asked, prompts, files: kept, ...written };
}

class ScriptedLines implements LineInput {
  readonly typed: boolean;
  readonly #lines: (string | InputLine)[];
  readonly #prompts: string[];

  constructor(lines: readonly (string | InputLine)[], typed: boolean, prompts: string[]) {
    this.#lines = [...lines];
    this.typed = typed;
    this.#prompts = prompts;
  }

  readonly next = (prompt: string): Promise<InputLine> => {
    this.#prompts.push(prompt);
    const line = this.#lines.shift() ?? { kind: 'ended' };
    return Promise.resolve(
      typeof line === 'string' ? { kind: 'line', text: line, continues: false } : line,
    );
  };

  readonly close = (): void => undefined;
}
