import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  defaultGatewayOptions,
  type DemoClip,
  type GatewayOptions,
} from '../../../../electron/gateway/gateway-options.ts';
import { openGateway } from '../../../../electron/gateway/gateway.ts';
import { inProcessSockets } from '../../../../electron/gateway/in-process-sockets.ts';
import { bufferBase64 } from '../../../../electron/platform/system/base64-sha256.ts';
import type { RequestInput } from '../../../../shared/ipc/contract.ts';
import { createServerCodec } from '../../../../shared/protocol/server-codec.ts';
import type { ToolTask } from '../../../../shared/talk/talk-view.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { fakePictures } from '../../../fakes/fake-pictures.ts';
import { flushPromises } from '../../../fakes/promises.ts';
import { seeded } from '../../../fakes/seeded.ts';
import { workFolder } from '../../../fakes/work-folder.ts';
import { babble } from '../../../unit/electron/talk/user-transcript/phrase-transcriber-harness.ts';

/** Sentences of the user. Each has its own sound, by which the demonstration recognises it. */
export const sentences = {
  answer: 'I can hear you.',
  reminder: 'Remind me in ten minutes to call home.',
  sum: 'Calculate 6 * 7.',
  story: 'It was a dark night.',
} as const;

type SentenceName = keyof typeof sentences;

const names = Object.keys(sentences) as readonly SentenceName[];

const clips: readonly DemoClip[] = names.map((name, index) => ({
  id: name === 'answer' ? 'hello' : name,
  text: sentences[name],
  words: [{ text: sentences[name], start: 0, end: 2 }],
  audio: babble(index + 1, 24_000),
}));

type Core = ReturnType<typeof coreWithFakes>;
type Changes = RequestInput<'changeSettings'>;

const openHarnesses: SpokenTaskHarness[] = [];

/** Ends every harness that a test opened. Files that use `SpokenTaskHarness` call it after each test. */
export async function endHarnesses(): Promise<void> {
  for (const harness of openHarnesses.splice(0)) await harness.end();
}

/** Tests the tasks that the user speaks in a talk: a core on a virtual clock with the embedded gateway. */
export class SpokenTaskHarness {
  readonly clock = new FakeClock();
  readonly core: Core;

  constructor(options: Partial<GatewayOptions> = {}) {
    const { clock } = this;
    const gateway = openGateway(
      { ...defaultGatewayOptions, ...options },
      {
        clock,
        random: seeded(3),
        codec: createServerCodec(bufferBase64),
        pictures: fakePictures(),
        speech: { clips },
      },
    );
    const sockets = inProcessSockets(gateway, clock);
    this.core = coreWithFakes(workFolder()('state'), clock, {
      embeddedGateway: () => Promise.resolve({ ok: true, value: sockets }),
      wallClock: () => Date.UTC(2026, 10, 28, 12) + clock.now(),
    });
    openHarnesses.push(this);
  }

  /** Starts a talk with tools, in which the user's words are transcribed, and waits until it is live. */
  async talk(changes: Changes = {}): Promise<this> {
    this.core.begin();
    await this.core.ask('watchWire', { on: true });
    await this.core.ask('changeSettings', {
      tools: { reminders: true, clock: true, talks: true },
      privacy: { ownWords: 'whileTalking' },
    });
    await this.core.ask('changeSettings', changes);
    const started = this.core.ask('startTalk', { mode: 'audio' });
    // Files are real, so they take real time.
    for (let tries = 0; tries < 500 && !this.isLive; tries += 1) {
      await this.pass(100);
      await wait(2);
    }
    await started;
    expect(this.isLive).toBe(true);
    return this;
  }

  get isLive(): boolean {
    return this.core.talk.view.state.phase === 'live';
  }

  /** Lets time pass while the microphone captures this sound, then silence. */
  async pass(ms: number, sound: Float32Array = new Float32Array(0)): Promise<this> {
    for (let at = 0; at < ms; at += 20) {
      const block = sound.slice((at / 20) * 320, (at / 20 + 1) * 320);
      const padded = new Float32Array(320);
      padded.set(block);
      this.core.devices.microphones.findLast(({ ended }) => !ended)?.hear(padded);
      for (const speaker of this.core.devices.speakers) speaker.plays(480);
      this.clock.advance(20);
      await flushPromises();
    }
    return this;
  }

  /** The user says a sentence, and pauses. */
  async say(name: SentenceName, pauseMs = 1200): Promise<this> {
    const sound = babble(names.indexOf(name) + 1, 16_000);
    return this.pass((sound.length / 16_000) * 1000 + pauseMs, sound);
  }

  get tasks(): readonly ToolTask[] {
    return this.core.talk.view.tasks;
  }

  get task(): ToolTask | undefined {
    return this.tasks.at(-1);
  }

  /** The tool call that waits for the user's decision. */
  get question() {
    return this.task?.answer?.calls?.find(({ state }) => state === 'asking');
  }

  /** Lets time pass until a condition holds. */
  async until(holds: () => boolean, seconds = 60): Promise<this> {
    for (let tries = 0; tries < seconds * 10 && !holds(); tries += 1) {
      await this.pass(100);
      await wait(1);
    }
    expect(holds()).toBe(true);
    return this;
  }

  /** Frames that Parley sent to the server. */
  get sent(): readonly string[] {
    return this.core
      .payloads('wire')
      .flatMap(({ frames }) => frames)
      .filter(({ direction }) => direction === 'out')
      .map(({ text }) => text);
  }

  /** Waits for the question about a call, allows it, and waits for the end of the task. */
  async allow(decision: 'once' | 'chat' = 'once'): Promise<void> {
    await this.until(() => this.question !== undefined);
    await this.decide(decision);
    await this.until(() => this.task?.state === 'done');
  }

  async decide(decision: 'once' | 'chat' | 'always' | 'deny'): Promise<void> {
    await this.core.ask('decideTalkCall', { call: this.question?.id ?? '', decision });
  }

  async end(): Promise<void> {
    const ended = this.core.lifetime.end();
    for (let tries = 0; tries < 40; tries += 1) {
      await this.pass(500);
      await wait(2);
    }
    await ended;
  }
}
