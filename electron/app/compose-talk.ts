import { join } from 'node:path';
import { describeAppError } from '../../shared/i18n/en/errors.ts';
import type { OwnWordsHandlers } from '../../shared/ipc/talk-ipc.ts';
import type { Lifetime } from '../../shared/lifetime.ts';
import type { Clock, WallClock } from '../../shared/ports/clock.ts';
import type { SystemSleep } from '../../shared/ports/desktop.ts';
import type { DataFolder, JournalFile } from '../../shared/ports/files.ts';
import type { Log } from '../../shared/ports/log.ts';
import { addressOf } from '../../shared/settings/connection-settings.ts';
import { defaultBargeInOptions } from '../audio/detection/barge-in.ts';
import type { DeviceLock } from '../audio/devices/device-lease.ts';
import { createDataFolder } from '../platform/files/data-folder.ts';
import { createJournalFile } from '../platform/files/state-file.ts';
import { stampOf, systemWallClock, timeOfDay } from '../platform/system/system-clock.ts';
import { TapeWords } from '../recordings/history/tape-words.ts';
import { RecentTapes } from '../recordings/record/recent-tapes.ts';
import { TalkTapes } from '../recordings/record/talk-tapes.ts';
import { recordSockets } from '../recordings/record/tape-recorder.ts';
import { TapeFinder } from '../recordings/tape/open-tape.ts';
import type { ServerPaces } from '../settings/servers/server-memory.ts';
import { spokenLanguage } from '../settings/session-settings.ts';
import { MicrophoneSounds } from '../talk/microphone-sounds.ts';
import { OwnWordsController } from '../talk/own-words/own-words-controller.ts';
import { PhraseWriter } from '../talk/own-words/phrase-writer.ts';
import type { ServerLimits } from '../talk/server-limits.ts';
import { lazySockets } from '../talk/session/open-sockets.ts';
import { shortenByChat } from '../talk/shorten-by-chat.ts';
import { TalkController } from '../talk/talk-controller.ts';
import { TalkJournal } from '../talk/talk-journal.ts';
import { withDefaultDevices } from '../talk/talk-sound-devices.ts';
import type { HistoryServices, RetentionServices } from './compose-history.ts';
import type { SoundServices, VisionServices, VoiceServices } from './compose-media.ts';
import type { SessionServices, SettingsServices } from './compose-servers.ts';
import type { NoticeBoard } from './ipc/request-dispatcher.ts';
import { createOwnWordsHandlers } from './own-words-handlers.ts';
import { exampleTape } from './resources.ts';

/** The spoken conversation that pages, keys and the tray all mean. */
export interface TalkServices {
  readonly talk: TalkController;
  readonly tapes: TalkTapes;
}

export interface ComposedTalk extends TalkServices {
  readonly recent: RecentTapes;
}

interface Deps
  extends
    Pick<
      SessionServices,
      | 'openSession'
      | 'openConversation'
      | 'carryOverMessages'
      | 'openTape'
      | 'holdRecent'
      | 'isSavedTape'
    >,
    Pick<SettingsServices, 'settings' | 'endpoints'>,
    Pick<SoundServices, 'createSpeaker' | 'openMicrophone'>,
    Pick<VoiceServices, 'sessionSettings' | 'missingVoices'>,
    VisionServices,
    RetentionServices,
    Pick<HistoryServices, 'keeper' | 'mayBePinned'>,
    Pick<OwnWordsServices, 'ownWords'> {
  readonly folder: string;
  readonly lock: DeviceLock;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: NoticeBoard;
  readonly paces: ServerPaces;
  readonly limits: ServerLimits;
  readonly lifetime: Lifetime;
  readonly systemSleep?: SystemSleep | undefined;
  readonly defaultDevices?: boolean | undefined;
  /** This machine's own, where it is left out. */
  readonly machine?: TalkMachine | undefined;
}

/** What a talk needs of the machine beside its sound: a disk, and the calendar. */
interface TalkMachine {
  readonly tapes: DataFolder;
  readonly journal: JournalFile;
  readonly wallNow: WallClock;
}

function thisMachine(folder: string): TalkMachine {
  return {
    tapes: createDataFolder(join(folder, 'tapes')),
    journal: createJournalFile(folder, 'talk-journal'),
    wallNow: systemWallClock,
  };
}

export function composeTalk(deps: Deps): ComposedTalk {
  const { settings, endpoints, keeper, notices, openSession, sessionSettings } = deps;
  const { tapes: folder, journal: file, wallNow } = deps.machine ?? thisMachine(deps.folder);
  const privacy = () => settings.get().privacy;
  const recent = new RecentTapes({
    folder,
    hold: deps.holdRecent,
    privacy,
    changed: (hold) => {
      keeper.setRecent(hold);
    },
  });
  const tapes = new TalkTapes({
    folder,
    openTape: deps.openTape,
    privacy,
    retention: deps.retention,
    stays: async (name) =>
      (await deps.mayBePinned(name)) || deps.isSavedTape(`${folder.path}/${name}`),
    trash: deps.trashOf('tapes'),
    trouble: (error) => {
      deps.log.write('warn', describeAppError(error));
      notices.post('talkTrouble', error);
    },
  });
  const journal = new TalkJournal({
    file,
    clock: deps.clock,
    wallNow,
    allowed: () => settings.get().privacy.keepTalks !== 'no' && !keeper.leavesNothing,
    asks: () => keeper.asks,
  });
  const talk = new TalkController({
    ...deps,
    journal,
    timeOfDay,
    stampOf,
    settings: deps.defaultDevices === true ? withDefaultDevices(settings) : settings,
    post: (name, payload) => {
      notices.post(name, payload);
    },
    acquireSound: () => deps.lock.preempt(),
    overlap: () => ({ ...defaultBargeInOptions, ...settings.get().talking.overlap }),
    sessionSettings: () => sessionSettings(spokenLanguage(settings.get().appearance.language)),
    connect: async (plan) => {
      const connected = await endpoints.connect();
      if (!connected.ok) return connected;
      const { profile, endpoint } = connected.value;
      const address = endpoint?.url ?? profile.id;
      const stamp = stampOf(wallNow());
      const { incognito } = keeper.keeping;
      const facts = { ...plan, dialect: profile.dialect, endpoint: address };
      const tape = incognito ? undefined : await tapes.begin(stamp, facts);
      const recorder = tape && (tape.recorder ?? recent.begin(stamp, facts));
      const stopWatching =
        recorder &&
        deps.systemSleep?.onSuspend?.(() =>
          recorder.record({ dir: 'event', event: { kind: 'sleep' } }),
        );
      const leave = async (): Promise<void> => {
        stopWatching?.();
        await recent.leave(stamp);
        await tape?.finish();
      };
      const sockets =
        recorder === undefined
          ? connected.value.sockets
          : recordSockets(connected.value.sockets, recorder);
      return {
        ok: true,
        value: {
          id: profile.id,
          stamp,
          incognito,
          name: profile.name,
          address: endpoint?.url,
          dialect: profile.dialect,
          traits: profile.traits,
          openSession: (options, emit) =>
            openSession(
              { ...options, voiceForm: profile.traits?.voiceForm },
              { sockets, emit, server: endpoint?.url },
            ),
          shorten: shortenByChat(profile.dialect, {
            clock: deps.clock,
            // Not on the tape, which is that of the talk.
            openSession: (options, emit) =>
              openSession(options, {
                sockets: connected.value.sockets,
                emit,
                server: endpoint?.url,
              }),
          }),
          record: recorder && {
            write: (event) => {
              recorder.record({ dir: 'event', event });
            },
            answered: recorder.answered,
            sounded: recorder.sounded,
          },
          shown: tape?.shown,
          left: leave,
        },
      };
    },
  });
  const sounds = new MicrophoneSounds(deps);
  deps.lifetime.add(() => sounds.end(), 'the sounds of the microphone');
  deps.lifetime.add(notices.listen(sounds.hear));
  deps.lifetime.add(
    notices.listen(({ name, payload }) => {
      if (name === 'frameSent') keeper.picture(payload);
    }),
  );
  deps.lifetime.add(
    settings.listen((event) => {
      if (event.kind !== 'changed') return;
      const { keepTalks } = event.settings.privacy;
      if (keepTalks === event.before.privacy.keepTalks) return;
      journal.changed(talk.view);
      if (keepTalks === 'no') journal.dropLeft();
    }),
  );
  deps.lifetime.add(() => journal.end(), 'the journal of the talk');
  deps.lifetime.add(() => tapes.end(), 'the tapes of talks');
  deps.lifetime.add(() => talk.end(), 'the talk');
  return { talk, tapes, recent };
}

/** What the person says, written down where they want it. */
interface OwnWordsServices {
  readonly ownWords: OwnWordsController;
  readonly tapeWords: TapeWords;
}

interface ComposeOwnWordsDeps
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
  deps: ComposeOwnWordsDeps,
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
