import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { joinSamples } from '../../electron/audio/dsp/samples.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { quantile } from '../../shared/statistics.ts';
import { instant } from '../contract/sound/player.ts';
import { missingSoundServer } from '../contract/sound/sound-server.ts';
import { powerDb } from '../fakes/echo-room.ts';
import { lastTurn } from './talk-checks.ts';
import { sentence, TalkHarness } from './talk-harness.ts';

/** Sound still in flight when the user stops speaking: a chunk, plus delays of a busy machine. */
const inFlightMs = 1400;
/** An answer ends within this time, even if broken sound makes it last longer. */
const maxAnswerMs = 60_000;

/** Starts a talk on open speakers: the microphone hears the user and the echo of the speaker. */
async function open(harness: TalkHarness): Promise<void> {
  await harness.serve({ dialect: 'unified', profile: 'documented' });
  await harness.open('unified');
  await harness.sound.openRoom();
  await harness.do('change', { audio: { echo: 'auto' }, talking: { longTalks: 'handOver' } });
  await harness.do('startTalk', { mode: 'audio' });
  await harness.until('the talk is live', ({ state }) => state.phase === 'live');
  await wait(1500);
}

async function untilQuiet(harness: TalkHarness): Promise<void> {
  const until = instant() + maxAnswerMs;
  while (instant() < until) {
    const since = instant();
    await wait(2500);
    const { captions, floor } = await harness.view();
    const isTalking = harness.connection.outputsSince(since).some(({ audio }) => audio);
    if (!isTalking && floor === 'nobody' && captions.every(({ settled }) => settled)) return;
  }
  throw new Error('It does not become quiet.');
}

/** Asks something, waits until the answer begins to be heard, and returns the number of the turn before it. */
async function askUntilHeard(harness: TalkHarness): Promise<number> {
  await untilQuiet(harness);
  const before = lastTurn(await harness.view());
  await harness.speak(sentence('see'));
  await harness.until('an answer is heard', ({ captions, floor }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > before && last.heard > 0 && floor !== 'you';
  });
  return before;
}

/** Listens to a whole answer: whether it was cut, and the echo's level at the server per 20 ms. */
async function listen(harness: TalkHarness) {
  const before = await askUntilHeard(harness);
  // By then the chunk with the end of the user's speech has been sent.
  const since = instant() + inFlightMs;
  const { captions } = await harness.until('the answer is over', ({ captions, floor }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > before && last.settled && floor !== 'parley';
  });
  const until = instant();
  await wait(inFlightMs);
  const { appends } = harness.connection;
  const sent = joinSamples(
    appends.flatMap(({ at, event }) => (at >= since && at < until ? [event.audio] : [])),
  );
  const echoDb: number[] = [];
  for (let at = 0; (at + 0.02) * inputRate <= sent.length; at += 0.02)
    echoDb.push(powerDb(sent, at, at + 0.02));
  const isCut = captions.some(({ turn, cutFrom }) => turn > before && cutFrom !== undefined);
  return { isCut, echoDb };
}

/** Speaks over an answer, and returns whether the server heard it and yielded. */
async function interrupt(harness: TalkHarness): Promise<boolean> {
  await askUntilHeard(harness);
  await wait(700);
  const since = instant();
  await harness.speak(sentence('hello'));
  await wait(inFlightMs);
  return harness.connection.events.some(({ at, event }) => at >= since && event.kind === 'listen');
}

/** A minute by default; `PARLEY_OPEN_SPEAKER_SECONDS=600` finds rare faults. */
const seconds = Number(process.env['PARLEY_OPEN_SPEAKER_SECONDS'] ?? 60);
/** The user speaks over every nth answer, more than twenty times in ten minutes. */
const every = seconds < 600 ? 4 : 2;

const missing = await missingSoundServer();

it(
  'a talk on open speakers is rarely cut by its echo, and the user can interrupt it',
  { timeout: (seconds * 2 + 120) * 1000 },
  async (context) => {
    if (missing !== undefined) context.skip(missing);
    const harness = new TalkHarness('unified');
    const answers: Awaited<ReturnType<typeof listen>>[] = [];
    const heard: boolean[] = [];
    try {
      await open(harness);
      const until = instant() + seconds * 1000;
      for (let turn = 1; instant() < until || turn <= every; turn += 1) {
        if (turn % every === 0) heard.push(await interrupt(harness));
        else answers.push(await listen(harness));
      }
    } finally {
      await harness.end();
    }
    const cut = answers.filter(({ isCut }) => isCut).length;
    const echoDb = quantile(
      answers.flatMap((answer) => answer.echoDb),
      0.5,
    );
    process.stdout.write(
      `open speakers: ${cut} of ${answers.length} answers cut, half of the echo at ${echoDb.toFixed(0)} dBFS\n`,
    );
    // On a machine that breaks sound every second, one of 36 answers is cut; without a canceller all would be.
    expect(cut).toBeLessThanOrEqual(Math.ceil(answers.length / 10));
    expect(heard).not.toContain(false);
    expect(echoDb).toBeLessThan(-55);
  },
);
