import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Lifetime } from '../../../shared/lifetime.ts';
import { PlainPlayer } from '../../bench/conversation/rig.ts';
import { raisePriority, raiseSessionPriority } from '../../bench/bench-helpers.ts';
import { SoundServer } from '../../contract/sound/sound-server.ts';
import type { GatewayOptions } from '../../../electron/gateway/gateway-options.ts';
import { inputRate, outputRate } from '../../../shared/protocol/realtime-api.ts';
import { BenchProcess } from '../../bench/conversation/bench-process.ts';
import type { GatewayMessage, GatewayPlan } from '../../bench/conversation/gateway.ts';
import { SoundTape } from '../../bench/conversation/sound-tape.ts';
import { recordFrom } from '../../bench/sound/sound-processes.ts';
import { instant } from '../../contract/sound/player.ts';
import { say } from '../../contract/sound/run-tool.ts';
import { startCli } from '../../fakes/run-cli.ts';
import { sentence } from '../../scenes/talk-harness.ts';
import { AnswerWatch, type HeardAnswer } from '../answer-watch.ts';
import { maxWait, processorWaits } from '../processor-waits.ts';

interface TalksOptions {
  readonly seconds: number;
  readonly with: readonly ServerKind[];
  readonly limits?: TalkLimits;
  /** Raises the priority of the measuring processes and of this session, as in a bench. */
  readonly first?: boolean;
}

const listenEveryMs = 10_000;

/** Runs `parley talk` with each kind of server at once, and judges each talk by what the machine did meanwhile. */
export async function runTalks(options: TalksOptions): Promise<readonly TalkVerdict[]> {
  const lifetime = new Lifetime('the long talks');
  try {
    if (options.first === true) raiseSessionPriority();
    const plain = await playPlainly(lifetime);
    const talks = await Promise.all(options.with.map((server) => openTalk(server, lifetime)));
    // Raises only the measuring process; Parley has already started.
    if (options.first === true) raisePriority(process.pid);
    const accounts = await Promise.all(talks.map((hold) => hold(options.seconds)));
    const plainLost = plain();
    return accounts.map((account) => judgeTalk(account, plainLost, options.limits));
  } finally {
    await lifetime.end();
  }
}

/** Plays a continuous tone with another program; returns a function for the share lost so far. */
async function playPlainly(lifetime: Lifetime): Promise<() => number> {
  const sound = new SoundServer();
  lifetime.add(() => sound.end(), 'the card of the plain tone');
  await sound.start();
  raisePriority(sound.pid);
  const player = await PlainPlayer.start(sound);
  let [heard, lostMs] = [0, 0];
  const listen = (): void => {
    const { count } = player.recorded;
    lostMs += player.recorded.gapsMs(heard).reduce((sum, ms) => sum + ms, 0);
    heard = count;
  };
  const listening = setInterval(listen, listenEveryMs);
  lifetime.add(() => {
    clearInterval(listening);
    player.end();
  }, 'the plain tone');
  return () => {
    listen();
    return lostMs / ((heard * 1000) / player.recorded.rate);
  };
}

export function talksTable(verdicts: readonly TalkVerdict[]): string {
  const rows = verdicts.map(({ cells }) => cells);
  const heads = Object.keys(rows[0] ?? {});
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const body = rows.map((row) => line(heads.map((head) => row[head] ?? '')));
  return [line(heads), line(heads.map(() => '---')), ...body].join('\n');
}

/** Kinds of servers, as options for the embedded gateway. */
const talkServers = {
  documented: { dialect: 'unified', profile: 'documented' },
  deployed: { dialect: 'unified', profile: 'deployed' },
  older: { dialect: 'legacy', profile: 'deployed' },
  'llama-omni': { dialect: 'unified', profile: 'llama-omni' },
} as const satisfies Record<string, Partial<GatewayOptions>>;

export const allTalkServers = Object.keys(talkServers) as ServerKind[];

type Append = Extract<GatewayMessage, { kind: 'append' }>;

type ServerKind = keyof typeof talkServers;

interface TimedAppend extends Pick<Append, 'at' | 'samples'> {
  /** How long, at most, one thread of Parley waited for a processor since the previous append. */
  readonly waitedMs: number;
}

/** The record of one talk; its times are comparable between processes. */
interface TalkMeasurements {
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
  const gateway = new BenchProcess<GatewayMessage>('gateway.ts', [JSON.stringify(plan)]);
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

export interface TalkLimits {
  readonly gapMs: number;
  /** Sound that was due but did not arrive. */
  readonly missingSeconds: number;
  readonly heard: number;
}

const defaultLimits: TalkLimits = { gapMs: 1300, missingSeconds: 1.3, heard: 0.99 };

interface TalkVerdict {
  /** Cells of the verdict's row, by the heading of their column. */
  readonly cells: Readonly<Record<string, string>>;
  readonly broken: readonly string[];
}

/** Compares a talk with its limits. Gaps and lost sound count without the machine's share. */
function judgeTalk(
  { server, appends, answers, unanswered, card }: TalkMeasurements,
  /** The share of a plain player's continuous tone that was lost. */
  plainLost: number,
  limits: TalkLimits = defaultLimits,
): TalkVerdict {
  const gaps = appends.slice(1).map(({ at, waitedMs }, index) => {
    const from = appends[index]?.at ?? at;
    const stalledMs = Math.max(waitedMs, card.longestMs(from, at));
    return { at, ms: at - from, stalledMs, ownMs: at - from - stalledMs };
  });
  const longest = gaps.toSorted((one, other) => other.ms - one.ms)[0];
  const over = gaps.filter(({ ms }) => ms > limits.gapMs);
  const [first, last] = [appends[0], appends.at(-1)];
  const seconds = ((last?.at ?? 0) - (first?.at ?? 0)) / 1000;
  const got = sum(appends.slice(1).map(({ samples }) => samples)) / inputRate;
  const sentMs = sum(answers.map(({ sentMs: ms }) => ms));
  const silentMs = sum(answers.flatMap(({ gapsMs }) => gapsMs));
  const shortMs = sum(answers.map((answer) => Math.max(0, answer.sentMs - answer.heardMs)));
  const lost = (silentMs + shortMs) / sentMs;
  const broken = [
    ...over
      .filter(({ ownMs }) => ownMs > limits.gapMs)
      .map(
        ({ ms, stalledMs }) =>
          `a gap of ${ms.toFixed(0)} ms (the machine: ${stalledMs.toFixed(0)})`,
      ),
    ...(seconds - got > limits.missingSeconds ? [`${(seconds - got).toFixed(1)} s not sent`] : []),
    ...(unanswered > 0 || answers.length === 0 ? [`${unanswered} questions not answered`] : []),
    // NaN if there was no answer, which is reported above.
    ...(lost - plainLost > 1 - limits.heard ? [`${percent(lost)} of answers lost`] : []),
  ];
  const excused = over.length - over.filter(({ ownMs }) => ownMs > limits.gapMs).length;
  return {
    cells: {
      server,
      appends: `${appends.length}, ${got.toFixed(0)} s in ${seconds.toFixed(1)} s`,
      'longest gap': `${(longest?.ms ?? 0).toFixed(0)} ms (at ${(((longest?.at ?? 0) - (first?.at ?? 0)) / 1000).toFixed(0)} s)`,
      'of it the machine': `${(longest?.stalledMs ?? 0).toFixed(0)} ms`,
      'gaps excused': String(excused),
      answers: `${answers.length}, ${unanswered} not`,
      heard: percent(1 - lost),
      'plain tone': percent(1 - plainLost),
      verdict: broken.length === 0 ? 'kept' : `BROKEN: ${broken.join('; ')}`,
    },
    broken,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

const percent = (part: number): string => `${(100 * part).toFixed(2)} %`;

/** A card delivers sound every 10 ms; shorter stops do no harm. */
const minStopMs = 50;

/** Finds the times at which the card delivered nothing to a continuous recorder. */
class CardStops {
  readonly #stops: { readonly from: number; readonly until: number }[] = [];
  #last: number | undefined;

  blockArrived(at: number): void {
    const before = this.#last ?? at;
    this.#last = at;
    if (at - before > minStopMs) this.#stops.push({ from: before, until: at });
  }

  /** The longest stop within a period. */
  longestMs(from: number, until: number): number {
    const durations = this.#stops.map(
      (stop) => Math.min(stop.until, until) - Math.max(stop.from, from),
    );
    return Math.max(0, ...durations);
  }
}
