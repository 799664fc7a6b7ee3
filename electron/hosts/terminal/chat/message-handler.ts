import type { SentHistory, Part } from '../../../../shared/chat/chat-thread.ts';
import { englishErrorMessage } from '../../../../shared/i18n/en/errors.ts';
import type { CoreMessages } from '../../../../shared/i18n/messages.ts';
import type { Files } from '../../../../shared/ports/files.ts';
import {
  chatExports,
  chatTranscript,
  type FindMediaFile,
} from '../../../recordings/export/chat-transcript.ts';
import { failureCode } from '../commands/run-session.ts';
import { exitCode, type ExitCode } from '../terminal-command.ts';
import {
  type ConversationCommandName,
  readTyped,
  commandForms,
} from '../options/chat-command-options.ts';
import { sessionMessage } from '../views/session-texts.ts';
import { type AttachedFiles, expandTilde, parseTypedPath } from './attached-files.ts';
import type { AnswerResult, AnswerView, TerminalChat } from './terminal-chat.ts';

/** Whether the conversation goes on or is over. After `stopped`, it goes on although the user stopped the answer. */
export type TurnEnd = 'on' | 'stopped' | 'over';

interface Deps {
  readonly chat: TerminalChat;
  readonly view: AnswerView;
  readonly attached: AttachedFiles;
  readonly files: Pick<Files, 'openToRead' | 'create'>;
  readonly words: () => Promise<CoreMessages['transcript']>;
  readonly say: (sentence: string) => void;
  /** Whether a user types. Only then paths in a message attach files; text from a script must open none. */
  readonly isTyped: boolean;
}

/** Runs each message and command, and determines the exit code. */
export class MessageHandler {
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

  readonly handle = (text: string): Promise<TurnEnd> => {
    const input = readTyped(text);
    if (input.kind === 'message') return this.#send(input.text);
    if (input.kind === 'command') return this.#run(input.name, input.value);
    return Promise.resolve(this.#refuse(input.sentence));
  };

  async #run(name: ConversationCommandName, value: string): Promise<TurnEnd> {
    const { chat, say } = this.#deps;
    const last = chat.conversation.turns.at(-1);
    switch (name) {
      case 'image':
      case 'audio': {
        const error = await this.#deps.attached.add(value, name);
        if (error !== undefined) return this.#refuse(error);
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
        return this.#report(await chat.retry());
      case 'go-on':
        if (last?.role !== 'assistant' || last.text === '')
          return this.#refuse('There is no answer to continue.');
        return this.#report(await chat.goOn());
      case 'help':
        say(conversationHelp());
        return 'on';
      case 'quit':
        return 'over';
    }
  }

  async #send(message: string): Promise<TurnEnd> {
    const { chat, attached, isTyped } = this.#deps;
    // A dropped file is in a single line. Several lines are pasted text.
    const canHaveFiles = isTyped && !message.includes('\n');
    const dropped = canHaveFiles ? await attached.addDropped(message) : { text: message };
    if ('error' in dropped) return this.#refuse(dropped.error);
    const { text } = dropped;
    // Files that were dropped without a text wait for the next line. An empty line sends the waiting files, or nothing
    // if there are none.
    if (text.trim() === '' && (message.trim() !== '' || !attached.hasPending)) return 'on';
    const media = attached.take();
    const words: readonly Part[] = text.trim() === '' ? [] : [{ type: 'text', text }];
    const result = await chat.send([...media, ...words]);
    if (result.kind === 'refused') attached.putBack(media);
    return this.#report(result);
  }

  #report(result: AnswerResult): TurnEnd {
    const { say } = this.#deps;
    switch (result.kind) {
      case 'done':
        if (result.cutShort) say('The answer reached its length limit; /go-on continues it.');
        return 'on';
      case 'stopped':
        say('Stopped.');
        return 'stopped';
      case 'refused':
        return this.#refuse(sessionMessage(result.error));
      case 'failed': {
        say(sessionMessage(result.error));
        const code = failureCode(result.error);
        this.#fail(code);
        // Further messages of a script would fail the same way.
        return code === exitCode.outOfReach && !this.#deps.isTyped ? 'over' : 'on';
      }
    }
  }

  /** Writes the conversation to a file, in the format of its extension. */
  async #save(path: string): Promise<TurnEnd> {
    const { chat, attached, files, words, say } = this.#deps;
    const extension = /\.(?<extension>[a-z]+)$/iu.exec(path)?.groups?.['extension']?.toLowerCase();
    const format = chatExports.find((each) => each === extension);
    if (format === undefined)
      return this.#refuse(`/save takes a file that ends in .md, .txt or .json, not "${path}".`);
    if (chat.conversation.turns.length === 0)
      return this.#refuse('The conversation is still empty.');
    if (!this.#saved.has(path) && exists(files, path))
      return this.#refuse(`${path} already exists; choose another name.`);
    const file = await files.create(path);
    if (!file.ok) return this.#refuse(englishErrorMessage(file.error));
    const fileOf: FindMediaFile = (part) => {
      const path = attached.pathOf(part);
      return path !== undefined && format === 'md' ? encodeURI(path) : path;
    };
    file.value.append(chatTranscript(chat.conversation, format, await words(), isoTime, fileOf));
    const written = await file.value.close();
    if (!written.ok) return this.#refuse(englishErrorMessage(written.error));
    this.#saved.add(path);
    say(`Saved as ${path}.`);
    return 'on';
  }

  #refuse(sentence: string): TurnEnd {
    this.#deps.view.refuse(sentence);
    this.#fail(exitCode.wrongUsage);
    return 'on';
  }

  #fail(code: ExitCode): void {
    if (this.#code === exitCode.done) this.#code = code;
  }
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

/** Whether a path exists. An entry that cannot be opened, such as a broken link, exists, too. */
function exists(files: Pick<Files, 'openToRead'>, path: string): boolean {
  const opened = files.openToRead(path);
  if (opened.ok) opened.value.close();
  return opened.ok || opened.error.code !== 'fileGone';
}

const isoTime = (ms: number): string => new Date(ms).toISOString();
