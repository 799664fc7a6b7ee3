import { join } from 'node:path';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import { systemWallClock } from '../adapters/system/system-clock.ts';
import { addressOf } from '../controllers/chosen-endpoint.ts';
import type { OwnWordsHandlers } from '../controllers/controller-handlers.ts';
import { lazySockets } from '../controllers/lazy-sockets.ts';
import { OwnWordsController } from '../controllers/own-words-controller.ts';
import { TalkPublisher } from '../controllers/talk-publisher.ts';
import { TapeFinder } from '../controllers/tape-finder.ts';
import { TapeWords } from '../controllers/tape-words.ts';
import { exampleTape } from './example-tape.ts';
import { createOwnWordsHandlers } from '../controllers/own-words-handlers.ts';
import { PhraseWriter } from '../recorder/own-words/phrase-writer.ts';
import type { Clock } from '../ports/clock.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { HistoryServices } from './compose-history.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';

/** What the person says, written down where they want it. */
export interface OwnWordsServices {
  readonly ownWords: OwnWordsController;
  readonly tapeWords: TapeWords;
}

interface Deps
  extends
    Pick<
      SessionServices,
      'openSession' | 'phrasePrompt' | 'carryOverMessages' | 'serverCodec' | 'loadTapeAt'
    >,
    Pick<SettingsServices, 'settings' | 'endpoints'>,
    Pick<HistoryServices, 'keeper' | 'correctWords' | 'talkRecordOf' | 'historySync'> {
  readonly folder: string;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
}

/** What servers take for granted. */
const stepMs = 1000;

export function composeOwnWords(
  deps: Deps,
): OwnWordsServices & { readonly handlers: OwnWordsHandlers } {
  const { settings, endpoints, keeper, clock, lifetime } = deps;
  const ownWords = new OwnWordsController({
    clock,
    wallNow: systemWallClock,
    wanted: () => settings.get().privacy.ownWords,
    keep: (talk, turn) => {
      keeper.addWords(talk, turn);
    },
    openWriter: (events) =>
      new PhraseWriter({
        ...events,
        clock,
        prompt: deps.phrasePrompt,
        openSession: (server, emit) => {
          const profile = settings.get().endpoints.list.find(({ id }) => id === server);
          return deps.openSession(
            { mode: 'chat', settings: {}, dialect: profile?.dialect ?? 'auto', chunkMs: stepMs },
            {
              emit,
              server: profile && addressOf(profile),
              sockets: lazySockets(async () => {
                const connected = await endpoints.connect(server);
                return connected.ok ? { ok: true, value: connected.value.sockets } : connected;
              }),
            },
          );
        },
      }),
  });
  lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed') return;
      if (event.settings.privacy.ownWords !== event.before.privacy.ownWords)
        ownWords.settingsChanged();
    }),
  );
  lifetime.add(() => ownWords.end(), 'the own words');
  const tapes = new TapeFinder({
    loadTapeAt: deps.loadTapeAt,
    folder: createDataFolder(join(deps.folder, 'tapes')),
    exampleAt: exampleTape,
  });
  const tapeWords = new TapeWords({
    clock,
    ownWords,
    timeOf: Date.parse,
    record: deps.talkRecordOf,
    loadTape: (talk) => tapes.kept(talk),
    film: async () => ({
      openSession: deps.openSession,
      codec: deps.serverCodec,
      carryOver: await deps.carryOverMessages(),
      openPublisher: (post) => new TalkPublisher(post),
    }),
    servers: () => settings.get().endpoints.list,
    changed: (id) => void deps.historySync.touched({ kind: 'talk', id }),
  });
  lifetime.add(() => {
    tapeWords.end();
  }, 'the words of a tape');
  const handlers = createOwnWordsHandlers({ ...deps, ownWords, tapeWords });
  return { ownWords, tapeWords, handlers };
}
