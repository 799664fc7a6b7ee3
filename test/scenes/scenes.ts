import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { instant } from '../contract/sound/player.ts';
import {
  minLikeness,
  expectFullAnswer,
  waitForAnswerStart,
  expectAnswer,
  expectCut,
  waitForQuiet,
  isFullyHeard,
  lastTurn,
  soonMs,
  appendsSince,
  expectOnlySilence,
  loudest,
  expectSpeechSent,
  sentSince,
  isUserLoud,
} from './talk-checks.ts';
import { monitorRate, edgeLikeness } from './monitor.ts';
import { sentence, type TalkHarness } from './talk-harness.ts';

export async function start(harness: TalkHarness): Promise<void> {
  const first = harness.ask('startTalk', { mode: 'audio' });
  const second = await harness.ask('startTalk', { mode: 'audio' });
  expect(await first).toMatchObject({ ok: true, value: { mode: 'audio', endpoint: 'Studio' } });
  // The first talk may already be live when the second is requested.
  const refusal = /"talk(?:StartingAlready|GoingOn)"/;
  expect(second).toMatchObject({ ok: false });
  expect(JSON.stringify(second)).toMatch(refusal);
  const view = await harness.until('the talk is live', ({ state, devices }) => {
    const { microphone, speaker } = devices;
    return state.phase === 'live' && microphone.kind === 'using' && speaker.kind === 'using';
  });
  expect(view.controls).toMatchObject({ talking: 'open', transmitting: true });
  // The first second of a new stream is unreliable.
  await wait(1500);
}

export async function interruptAnswer(harness: TalkHarness): Promise<void> {
  const turn = await waitForAnswerStart(harness);
  const since = instant();
  // After more sound has arrived, a whole second is queued.
  await harness.eventually(
    'more sound has arrived',
    () => harness.connection.outputsSince(since).length > 0,
  );
  const at = instant();
  await harness.do('interruptTalk');
  await harness.eventually('the server learns of it', () =>
    harness.connection.appends.some(
      ({ at: when, event }) => when >= at && event.forceListen === true,
    ),
  );
  expect(await expectCut(harness, turn)).toBeGreaterThan(0);
  await wait(soonMs + 1000);
  expect(harness.monitor.lastSound(at) - at).toBeLessThan(soonMs);
  await expectAnswer(harness);
}

/** Speaks over the answer until the model yields; then it is silent, and answers again. */
export async function speakOverAnswer(harness: TalkHarness): Promise<void> {
  const turn = await waitForAnswerStart(harness);
  const since = instant();
  const over = harness.speak(sentence('hello'));
  await expectCut(harness, turn);
  const quietAt = instant();
  await over;
  expect(harness.noticesOf('floor', since)).toContain('both');
  expect(harness.monitor.lastSound(0) - quietAt).toBeLessThan(soonMs);
  await harness.until('there is another answer', ({ captions }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > turn && isFullyHeard(last);
  });
  await waitForQuiet(harness);
}

export async function pushToTalk(harness: TalkHarness): Promise<void> {
  await harness.do('change', { talking: { mode: 'hold' } });
  await harness.until('no sound is sent', ({ controls }) => !controls.transmitting);
  await expectOnlySilence(harness);
  await holdKey(harness);
  await harness.do('setTalking', { mode: 'holdOrTap' });
  await tapKey(harness);
  await harness.until(
    'a tap latches the key',
    ({ controls }) => controls.latched && controls.transmitting,
  );
  await expectSpeechSent(harness);
  await tapKey(harness);
  await harness.until('a second tap releases it', ({ controls }) => !controls.transmitting);
  await waitForQuiet(harness);
  await harness.do('change', { talking: { mode: 'open' } });
  await harness.do('setTalking', { mode: 'open' });
  await harness.until('sound is sent', ({ controls }) => controls.transmitting);
}

/** Taps the key without checks between press and release, which would lengthen the tap on a busy machine. */
async function tapKey(harness: TalkHarness): Promise<void> {
  const keys = ['press', 'release'] as const;
  await Promise.all(keys.map((key) => harness.do('talkKey', { key })));
}

const maxTries = 4;
/** Shorter than the half second of pre-roll that the gate keeps. */
const inTimeMs = 450;

/**
 * Speaks, and presses the key after the first syllable. It retries, because a busy machine may press too late or break the
 * sound; a fault of Parley repeats.
 */
async function holdKey(harness: TalkHarness): Promise<void> {
  let best: number | undefined;
  for (let tries = 0; tries < maxTries && (best ?? 0) <= minLikeness; tries += 1) {
    const before = lastTurn(await harness.view());
    const since = instant();
    const question = sentence('see');
    const saying = harness.speak(question);
    await harness.eventually('the user has begun to speak', () => isUserLoud(harness, since));
    await harness.do('talkKey', { key: 'press' });
    const inTime = instant() - since < inTimeMs;
    await saying;
    await wait(200);
    await harness.do('talkKey', { key: 'release' });
    await expectFullAnswer(harness, before, since);
    if (!inTime) continue;
    const sent = resample(sentSince(harness, since), inputRate, monitorRate);
    best = Math.max(best ?? 0, edgeLikeness(sent, question, inputRate));
  }
  if (best === undefined) {
    throw new Error('The key was never pressed in time, because this machine is too busy.');
  }
  expect(best).toBeGreaterThan(minLikeness);
}

export async function mute(harness: TalkHarness): Promise<void> {
  await harness.do('setMuted', { muted: true });
  await expectOnlySilence(harness);
  await harness.do('setMuted', { muted: false });
  await harness.do('setCoughMuted', { muted: true });
  await expectOnlySilence(harness);
  await harness.do('setCoughMuted', { muted: false });
  await harness.until('sound is sent', ({ controls }) => controls.transmitting);
}

export async function pause(harness: TalkHarness): Promise<void> {
  await harness.do('setPaused', { paused: true });
  // Sound in flight is sent.
  await wait(500);
  const since = instant();
  await wait(2500);
  expect(appendsSince(harness, since)).toBe(0);
  expect((await harness.view()).controls.paused).toBe(true);
  await harness.do('setPaused', { paused: false });
  await expectSpeechSent(harness);
  await waitForQuiet(harness);
}

/** Stops the sound server, so that microphone and speaker disappear, and starts it again. */
export async function unplugDevices(harness: TalkHarness): Promise<void> {
  await harness.sound.kill();
  const gone = await harness.until('both devices are lost', ({ devices }) => {
    return devices.microphone.kind === 'lost' && devices.speaker.kind === 'lost';
  });
  expect(gone.state.phase).toBe('live');
  const lost = instant();
  await harness.eventually('collected sound is sent', () => appendsSince(harness, lost) >= 1);
  const since = instant();
  await harness.eventually(
    'the server receives two appends',
    () => appendsSince(harness, since) >= 2,
  );
  // The filters decay below the resolution of 24 bits.
  expect(loudest(sentSince(harness, since))).toBeLessThan(2 ** -24);
  await harness.sound.start();
  harness.monitor.listen();
  const back = await harness.until('both devices are used again', ({ devices }) => {
    return devices.microphone.kind === 'using' && devices.speaker.kind === 'using';
  });
  expect(back.state.phase).toBe('live');
  await wait(1500);
  await expectAnswer(harness);
}

/** Kills the gateway in the middle of an answer; the next one receives the transcript. */
export async function loseNetwork(harness: TalkHarness, serve: () => Promise<void>): Promise<void> {
  const { captions } = await harness.view();
  const heard = captions.findLast(isFullyHeard)?.text.trim() ?? 'nothing';
  await waitForAnswerStart(harness);
  const at = instant();
  await harness.killGateway();
  const lost = await harness.until(
    'Parley reconnects',
    ({ state }) => state.phase === 'reconnecting',
  );
  expect(lost.state).toMatchObject({ error: { code: expect.stringMatching(/^\w+$/) as unknown } });
  expect(lost.captions.slice(0, captions.length)).toEqual(captions);
  await serve();
  await harness.until('it is live again', ({ state }) => state.phase === 'live');
  expect(harness.noticesOf('talkState', at).map(({ phase }) => phase)).not.toContain('ended');
  expect(harness.connection.instructions).toContain(heard);
  await harness.until('received captions are settled', (view) => {
    return view.captions.every(({ settled }) => settled);
  });
}

/** The server ends the session at its time limit, and the user continues. */
export async function continueAfterLimit(
  harness: TalkHarness,
  serve: () => Promise<void>,
): Promise<void> {
  await expectAnswer(harness);
  const { captions } = await harness.view();
  const over = await harness.until('the time is over', ({ state }) => state.phase === 'ended');
  expect(over.state).toMatchObject({ ending: { by: 'server' }, offer: 'continue' });
  expect(over.captions).toEqual(captions);
  await harness.eventually(
    'microphone and speaker are closed',
    async () => !(await isOnAir(harness)),
  );
  await serve();
  await harness.do('continueTalk', { carry: 'transcript' });
  await harness.until('it is live again', ({ state }) => state.phase === 'live');
  expect(harness.connection.instructions).toContain(captions.findLast(isFullyHeard)?.text.trim());
  await wait(1000);
  await expectAnswer(harness);
}

/** Whether any stream is open besides the test's monitor. */
async function isOnAir(harness: TalkHarness): Promise<boolean> {
  const [playing, listening] = await harness.sound.streams();
  return playing > 0 || listening > 1;
}

export async function endTalk(harness: TalkHarness): Promise<void> {
  await waitForAnswerStart(harness);
  const at = instant();
  await harness.do('endTalk');
  const over = await harness.until('it has ended', ({ state }) => state.phase === 'ended');
  expect(over.state).toMatchObject({ ending: { by: 'client', orderly: true } });
  await harness.eventually(
    'microphone and speaker are closed',
    async () => !(await isOnAir(harness)),
  );
  expect(harness.monitor.lastSound(at) - at).toBeLessThan(soonMs);
  // Ending a talk that has ended is not an error.
  await harness.do('endTalk');
  await start(harness);
  expect((await harness.view()).captions).toEqual([]);
  await harness.do('endTalk');
  await harness.until('it has ended again', ({ state }) => state.phase === 'ended');
}
