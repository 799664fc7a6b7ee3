import { defaultBargeInOptions } from '../../../../electron/audio/detection/barge-in.ts';
import { TalkRecorder } from '../../../../electron/recordings/history/talk-recorder.ts';
import {
  TalkSource,
  parseStoredTalk,
} from '../../../../electron/recordings/history/talk-source.ts';
import { ServerPaces } from '../../../../electron/settings/servers/server-facts.ts';
import { SettingsStore } from '../../../../electron/settings/settings-store.ts';
import type { TalkControllerDeps, TalkServer } from '../../../../electron/talk/active-talk.ts';
import { Conversation } from '../../../../electron/talk/conversation.ts';
import { ServerLimits } from '../../../../electron/talk/server-limits.ts';
import { TalkController } from '../../../../electron/talk/talk-controller.ts';
import { TalkJournal } from '../../../../electron/talk/talk-journal.ts';
import { FrameBudget } from '../../../../electron/vision/frame-budget.ts';
import type { FrameSink } from '../../../../electron/vision/frame-pipeline.ts';
import type { Outcome } from '../../../../shared/errors/app-error.ts';
import { englishCarryOver, englishTalkToolPrompts } from '../../../../shared/i18n/en/prompts.ts';
import type { NoticeName, Notices } from '../../../../shared/ipc/contract.ts';
import type { SessionSettings } from '../../../../shared/protocol/realtime-api.ts';
import type { ServerTraits } from '../../../../shared/settings/connection-settings.ts';
import {
  FakeMicrophone,
  ManualSpeakers,
  type ManualSpeakerStream,
} from '../../../fakes/fake-devices.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeJournalFile, FakeStateFile } from '../../../fakes/fake-state-file.ts';
import { FakeLog } from '../../../fakes/fake-log.ts';
import { fakeServerFacts } from '../../../fakes/fake-server-facts.ts';
import { FakeSystemSleep } from '../../../fakes/fake-system-sleep.ts';
import { FakeTalkStore } from '../../../fakes/fake-stores.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { FakeSession, endedByUser } from './conversation-harness.ts';
import type { TalkRecord } from '../../../../shared/recordings/talk-record.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import type { SoundOpeners } from '../../../../electron/audio/devices/sound-devices.ts';
import type { DeviceChoice } from '../../../../electron/audio/devices/sound-driver.ts';
import type { Clock } from '../../../../shared/ports/clock.ts';

const nothing = (): void => undefined;

interface Posted {
  readonly name: NoticeName;
  readonly payload: unknown;
}

/** A TalkController whose servers, devices and pages are the test's. */
export class TalkControllerHarness {
  readonly clock = new FakeClock();
  readonly devices = new ManualDevices(this.clock);
  readonly log = new FakeLog();
  readonly systemSleep = new FakeSystemSleep();
  readonly posts: Posted[] = [];
  readonly sessions: FakeSession[] = [];
  readonly settings = new SettingsStore({ file: new FakeStateFile(), clock: this.clock });
  /** The current receiver of frames. */
  frameSink: FrameSink | undefined;
  framesSent = 0;
  traits: ServerTraits | undefined;
  shorten: TalkServer['shorten'];
  readonly stepValues: Readonly<Record<string, number>>[] = [];
  listeners = 0;
  /** The results of connecting and of reading the session settings. */
  connected: () => Promise<Outcome<TalkServer>> = () =>
    Promise.resolve({ ok: true, value: this.server('one') });
  configured: () => Promise<Outcome<SessionSettings>> = () =>
    Promise.resolve({ ok: true, value: { instructions: 'Be kind.' } });
  readonly servers = fakeServerFacts();
  readonly journalFile = new FakeJournalFile();
  readonly talkStore = new FakeTalkStore();
  readonly talks = new TalkSource(this.talkStore);
  /** Change it to simulate that the user sets the computer's clock. */
  calendarAtStart = 1000;
  readonly talkRecorder: TalkRecorder = new TalkRecorder({
    store: this.talkStore,
    clock: this.clock,
    wallNow: () => this.calendarAtStart + this.clock.now(),
    keepTalks: () => this.settings.get().privacy.keepTalks,
    decide: (keep) => {
      const changed = this.settings.change({ privacy: { keepTalks: keep ? 'yes' : 'no' } });
      return changed.ok ? { ok: true, value: undefined } : changed;
    },
    addWords: (id, turn) => this.talks.addWords(id, turn),
    onChange: (id) => {
      this.recordsChanged.push(id);
    },
    reportError: (error) => {
      this.posts.push({ name: 'talkTrouble', payload: error });
    },
  });
  /** Talks that were stored, changed or deleted. */
  readonly recordsChanged: string[] = [];
  incognito = false;
  readonly journal = new TalkJournal({
    file: this.journalFile,
    clock: this.clock,
    wallNow: () => this.calendarAtStart + this.clock.now(),
    allowed: () => this.settings.get().privacy.keepChats,
  });
  readonly controller: TalkController;

  constructor(deps: Partial<TalkControllerDeps> = {}) {
    this.controller = new TalkController({
      clock: this.clock,
      log: this.log,
      systemSleep: this.systemSleep,
      post: (name, payload) => {
        this.posts.push({ name, payload });
      },
      settings: {
        get: this.settings.get,
        change: this.settings.change,
        listen: (hear) => {
          const stop = this.settings.listen(hear);
          this.listeners += 1;
          return () => {
            this.listeners -= 1;
            stop();
          };
        },
      },
      carryOverMessages: () => Promise.resolve(englishCarryOver),
      talkToolPrompts: () => Promise.resolve(englishTalkToolPrompts),
      openConversation: (options, how) =>
        new Conversation(options, {
          ...how,
          clock: this.clock,
          random: seeded(1),
          log: this.log,
          wallNow: this.clock.now,
        }),
      bargeInOptions: () => defaultBargeInOptions,
      connect: () => this.connected(),
      sessionSettings: () => this.configured(),
      createSpeaker: this.devices.createSpeaker,
      openMicrophone: this.devices.openMicrophone,
      paces: new ServerPaces(this.servers),
      limits: new ServerLimits(this.servers, this.clock),
      framePipeline: {
        attach: (sink) => {
          this.frameSink = sink;
          return () => {
            if (this.frameSink === sink) this.frameSink = undefined;
          };
        },
        listen: () => () => undefined,
        setContext: () => undefined,
        budget: new FrameBudget(),
        frameTokens: 64,
        pictureScale: undefined,
        frameSent: () => {
          this.framesSent += 1;
        },
        stepCounted: (values) => {
          this.stepValues.push(values);
        },
      },
      talkRecorder: this.talkRecorder,
      userTranscript: { begin: nothing, onEvent: nothing, pushAudio: nothing, listen: nothing },
      journal: this.journal,
      formatStamp: (time) => `stamp-${time}`,
      timeOfDay: (time) => `at ${time}`,
      ...deps,
    });
  }

  server(id: string): TalkServer {
    return {
      id,
      name: `The ${id}`,
      stamp: `stamp-${id}`,
      incognito: this.incognito,
      address: `wss://${id}.example/v1/realtime?token=secret`,
      dialect: 'auto',
      traits: this.traits,
      shorten: this.shorten,
      openSession: (options, emit) => {
        const session = new FakeSession(options, emit);
        this.sessions.push(session);
        return session;
      },
    };
  }

  get session(): FakeSession {
    const session = this.sessions.at(-1);
    if (session === undefined) throw new Error('No session has been opened.');
    return session;
  }

  async live(mode: 'audio' | 'video' = 'audio'): Promise<this> {
    const started = await this.controller.start(mode);
    if (!started.ok) throw new Error(started.error.code);
    this.session.enter('connecting', 'configuring', 'live');
    // Waits until the microphone is open.
    await flushPromises();
    return this;
  }

  posted<Name extends NoticeName>(name: Name): readonly Notices[Name][] {
    return this.posts.flatMap((post) =>
      post.name === name ? [post.payload as Notices[Name]] : [],
    );
  }
}

/** A picture of the given size in bytes. */
export const keptFrame = (size = 100) => ({
  facts: { at: 0, bytes: size, width: 640, height: 480, slices: 1, tokens: 64 },
  jpeg: new Uint8Array(size),
});

/** A talk whose text may be kept, and the stored result. */
export class TalkRecorderHarness extends TalkControllerHarness {
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await flushPromises();
  }

  keep(keepTalks: 'ask' | 'yes' | 'no'): void {
    this.settings.change({ privacy: { keepTalks } });
    this.talkRecorder.settingsChanged();
  }

  /** Adds an answer to the talk; `end` also ends it. */
  async said(text = 'The boiling point is 100 degrees.', end = true): Promise<void> {
    await this.live('video');
    this.session.emit({ event: 'text', turn: 1, text });
    await this.pass(3000);
    if (!end) return;
    this.session.close(endedByUser);
    await this.pass(10_000);
  }

  stored(id = 'stamp-one'): TalkRecord {
    const { text = '' } = this.talkStore.stored.get(id) ?? {};
    const record = parseStoredTalk(id, text);
    if (!record.ok) throw new Error(record.error.code);
    return record.value;
  }
}

/** Fake sound devices; lists everything that was opened, oldest first. */
export class ManualDevices implements Pick<SoundOpeners, 'createSpeaker' | 'openMicrophone'> {
  readonly sounds: ManualSpeakers;
  readonly microphones: FakeMicrophone[] = [];
  readonly #microphonesChosen: string[] = [];
  /** Devices open once this promise resolves. */
  #ready: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.sounds = new ManualSpeakers(clock);
  }

  set ready(ready: Promise<void>) {
    this.#ready = ready;
    this.sounds.ready = ready;
  }

  get speakers(): readonly ManualSpeakerStream[] {
    return this.sounds.streams;
  }

  /** Every device that was requested, even if it is not open yet: speakers, then microphones. */
  get chosen(): readonly string[] {
    const speakers = this.sounds.chosen.map((choice) => `speaker ${nameOf(choice)}`);
    return [...speakers, ...this.#microphonesChosen];
  }

  get speaker(): ManualSpeakerStream {
    const speaker = this.speakers.at(-1);
    if (speaker === undefined) throw new Error('No speaker was opened.');
    return speaker;
  }

  get microphone(): FakeMicrophone {
    const microphone = this.microphones.at(-1);
    if (microphone === undefined) throw new Error('No microphone was opened.');
    return microphone;
  }

  get open(): readonly [speakers: number, microphones: number] {
    const stillOpen = (each: { readonly ended: boolean }): boolean => !each.ended;
    return [this.speakers.filter(stillOpen).length, this.microphones.filter(stillOpen).length];
  }

  readonly createSpeaker: SoundOpeners['createSpeaker'] = (options) =>
    this.sounds.createSpeaker(options);

  readonly openMicrophone: SoundOpeners['openMicrophone'] = async (choice, sink, options) => {
    this.#microphonesChosen.push(`microphone ${nameOf(choice)}`);
    await this.#ready;
    const microphone = new FakeMicrophone(choice, sink, options);
    this.microphones.push(microphone);
    return microphone;
  };
}

function nameOf(choice: DeviceChoice): string {
  return choice === 'default' ? choice : choice.name;
}
