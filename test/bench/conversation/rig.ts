import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inputRate, outputRate } from '../../../shared/protocol/protocol-limits.ts';
import type { DialectName, DuplexMode } from '../../../shared/protocol/dialect-and-mode.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { listenAt, speakInto } from '../sound/wires.ts';
import type { Wire } from '../sound/wires.ts';
import { makeFrames } from './camera-frames.ts';
import { Child } from './child.ts';
import type { GatewayPlan, GatewayMessage } from './gateway.ts';
import { PlainPlayer } from './plain-player.ts';
import { SoundTape } from './sound-tape.ts';
import type { Look, Order, SubjectMessage } from './subject.ts';
import { hurry } from './urgent.ts';
import { Voice } from './voice.ts';

export interface RigPlan extends GatewayPlan {
  readonly mode?: DuplexMode;
  readonly dialect?: 'auto' | DialectName;
}

export type Said = Extract<GatewayMessage, { word: 'said' }>;

const isListening = (
  message: GatewayMessage,
): message is Extract<GatewayMessage, { word: 'listening' }> => message.word === 'listening';
const isSaid = (message: GatewayMessage): message is Said => message.word === 'said';
const isListens = (
  message: GatewayMessage,
): message is Extract<GatewayMessage, { word: 'listens' }> => message.word === 'listens';
const isLook = (message: SubjectMessage): message is Look => message.word === 'looked';
const isInterrupted = (
  message: SubjectMessage,
): message is Extract<SubjectMessage, { word: 'interrupted' }> => message.word === 'interrupted';
const isAppend = (
  message: GatewayMessage,
): message is Extract<GatewayMessage, { word: 'append' }> => message.word === 'append';

/**
 * A Parley that has learned nothing, the embedded gateway, a person at the virtual microphone, and a recording
 * at both ends of the virtual card.
 */
export class Rig {
  /** What comes out of the speaker, and what goes into the microphone. */
  readonly monitor = new SoundTape(outputRate);
  readonly source = new SoundTape(inputRate);
  readonly gateway: Child<GatewayMessage>;
  readonly subject: Child<SubjectMessage, Order>;
  readonly #soundServer: SoundServer;
  readonly #folder: string;
  readonly #voice: Voice;
  readonly #wires: readonly Wire[];
  #beside: PlainPlayer | undefined;

  private constructor(
    soundServer: SoundServer,
    folder: string,
    gateway: Child<GatewayMessage>,
    words: readonly string[],
  ) {
    const { environment } = soundServer;
    this.#soundServer = soundServer;
    this.#folder = folder;
    this.gateway = gateway;
    this.#wires = [
      listenAt('speaker.monitor', outputRate, environment, (block, at) => {
        this.monitor.hear(block, at);
      }),
      listenAt('micsrc', inputRate, environment, (block, at) => {
        this.source.hear(block, at);
      }),
    ];
    for (const { pid } of this.#wires) hurry(pid);
    const mouth = speakInto('mic', inputRate, 100, environment);
    hurry(mouth.pid);
    this.#voice = new Voice(mouth);
    this.subject = new Child('subject.ts', words, { ...environment, PARLEY_STATE_DIR: folder });
    this.subject.listen((message) => {
      if (message.word === 'trouble') process.stderr.write(`${message.sentence}\n`);
    });
  }

  static async open({ mode = 'audio', dialect = 'auto', ...plan }: RigPlan): Promise<Rig> {
    const soundServer = new SoundServer();
    await soundServer.start();
    hurry(soundServer.pid);
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
    const frames = join(folder, 'frames');
    if (mode === 'video') await makeFrames(frames);
    const gateway = new Child<GatewayMessage>('gateway.ts', [JSON.stringify(plan)]);
    const { url } = await gateway.until('it listens', isListening);
    const rig = new Rig(soundServer, folder, gateway, [url, dialect, mode, frames]);
    await gateway.until('the first append', isAppend, 30_000);
    // The first sound on such a card can come more than a second late.
    await wait(2000);
    return rig;
  }

  /** Says something, and waits until the first of the answer is on its way. */
  async ask(): Promise<Said> {
    const said = this.gateway.until('an answer', isSaid);
    this.#voice.speak();
    return said;
  }

  /** Says something, and hears the whole answer. */
  async askAndHear(): Promise<readonly Said[]> {
    const answer: Said[] = [];
    const stop = this.gateway.listen((message) => {
      if (message.word === 'said') answer.push(message);
    });
    await this.ask();
    for (let heard = 0; heard !== answer.length;) {
      heard = answer.length;
      await this.listens();
    }
    stop();
    await this.quiet();
    return answer;
  }

  /** The model has listened for a step. */
  async listens(): Promise<void> {
    await this.gateway.until('that it listens', isListens, 40_000);
  }

  /** Nothing has been heard for a second. */
  async quiet(): Promise<void> {
    for (let tries = 0; tries < 200; tries += 1) {
      if (this.monitor.lastLoud(this.monitor.count - outputRate) === undefined) return;
      await wait(100);
    }
    throw new Error('The speaker does not fall silent.');
  }

  async interrupt(): Promise<number> {
    const interrupted = this.subject.until('that it was interrupted', isInterrupted);
    this.subject.order('interrupt');
    const { at } = await interrupted;
    return at;
  }

  /** What the machine itself makes of a sound that plays without a pause. */
  async playBeside(): Promise<SoundTape> {
    this.#beside = await PlainPlayer.start(this.#soundServer);
    return this.#beside.heard;
  }

  async look(): Promise<Look> {
    const looked = this.subject.until('its figures', isLook);
    this.subject.order('look');
    return looked;
  }

  async end(): Promise<void> {
    this.subject.order('end');
    await this.subject.end();
    await this.#voice.end();
    this.#beside?.end();
    for (const wire of this.#wires) wire.end();
    this.gateway.leave();
    await this.gateway.end();
    await this.#soundServer.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
