import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Lifetime } from '../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../shared/protocol/realtime-api.ts';
import type { GatewayMessage, GatewayPlan } from '../bench/conversation/gateway.ts';
import { SoundTape, Voice } from '../bench/conversation/sound-tape.ts';
import { playInto, recordFrom } from '../bench/sound/sound-processes.ts';
import {
  click,
  type DrivenApp,
  openDrivenApp,
  untilGone,
  untilShown,
} from '../bench/window/driven-app.ts';
import { fakeCameraFlags } from '../e2e/fixtures/fake-camera.ts';
import { openIsolatedSoundServer } from '../e2e/fixtures/sound-card.ts';
import { startWindowManager } from '../e2e/fixtures/window-manager.ts';
import { ModuleProcess } from '../scenes/module-process.ts';
import { NetworkFaultProxy } from '../torture/network-fault-proxy.ts';
import { AnswerWatch, MicrophoneWatch } from './answer-watch.ts';
import { processorWaits } from './processor-waits.ts';

/** Sound that one gateway session received and sent, in samples. */
export interface ServedSession {
  readonly session: number;
  received: number;
  sent: number;
  frames: number;
  cut: boolean;
}

/** The notices that the page received. */
export interface PageNotices {
  readonly phases: readonly string[];
  readonly endings: readonly string[];
  readonly errors: readonly string[];
  readonly pictures: number;
  readonly cutWords: number;
}

const answerSeconds = 4;
const noLimit = 1_000_000;
const timeoutMs = 60_000;

/**
 * A talk with camera in the real window, over a connection that can be cut, with a gateway whose sessions are limited. The
 * microphone hears room noise and a speaker, and recorders listen at both ends of the sound card.
 */
export class SoakTalk {
  readonly app: DrivenApp;
  readonly voice: Voice;
  readonly microphone: MicrophoneWatch;
  readonly speaker: AnswerWatch;
  readonly served: ServedSession[] = [];
  /** Seconds that the rig's recorder captured, and seconds that passed; the difference is the card's fault. */
  readonly card = { seconds: 0, passed: 0 };
  readonly #line: NetworkFaultProxy;
  readonly #lifetime: Lifetime;

  private constructor(
    lifetime: Lifetime,
    app: DrivenApp,
    line: NetworkFaultProxy,
    gateway: ModuleProcess,
  ) {
    this.#lifetime = lifetime;
    this.app = app;
    this.#line = line;
    const source = new SoundTape(inputRate);
    const monitor = new SoundTape(outputRate);
    this.microphone = new MicrophoneWatch(source);
    this.speaker = new AnswerWatch(monitor);
    let began: number | undefined;
    const recorders = [
      recordFrom('micsrc', inputRate, {}, (block, at) => {
        source.push(block, at);
        began ??= at;
        this.card.seconds = source.count / inputRate;
        this.card.passed = (at - began) / 1000;
      }),
      recordFrom('speaker.monitor', outputRate, {}, (block, at) => {
        monitor.push(block, at);
      }),
    ];
    this.voice = new Voice(playInto('mic', inputRate, 100, {}));
    gateway.process.on('message', (message: GatewayMessage) => {
      this.#heard(message);
    });
    lifetime.add(async () => {
      await this.voice.end();
      for (const recorder of recorders) recorder.end();
    }, 'the recorders and the player');
  }

  static async open(sessionSeconds: number): Promise<SoakTalk> {
    const lifetime = new Lifetime('a soaked talk');
    try {
      const card = await openIsolatedSoundServer();
      lifetime.add(() => card.end(), 'the sound card');
      await startWindowManager(lifetime);
      const plan: GatewayPlan = {
        toneSeconds: answerSeconds,
        options: {
          sessionSeconds: { audio: sessionSeconds, video: sessionSeconds },
          contextTokens: noLimit,
        },
      };
      const gateway = new ModuleProcess('../bench/conversation/gateway.ts', [JSON.stringify(plan)]);
      lifetime.add(() => gateway.kill(), 'the gateway');
      const [ready] = (await once(gateway.process, 'message')) as [{ readonly url: string }];
      const line = new NetworkFaultProxy(Math.random);
      const url = await line.open();
      lifetime.add(() => line.end(), 'the line');
      line.target = ready.url;
      const app = await openDrivenApp(lifetime, { flags: fakeCameraFlags(30) });
      const talk = new SoakTalk(lifetime, app, line, gateway);
      await talk.#start(url, sessionSeconds);
      return talk;
    } catch (error) {
      await lifetime.end();
      throw error;
    }
  }

  cut(): void {
    const last = this.served.at(-1);
    if (last !== undefined) last.cut = true;
    this.#line.cut();
  }

  async pageNotices(): Promise<PageNotices> {
    return (await this.app.ask('page', 'window.notices')) as PageNotices;
  }

  /** Seconds that threads of the main process were runnable but had no processor. */
  get waited(): number {
    const waits = processorWaits(this.app.pid);
    return [...waits.values()].reduce((sum, ms) => sum + ms / 1000, 0);
  }

  /** Ends the talk properly, so that its tape is closed. */
  async hangUp(): Promise<void> {
    const { phases, endings, errors } = await this.pageNotices();
    const { places, unplaced } = this.microphone;
    const heard = `${places.length} appends found in the microphone's sound, ${unplaced} not`;
    const details = [...endings, ...errors, heard, JSON.stringify(this.served)].join(', ');
    if (phases.at(-1) === 'ended') throw new Error(`The talk has ended: ${details}.`);
    await click(this.app, 'End');
    await untilGone(this.app, 'Live');
    await delay(3000);
  }

  async end(): Promise<void> {
    await this.#lifetime.end();
  }

  async #start(url: string, timeLimit: number): Promise<void> {
    const traits = { timeLimit, contextLimit: noLimit };
    const server = { name: 'Soak', kind: 'local', url, dialect: 'unified', headers: {}, query: {} };
    const put = await this.#ask('putEndpoint', { ...server, traits });
    const { id } = put as { readonly id: string };
    await this.#ask('changeSettings', {
      endpoints: { chosen: id },
      privacy: { keepTalks: 'yes', keepTapes: true },
      talking: { longTalks: 'handOver' },
      vision: { fewerWhenStill: false },
    });
    await this.app.ask('page', recordNotices);
    await click(this.app, 'Start with the camera');
    await untilShown(this.app, 'Live');
    // The microphone may open after the session, and the first second of a stream is unreliable.
    const until = performance.now() + timeoutMs;
    while ((this.served[0]?.received ?? 0) < 2 * inputRate) {
      if (performance.now() > until) throw new Error('The gateway receives no sound.');
      await delay(100);
    }
  }

  async #ask(name: string, input?: unknown): Promise<unknown> {
    const args = input === undefined ? `'${name}'` : `'${name}', ${JSON.stringify(input)}`;
    const reply = (await this.app.ask('page', `window.parley.request(${args})`)) as {
      readonly ok: boolean;
      readonly value?: unknown;
    };
    if (!reply.ok) throw new Error(`${name}: ${JSON.stringify(reply)}`);
    return reply.value;
  }

  #heard(message: GatewayMessage): void {
    this.speaker.heard(message);
    if (message.kind !== 'append' && message.kind !== 'output') return;
    let served = this.served.find(({ session }) => session === message.session);
    if (served === undefined) {
      served = { session: message.session, received: 0, sent: 0, frames: 0, cut: false };
      this.served.push(served);
    }
    if (message.kind === 'output') {
      served.sent += message.samples;
      return;
    }
    served.received += message.samples;
    served.frames += message.frames;
    this.microphone.heard(message);
  }
}

/** Page script that records all notices from now on. */
const recordNotices = `(() => {
  window.notices = { phases: [], endings: [], errors: [], pictures: 0, cutWords: 0 };
  window.parley.onNotice(({ name, payload }) => {
    if (name === 'talkState') {
      const { error } = payload.ending ?? payload;
      window.notices.phases.push(payload.phase);
      if (error) window.notices.endings.push(error.code);
    }
    if (name === 'talkTrouble') window.notices.errors.push(payload.code);
    if (name === 'frameSent') window.notices.pictures += 1;
    if (name === 'caption' && payload.cutFrom !== undefined) window.notices.cutWords += 1;
  });
})()`;
