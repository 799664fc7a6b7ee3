import type { SoundDevice } from '../../../../../../electron/audio/devices/sound-driver.ts';
import { talkCommand } from '../../../../../../electron/hosts/terminal/commands/talk-command.ts';
import {
  CommandError,
  type ExitCode,
  type OnInterrupt,
  type TerminalCore,
} from '../../../../../../electron/hosts/terminal/terminal-command.ts';
import {
  Conversation,
  type OpenConversation,
} from '../../../../../../electron/talk/conversation.ts';
import type { SessionOptions } from '../../../../../../electron/talk/session/session.ts';
import type { OpenSessionDeps } from '../../../../../../electron/talk/sessions.ts';
import { done } from '../../../../../../shared/errors/app-error.ts';
import { encodeWav } from '../../../../../../shared/audio/wav.ts';
import { englishCarryOver, englishPresets } from '../../../../../../shared/i18n/en/prompts.ts';
import { defaultSettings } from '../../../../../../shared/settings/settings.ts';
import { ClockSpeaker } from '../../../../../fakes/fake-speaker.ts';
import { FakeClock } from '../../../../../fakes/fake-clock.ts';
import { FakeDevices } from '../../../../../fakes/fake-devices.ts';
import { FakeFiles } from '../../../../../fakes/fake-files.ts';
import { FakeLog } from '../../../../../fakes/fake-log.ts';
import { fakeJpeg, fakePictures } from '../../../../../fakes/fake-pictures.ts';
import type { FakeScreen } from '../../../../../fakes/fake-terminal.ts';
import { flushPromises } from '../../../../../fakes/promises.ts';
import { seeded } from '../../../../../fakes/seeded.ts';
import { endedByUser, FakeModel, FakeSession } from '../../../talk/conversation-harness.ts';

const headset: SoundDevice = {
  name: 'Headset',
  hostApi: 'ALSA',
  inputChannels: 1,
  outputChannels: 2,
  rate: 48_000,
  defaultInput: true,
  defaultOutput: true,
};

/** `parley talk` with the test as its server, clock and user. */
export class TalkCommandHarness extends FakeModel {
  readonly clock = new FakeClock();
  readonly speaker = new ClockSpeaker(this.clock);
  readonly files = new FakeFiles();
  readonly log = new FakeLog();
  settings = defaultSettings;
  /** The pause between pictures that the model on this computer needs. */
  minPauseMs = 0;
  out = '';
  err = '';
  code: ExitCode | undefined;
  readonly devices = new FakeDevices(this.clock);
  /** The terminal's screen and keys; undefined if the output is piped. */
  screen: FakeScreen | undefined;
  #interrupt: OnInterrupt = () => undefined;
  #pressKey: ((key: string) => void) | undefined;

  /** The input is a one-second file unless a microphone is used. */
  async start(...args: readonly string[]): Promise<this> {
    this.files.putFolder('f');
    const plan = { rate: 16_000, channels: 1, coding: 'pcm16' } as const;
    this.files.put('f/in.wav', encodeWav(new Float32Array(16_000).fill(0.3), plan));
    this.files.put('f/a.jpg', fakeJpeg);
    const terminal = {
      out: (text: string) => {
        this.out += text;
        this.screen?.write(text);
      },
      err: (text: string) => {
        this.err += text;
        this.screen?.write(text);
      },
      screen: this.screen,
      openKeys: this.screen && this.#openKeys,
      onInterrupt: (told: OnInterrupt) => {
        this.#interrupt = told;
        return () => (this.#interrupt = () => undefined);
      },
    };
    const given = args.includes('--mode') ? args : ['--mode', 'audio', ...args];
    const code = talkCommand.run(given, terminal, () => this.#parley());
    void code.then(
      (exit) => (this.code = exit),
      (error: unknown) => {
        if (!(error instanceof CommandError)) throw error;
        this.err += error.message;
        this.code = error.code;
      },
    );
    await flushPromises();
    return this;
  }

  /** Advances the clock while the microphone gets samples of this value. */
  async pass(ms: number, level = 0): Promise<void> {
    for (let passed = 0; passed < ms; passed += 20) {
      this.clock.advance(20);
      this.devices.microphones.at(-1)?.hear(new Float32Array(320).fill(level));
      await flushPromises();
    }
  }

  async ctrlC(): Promise<void> {
    await this.signal('SIGINT');
  }

  async signal(name: 'SIGINT' | 'SIGPIPE'): Promise<void> {
    this.#interrupt(name);
    await flushPromises();
  }

  /** Ends the talk with Ctrl-C. */
  async end(): Promise<void> {
    await this.ctrlC();
    this.session.enter('closing').close(endedByUser);
    await this.pass(100);
  }

  /** Presses keys 200 ms apart. */
  async press(...keys: readonly string[]): Promise<void> {
    if (this.#pressKey === undefined) throw new Error('The command does not read keys.');
    for (const key of keys) {
      this.#pressKey(key);
      await this.pass(200, 0.5);
    }
  }

  /** Repeats a held key once, as the system does. */
  async hold(key: string): Promise<void> {
    this.#pressKey?.(key);
    await this.pass(40, 0.5);
  }

  get readsKeys(): boolean {
    return this.#pressKey !== undefined;
  }

  readonly #openKeys = (pressed: (key: string) => void): (() => void) => {
    this.#pressKey = pressed;
    return () => (this.#pressKey = undefined);
  };

  /** The lines of `--json`, without their times. */
  get lines(): readonly Readonly<Record<string, unknown>>[] {
    return this.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const { at: _at, ...rest } = JSON.parse(line) as Record<string, unknown>;
        return rest;
      });
  }

  linesOf(event: string): readonly Readonly<Record<string, unknown>>[] {
    return this.lines.filter((line) => line['event'] === event);
  }

  #parley(): TerminalCore {
    const { clock, files } = this;
    const parley = {
      clock,
      files,
      sound: { devices: () => Promise.resolve({ ok: true, value: [headset] }) },
      openSpeaker: () => Promise.resolve(this.speaker),
      openMicrophone: this.devices.openMicrophone,
      settings: { get: () => this.settings },
      pictures: fakePictures(),
      embeddedGateway: () => Promise.resolve({ ok: true, value: {} }),
      computerModel: {
        load: () => Promise.resolve({ ok: true, value: {} }),
        listen: () => () => undefined,
        minPauseMs: () => this.minPauseMs,
      },
      openSession: (how: SessionOptions, { emit }: OpenSessionDeps) => {
        const session = new FakeSession(how, emit);
        this.sessions.push(session);
        return session;
      },
      openTape: async (folder: string) => {
        const made = await this.files.createFolder(folder);
        const close = () => Promise.resolve(done);
        const value = { record: () => {}, countAnswer: () => {}, addSound: () => {}, close };
        return made.ok ? { ok: true, value } : made;
      },
      presetMessages: () => Promise.resolve(englishPresets),
      carryOverMessages: () => Promise.resolve(englishCarryOver),
      openConversation: ((options, how) =>
        new Conversation(options, {
          ...how,
          clock,
          random: seeded(1),
          log: this.log,
          wallNow: undefined,
        })) satisfies OpenConversation,
    };
    return parley as unknown as TerminalCore;
  }
}
