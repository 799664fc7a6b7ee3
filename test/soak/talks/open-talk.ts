import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayOptions } from '../../../electron/gateway/gateway-options.ts';
import type { Lifetime } from '../../../shared/lifetime.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { Child } from '../../bench/conversation/child.ts';
import type { GatewayMessage, GatewayPlan } from '../../bench/conversation/gateway.ts';
import { SoundTape } from '../../bench/conversation/sound-tape.ts';
import { raisePriority } from '../../bench/conversation/priority.ts';
import { recordFrom } from '../../bench/sound/sound-processes.ts';
import { instant } from '../../contract/sound/player.ts';
import { say } from '../../contract/sound/say.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import { startCli } from '../../fakes/run-cli.ts';
import { sentence } from '../../scenes/talk-harness.ts';
import { CardStops } from './card-stops.ts';
import { AnswerWatch, type HeardAnswer } from '../answer-watch.ts';
import { maxWait, processorWaits } from '../processor-waits.ts';

/** Kinds of servers, as options for the embedded gateway. */
export const talkServers = {
  documented: { dialect: 'unified', profile: 'documented' },
  deployed: { dialect: 'unified', profile: 'deployed' },
  older: { dialect: 'legacy', profile: 'deployed' },
  'llama-omni': { dialect: 'unified', profile: 'llama-omni' },
} as const satisfies Record<string, Partial<GatewayOptions>>;

type Append = Extract<GatewayMessage, { kind: 'append' }>;

export type ServerKind = keyof typeof talkServers;

interface TimedAppend extends Pick<Append, 'at' | 'samples'> {
  /** How long, at most, one thread of Parley waited for a processor since the previous append. */
  readonly waitedMs: number;
}

/** The record of one talk; its times are comparable between processes. */
export interface TalkMeasurements {
  readonly server: ServerKind;
  readonly appends: readonly TimedAppend[];
  readonly answers: readonly HeardAnswer[];
  readonly unanswered: number;
  /** Stops of the card, from the continuous recorder. */
  readonly card: CardStops;
}

const answerSeconds = 4;
const pauseMs = 2000;
const timeoutMs = 30_000;
const noLimit = 1_000_000;

/**
 * Starts a real `parley talk` on its own virtual card, its server, and a user who asks again two seconds after each answer
 * (a tone). Resolves when the talk is live.
 */
export async function openTalk(
  server: ServerKind,
  lifetime: Lifetime,
): Promise<(seconds: number) => Promise<TalkMeasurements>> {
  const sound = new SoundServer('short');
  lifetime.add(() => sound.end(), `the card of ${server}`);
  await sound.start();
  raisePriority(sound.pid);
  const sessionSeconds = { audio: noLimit, video: noLimit };
  const options = { ...talkServers[server], sessionSeconds, contextTokens: noLimit };
  const plan: GatewayPlan = { toneSeconds: answerSeconds, options };
  const gateway = new Child<GatewayMessage>('gateway.ts', [JSON.stringify(plan)]);
  lifetime.add(async () => {
    gateway.leave();
    await gateway.end();
  }, `the gateway of ${server}`);
  const { url } = await gateway.until('ready');
  const speaker = new SoundTape(outputRate);
  const card = new CardStops();
  const recorder = recordFrom('speaker.monitor', outputRate, sound.environment, (block, at) => {
    card.blockArrived(at);
    speaker.push(block, at);
  });
  raisePriority(recorder.pid);
  lifetime.add(recorder.end, `the recorder of ${server}`);
  const watch = new AnswerWatch(speaker);
  const appends: TimedAppend[] = [];

  const state = mkdtempSync(join(tmpdir(), 'parley-talk-'));
  lifetime.add(() => {
    rmSync(state, { recursive: true, force: true });
  }, `the folder of ${server}`);
  const { dialect } = talkServers[server];
  const args = ['talk', '--mode', 'audio', '--mic', '--speaker', '--url', url];
  const talk = startCli([...args, '--dialect', dialect], null, {
    ...process.env,
    ...sound.environment,
    PARLEY_STATE_DIR: state,
  });
  lifetime.add(() => void talk.child.kill('SIGKILL'), `the talk of ${server}`);
  const { pid } = talk.child;
  if (pid === undefined) throw new Error('parley talk does not start.');
  let waits: ReadonlyMap<string, number> = new Map();
  gateway.listen((message) => {
    watch.heard(message);
    if (message.kind !== 'append') return;
    const [before, { at, samples }] = [waits, message];
    waits = processorWaits(pid);
    appends.push({ at, samples, waitedMs: maxWait(before, waits) });
  });
  await gateway.until('append', timeoutMs);
  return async (seconds) => {
    // Skips the start of the stream, which is unreliable for about a second.
    await wait(pauseMs);
    const [from, until] = [instant(), instant() + seconds * 1000];
    let unanswered = 0;
    while (instant() < until) {
      await say(sentence('again'), inputRate, sound.environment);
      if ((await watch.next()) === undefined) unanswered += 1;
      await wait(pauseMs);
    }
    const measured = appends.filter(({ at }) => at >= from);
    talk.child.kill('SIGINT');
    const { code, err } = await talk.ended;
    if (code !== 0) throw new Error(`The talk with ${server} ended with ${String(code)}: ${err}`);
    return { server, appends: measured, answers: watch.answers, unanswered, card };
  };
}
