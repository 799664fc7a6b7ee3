import { done, type Outcome } from '../../shared/errors/app-error.ts';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { Notice } from '../../shared/ipc/contract.ts';
import type { MemoryHandlers } from '../../shared/ipc/memory-ipc.ts';
import type { MemorySentence, MemoryView, FoundPassage } from '../../shared/memory/memory-view.ts';
import { type HistoryRef, recordTitle } from '../../shared/recordings/history-item.ts';
import { parseStoredChat } from '../chat/stored-chat.ts';
import { MemorySender } from '../memory/memory-sender.ts';
import { MemoryStore, moveSentence } from '../memory/memory-store.ts';
import { MemorySuggester } from '../memory/memory-suggester.ts';
import { PassageFinder, formatPassages } from '../memory/passage-finder.ts';
import type { SaidText, SuggestionQuestion } from '../memory/suggestion-question.ts';
import { TalkPassages } from '../memory/talk-passages.ts';
import { askOptionalQuestion } from '../talk/transcript-shortener.ts';
import type { Machine } from './machine.ts';
import type { RecordingsComposition } from './recordings-composition.ts';
import type { ServersComposition } from './servers-composition.ts';

interface Parts {
  readonly machine: Machine;
  readonly servers: ServersComposition;
  readonly recordings: RecordingsComposition;
  /** Whether a talk runs or begins, or a question is being answered. */
  readonly isBusy: () => boolean;
  /** Ends idle chat sessions; the next question opens them again. */
  readonly releaseSessions: () => void;
}

const answerLimits = { maxNewTokens: 250, maxMs: 20_000, maxLength: 4000 };

/** The memory: the stored sentences about the user, suggestions for more, and passages of earlier conversations. */
export class MemoryComposition {
  readonly store: MemoryStore;
  readonly sender: MemorySender;
  readonly suggester: MemorySuggester;
  readonly past: PassageFinder;
  readonly talkPassages: TalkPassages;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { machine, servers, recordings } = parts;
    const { clock, wallClock, random, stateFile, notices, log, lifetime } = machine;
    const { settings, texts } = servers;
    const onChanged = (): void => notices.post('memoryChanged', this.view);
    this.store = new MemoryStore({
      file: stateFile('memory'),
      wallClock,
      random,
      onChanged,
      onFailed: (error) => log.write('warn', describeAppError(error)),
    });
    lifetime.add(this.store.settled, 'memory');
    this.sender = new MemorySender({
      store: this.store,
      settings: settings.get,
      messages: texts.memoryPrompts,
      onSent: (sent) => notices.post('memorySent', sent),
    });
    const sendsPast = (): boolean => {
      const { memory, assistant } = settings.get();
      return memory.use && memory.past && !assistant.withoutMemory.includes(assistant.preset);
    };
    this.past = new PassageFinder({ history: recordings.library, wallClock, isOn: sendsPast });
    this.talkPassages = new TalkPassages({
      find: this.past.find,
      isWithheld: (ref) => recordings.library.isWithheld(ref),
      onChanged: (view) => notices.post('talkPassagesChanged', view),
    });
    lifetime.add(notices.listen(this.#followTalk), 'notice listener: passages for talks');
    this.suggester = new MemorySuggester({
      clock,
      wallClock,
      random,
      store: this.store,
      settings: () => settings.get().memory,
      messages: texts.memoryPrompts,
      read: (ref) => this.#read(ref),
      isFree: (server, ref) => !recordings.library.isWithheld(ref) && this.#isFree(server),
      releaseSessions: parts.releaseSessions,
      ask: (server, question, onAnswer) => this.#ask(server, question, onAnswer),
      onChanged,
    });
    lifetime.add(
      recordings.sync.onChange((change) => {
        if (change.does === 'stored') return this.suggester.onStored(change.ref);
        this.suggester.forget(change.ref);
        this.talkPassages.leaveOut(change.ref);
      }),
      'history listener: memory',
    );
    lifetime.add(
      settings.listen((event) => {
        if (event.kind !== 'changed') return;
        if (!sendsPast()) this.talkPassages.begin();
        void this.suggester.settingsChanged();
      }),
      'settings listener: memory',
    );
    lifetime.add(() => this.suggester.end(), 'suggestions for the memory');
  }

  get view(): MemoryView {
    return { ...this.store.view, suggestions: this.suggester.suggestions };
  }

  readonly sentences = (): readonly MemorySentence[] => this.store.sentences();

  readonly removeAll = (): Promise<Outcome<undefined>> => {
    this.suggester.clear();
    return this.store.removeAll();
  };

  /** Reads the prompts and returns a function that formats passages for the model. */
  readonly formatPast = async () => {
    const { servers, recordings } = this.#parts;
    const messages = await servers.texts.memoryPrompts();
    // A passage may have been found before the user deleted its talk or chat.
    return (found: readonly FoundPassage[]) => {
      const allowed = found.filter(({ passage }) => !recordings.library.isWithheld(passage));
      return formatPassages(allowed, messages);
    };
  };

  handlers(): MemoryHandlers {
    const { store, suggester, talkPassages } = this;
    return {
      memory: () => this.view,
      addSentence: ({ text }) => store.add(text),
      changeSentence: ({ id, ...change }) => store.change(id, change),
      moveSentence: ({ id, to }) => store.edit(moveSentence(id, to)),
      removeSentence: ({ id }) => store.remove(id),
      restoreSentence: ({ id }) => store.restore(id),
      removeAllSentences: this.removeAll,
      talkPassages: () => talkPassages.view,
      leaveOutTalkPassage: ({ place }) => talkPassages.leaveOut(place),
      answerSuggestion: async ({ id, accepted }) => {
        const error = await suggester.answer(id, accepted);
        return error === undefined ? done : { ok: false, error };
      },
    };
  }

  readonly #followTalk = ({ name, payload }: Notice): void => {
    if (name === 'talkBegan') {
      // The notice is posted when the talk begins, without a session, and again for each session.
      if (payload.session === undefined) this.talkPassages.begin();
      else this.talkPassages.onSessionBegan();
    } else if (name === 'userPhrase') void this.talkPassages.onPhrase(payload);
  };

  /** Reads a stored talk or chat. Incognito talks, and chats that are not kept, are not stored. */
  async #read({ kind, id }: HistoryRef): Promise<SaidText | undefined> {
    const { machine, recordings } = this.#parts;
    if (kind === 'talk') {
      const record = await recordings.readTalkRecord(id);
      return record.ok
        ? { title: recordTitle(record.value), turns: record.value.turns }
        : undefined;
    }
    const stored = await machine.chatStore.read(id);
    const chat = stored.ok ? parseStoredChat(id, stored.value.text) : undefined;
    if (chat === undefined) return undefined;
    const turns = chat.turns.map((turn) =>
      turn.role === 'assistant'
        ? ({ by: 'parley', text: turn.text } as const)
        : ({
            by: 'person',
            text: turn.parts
              .flatMap((part) => (part.type === 'text' ? [part.text] : []))
              .join('\n'),
          } as const),
    );
    return { title: chat.title, turns };
  }

  /**
   * Whether this server may be asked for suggestions now. The demonstration has no model to ask, and the model on this
   * computer must not switch from talks to chats for a suggestion.
   */
  #isFree(server: string): boolean {
    const { servers, isBusy } = this.#parts;
    const kind = servers.profile(server)?.kind;
    if (kind === undefined || kind === 'embedded' || isBusy()) return false;
    return kind !== 'computer' || servers.model.wouldStart('chat');
  }

  #ask(
    server: string,
    question: SuggestionQuestion,
    onAnswer: (answer: string | undefined) => void,
  ): () => void {
    const { machine, servers } = this.#parts;
    return askOptionalQuestion(
      question,
      {
        clock: machine.clock,
        openSession: (emit) => servers.openWrittenSession(server, emit),
      },
      answerLimits,
      onAnswer,
    );
  }
}
