import { join } from 'node:path';
import type { Lifetime } from '../../shared/lifetime.ts';
import { spokenLanguage } from '../settings/spoken-language.ts';
import { defaultBargeInOptions } from '../../shared/sound/barge-in-options.ts';
import { createJournalFile } from '../adapters/files/journal-file.ts';
import { stampOf, timeOfDay, systemWallClock } from '../adapters/system/system-clock.ts';
import { TalkJournal } from '../controllers/talk-journal.ts';
import { createDataFolder } from '../adapters/files/data-folder.ts';
import type { HistoryServices } from './compose-history.ts';
import type { OwnWordsServices } from './compose-own-words.ts';
import type { RetentionServices } from './compose-retention.ts';
import type { VisionServices } from './compose-vision.ts';
import type { SessionServices } from './compose-sessions.ts';
import type { SettingsServices } from './compose-settings.ts';
import type { SoundServices } from './compose-sound.ts';
import type { VoiceServices } from './compose-voices.ts';
import type { ServerLimits } from '../controllers/server-limits.ts';
import type { ServerPaces } from '../controllers/server-paces.ts';
import { MicrophoneSounds } from '../controllers/microphone-sounds.ts';
import { TalkController } from '../controllers/talk-controller.ts';
import type { DeviceLock } from '../controllers/device-lock.ts';
import { RecentTapes } from '../controllers/recent-tapes.ts';
import { shortenByChat } from '../controllers/shorten-by-chat.ts';
import { TalkTapes } from '../controllers/talk-tapes.ts';
import { withDefaultDevices } from '../controllers/with-default-devices.ts';
import type { NoticeBoard } from '../ipc/notice-board.ts';
import type { Clock, WallClock } from '../ports/clock.ts';
import type { DataFolder, JournalFile } from '../ports/files.ts';
import type { Log } from '../ports/log.ts';
import type { SystemSleep } from '../ports/system-sleep.ts';
import { describeAppError } from '../../shared/i18n/en/describe-app-error.ts';
import { recordSockets } from '../recorder/recording/record-sockets.ts';

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
        recorder && deps.systemSleep?.onSuspend?.(() => recorder.happened({ kind: 'sleep' }));
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
            write: recorder.happened,
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
