import type { SentHistory } from '../../../../shared/chat/chat-patch.ts';
import type { Part } from '../../../../shared/chat/chat-thread.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import {
  chatExports,
  chatTranscript,
  type FindMediaFile,
} from '../../../recordings/export/chat-transcript.ts';
import { failureCode } from '../commands/run-session.ts';
import { exitCode, type ExitCode } from '../exit-code.ts';
import {
  type ConversationCommandName,
  readTyped,
  commandForms,
} from '../options/chat-command-options.ts';
import { sessionMessage } from '../views/session-texts.ts';
import { type AttachedFiles, expandTilde, parseTypedPath } from './attached-files.ts';
import type { AnswerResult, AnswerView, TerminalChat } from './terminal-chat.ts';

/** Whether the conversation continues; `stopped`: the user stopped the answer. */
export type TurnEnd = 'on' | 'stopped' | 'over';

interface Deps {
  readonly chat: TerminalChat;
  readonly view: AnswerView;
  readonly attached: AttachedFiles;
  readonly files: Pick<Files, 'openToRead' | 'create'>;
  readonly words: () => Promise<CoreMessages['transcript']>;
  readonly say: (sentence: string) => void;
  /** Only users drop files: text from a script opens none. */
  readonly typed: boolean;
}

/** Runs each message and command, and keeps the exit code. */
export class WrittenTurns {
  readonly #deps: Deps;
  /** Files that this conversation wrote, which it overwrites without asking. */
  readonly #saved = new Set<string>();
  #code: ExitCode = exitCode.done;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** The code of the first failure, for scripts. */
  get exitCode(): ExitCode {
    return this.#code;
  }

  readonly take = (text: string): Promise<TurnEnd> => {
    const typed = readTyped(text);
    // A dropped path also begins with a slash.
    if (typed.kind === 'message') return this.#send(typed.text);
    if (typed.kind === 'command') return this.#run(typed.name, typed.value);
    return Promise.resolve(this.#refuse(typed.sentence));
  };

  async #run(name: ConversationCommandName, value: string): Promise<TurnEnd> {
    const { chat, say } = this.#deps;
    const last = chat.conversation.turns.at(-1);
    switch (name) {
      case 'image':
      case 'audio': {
        const wrong = await this.#deps.attached.add(value, name);
        if (wrong !== undefined) return this.#refuse(wrong);
        say('It is sent with the next message; Enter alone sends it now.');
        return 'on';
      }
      case 'save':
        return this.#save(expandTilde(parseTypedPath(value)));
      case 'new':
        chat.begin();
        this.#deps.attached.forget();
        say('A new conversation begins.');
        return 'on';
      case 'retry':
        if (last === undefined) return this.#refuse('You have not asked anything yet.');
        return this.#answer(await chat.retry());
      case 'go-on':
        if (last?.role !== 'assistant' || last.text === '')
          return this.#refuse('There is no answer to continue.');
        return this.#answer(await chat.goOn());
      case 'help':
        say(conversationHelp());
        return 'on';
      case 'quit':
        return 'over';
    }
  }

  async #send(message: string): Promise<TurnEnd> {
    const { chat, attached, typed } = this.#deps;
    // Files are dropped into a single line; several lines are pasted text.
    const byHand = typed && !message.includes('\n');
    const dropped = byHand ? await attached.addDropped(message) : { text: message };
    if ('wrong' in dropped) return this.#refuse(dropped.wrong);
    const { text } = dropped;
    // An empty line sends nothing, and files alone wait for a question.
    if (text.trim() === '' && (message.trim() !== '' || !attached.hasWaiting)) return 'on';
    const media = attached.take();
    const parts: readonly Part[] = [...media, ...(text.trim() === '' ? [] : [textPart(text)])];
    const answered = await chat.send(parts);
    if (answered.kind === 'refused') attached.putBack(media);
    return this.#answer(answered);
  }

  #answer(answered: AnswerResult): TurnEnd {
    const { say } = this.#deps;
    switch (answered.kind) {
      case 'done':
        if (answered.cutShort) say('The answer reached its length limit; /go-on continues it.');
        return 'on';
      case 'stopped':
        say('Stopped.');
        return 'stopped';
      case 'refused':
        return this.#refuse(sessionMessage(answered.error));
      case 'failed': {
        say(sessionMessage(answered.error));
        const code = failureCode(answered.error);
        this.#fail(code);
        // Further messages of a script would fail the same way.
        return code === exitCode.outOfReach && !this.#deps.typed ? 'over' : 'on';
      }
    }
  }

  /** Writes the conversation to a file, in the format of its extension. */
  async #save(path: string): Promise<TurnEnd> {
    const { chat, attached, files, words, say } = this.#deps;
    const ending = /\.(?<ending>[a-z]+)$/iu.exec(path)?.groups?.['ending']?.toLowerCase();
    const form = chatExports.find((each) => each === ending);
    if (form === undefined)
      return this.#refuse(`/save takes a file that ends in .md, .txt or .json, not "${path}".`);
    if (chat.conversation.turns.length === 0)
      return this.#refuse('The conversation is still empty.');
    if (!this.#saved.has(path) && isTaken(files, path))
      return this.#refuse(`${path} already exists; choose another name.`);
    const file = await files.create(path);
    if (!file.ok) return this.#refuse(englishErrorMessage(file.error));
    const fileOf: FindMediaFile = (part) => {
      const from = attached.pathOf(part);
      return from !== undefined && form === 'md' ? encodeURI(from) : from;
    };
    file.value.append(chatTranscript(chat.conversation, form, await words(), isoTime, fileOf));
    const written = await file.value.close();
    if (!written.ok) return this.#refuse(englishErrorMessage(written.error));
    this.#saved.add(path);
    say(`Saved as ${path}.`);
    return 'on';
  }

  #refuse(sentence: string): TurnEnd {
    this.#deps.view.refused(sentence);
    this.#fail(exitCode.wrongUsage);
    return 'on';
  }

  #fail(code: ExitCode): void {
    if (this.#code === exitCode.done) this.#code = code;
  }
}

function textPart(text: string): Part {
  return { type: 'text', text };
}

function conversationHelp(): string {
  const width = Math.max(...commandForms.map(([form]) => form.length)) + 2;
  return [
    ...commandForms.map(([form, about]) => `  ${form.padEnd(width)}${about}`),
    '  A line that ends in \\ continues on the next line. Ctrl-C stops an answer.',
  ].join('\n');
}

/** Sentences about the part of the conversation that was left out. */
export function leftOutSentences({ leftOut, shortened }: SentHistory): readonly string[] {
  const older =
    leftOut === 0
      ? []
      : [`The model’s memory holds only the newest messages; ${leftOut} older ones are left out.`];
  if (shortened === undefined) return older;
  const { characters, first, last } = shortened;
  return [
    ...older,
    `The message is too long (${characters} characters): only the first ${first} and the last ${last} were sent.`,
  ];
}

/** Any existing entry, even a link, counts as taken. */
function isTaken(files: Pick<Files, 'openToRead'>, path: string): boolean {
  const found = files.openToRead(path);
  if (found.ok) found.value.close();
  return found.ok || found.error.code !== 'fileGone';
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
