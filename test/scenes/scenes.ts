import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { resample } from '../../electron/audio/dsp/sinc-resampler.ts';
import { inputRate } from '../../shared/protocol/realtime-api.ts';
import { instant } from '../contract/sound/player.ts';
import {
  minLikeness,
  expectWholeAnswer,
  waitForAnswerStart,
  expectAnswer,
  expectCut,
  waitForQuiet,
  isWhole,
  lastTurn,
  soonMs,
} from './answer-checks.ts';
import { monitorRate, wholeIn } from './monitor.ts';
import { sentence, type Stage } from './stage.ts';
import {
  appendsSince,
  expectOnlySilence,
  loudest,
  expectSpeechSent,
  sentSince,
  isUserLoud,
} from './uplink-checks.ts';

export async function start(stage: Stage): Promise<void> {
  const first = stage.ask('startTalk', { mode: 'audio' });
  const second = await stage.ask('startTalk', { mode: 'audio' });
  expect(await first).toMatchObject({ ok: true, value: { mode: 'audio', endpoint: 'Studio' } });
  // The first talk may already be live when the second is requested.
  const refusal = /"talk(?:StartingAlready|GoingOn)"/;
  expect(second).toMatchObject({ ok: false });
  expect(JSON.stringify(second)).toMatch(refusal);
  const view = await stage.until('the talk is live', ({ state, devices }) => {
    const { microphone, speaker } = devices;
    return state.phase === 'live' && microphone.kind === 'using' && speaker.kind === 'using';
  });
  expect(view.controls).toMatchObject({ talking: 'open', transmitting: true });
  // The first second of a new stream is unreliable.
  await wait(1500);
}

export async function interruptAnswer(stage: Stage): Promise<void> {
  const turn = await waitForAnswerStart(stage);
  const since = instant();
  // After more sound has arrived, a whole second is queued.
  await stage.eventually(
    'more sound has arrived',
    () => stage.connection.outputsSince(since).length > 0,
  );
  const at = instant();
  await stage.do('interruptTalk');
  await stage.eventually('the server learns of it', () =>
    stage.connection.appends.some(
      ({ at: when, event }) => when >= at && event.forceListen === true,
    ),
  );
  expect(await expectCut(stage, turn)).toBeGreaterThan(0);
  await wait(soonMs + 1000);
  expect(stage.monitor.lastSound(at) - at).toBeLessThan(soonMs);
  await expectAnswer(stage);
}

/** Speaks over the answer until the model yields; then it is silent, and answers again. */
export async function speakOverAnswer(stage: Stage): Promise<void> {
  const turn = await waitForAnswerStart(stage);
  const since = instant();
  const over = stage.speak(sentence('hello'));
  await expectCut(stage, turn);
  const quietAt = instant();
  await over;
  expect(stage.noticesOf('floor', since)).toContain('both');
  expect(stage.monitor.lastSound(0) - quietAt).toBeLessThan(soonMs);
  await stage.until('there is another answer', ({ captions }) => {
    const last = captions.at(-1);
    return last !== undefined && last.turn > turn && isWhole(last);
  });
  await waitForQuiet(stage);
}

export async function pushToTalk(stage: Stage): Promise<void> {
  await stage.do('change', { talking: { mode: 'hold' } });
  await stage.until('no sound is sent', ({ controls }) => !controls.transmitting);
  await expectOnlySilence(stage);
  await holdKey(stage);
  await stage.do('setTalking', { mode: 'holdOrTap' });
  await tapKey(stage);
  await stage.until(
    'a tap latches the key',
    ({ controls }) => controls.latched && controls.transmitting,
  );
  await expectSpeechSent(stage);
  await tapKey(stage);
  await stage.until('a second tap releases it', ({ controls }) => !controls.transmitting);
  await waitForQuiet(stage);
  await stage.do('change', { talking: { mode: 'open' } });
  await stage.do('setTalking', { mode: 'open' });
  await stage.until('sound is sent', ({ controls }) => controls.transmitting);
}

/** Taps the key without checks between press and release, which would lengthen the tap on a busy machine. */
async function tapKey(stage: Stage): Promise<void> {
  const keys = ['press', 'release'] as const;
  await Promise.all(keys.map((key) => stage.do('talkKey', { key })));
}

const maxTries = 4;
/** Shorter than the half second of pre-roll that the gate keeps. */
const inTimeMs = 450;

/**
 * Speaks, and presses the key after the first syllable. It retries, because a busy machine may press too late or break the
 * sound; a fault of Parley repeats.
 */
async function holdKey(stage: Stage): Promise<void> {
  let best: number | undefined;
  for (let tries = 0; tries < maxTries && (best ?? 0) <= minLikeness; tries += 1) {
    const before = lastTurn(await stage.view());
    const since = instant();
    const question = sentence('see');
    const saying = stage.speak(question);
    await stage.eventually('the user has begun to speak', () => isUserLoud(stage, since));
    await stage.do('talkKey', { key: 'press' });
    const inTime = instant() - since < inTimeMs;
    await saying;
    await wait(200);
    await stage.do('talkKey', { key: 'release' });
    await expectWholeAnswer(stage, before, since);
    if (!inTime) continue;
    const sent = resample(sentSince(stage, since), inputRate, monitorRate);
    best = Math.max(best ?? 0, wholeIn(sent, question, inputRate));
  }
  if (best === undefined) {
    throw new Error('The key was never pressed in time, because this machine is too busy.');
  }
  expect(best).toBeGreaterThan(minLikeness);
}

export async function mute(stage: Stage): Promise<void> {
  await stage.do('setMuted', { muted: true });
  await expectOnlySilence(stage);
  await stage.do('setMuted', { muted: false });
  await stage.do('setCoughMuted', { muted: true });
  await expectOnlySilence(stage);
  await stage.do('setCoughMuted', { muted: false });
  await stage.until('sound is sent', ({ controls }) => controls.transmitting);
}

export async function pause(stage: Stage): Promise<void> {
  await stage.do('setPaused', { paused: true });
  // Sound in flight is sent.
  await wait(500);
  const since = instant();
  await wait(2500);
  expect(appendsSince(stage, since)).toBe(0);
  expect((await stage.view()).controls.paused).toBe(true);
  await stage.do('setPaused', { paused: false });
  await expectSpeechSent(stage);
  await waitForQuiet(stage);
}

/** Stops the sound server, so that microphone and speaker disappear, and starts it again. */
export async function unplugDevices(stage: Stage): Promise<void> {
  await stage.sound.kill();
  const gone = await stage.until('both devices are lost', ({ devices }) => {
    return devices.microphone.kind === 'lost' && devices.speaker.kind === 'lost';
  });
  expect(gone.state.phase).toBe('live');
  const lost = instant();
  await stage.eventually('collected sound is sent', () => appendsSince(stage, lost) >= 1);
  const since = instant();
  await stage.eventually('the server receives two appends', () => appendsSince(stage, since) >= 2);
  // The filters decay below the resolution of 24 bits.
  expect(loudest(sentSince(stage, since))).toBeLessThan(2 ** -24);
  await stage.sound.start();
  stage.monitor.listen();
  const back = await stage.until('both devices are used again', ({ devices }) => {
    return devices.microphone.kind === 'using' && devices.speaker.kind === 'using';
  });
  expect(back.state.phase).toBe('live');
  await wait(1500);
  await expectAnswer(stage);
}

/** Kills the gateway in the middle of an answer; the next one receives the transcript. */
export async function loseNetwork(stage: Stage, serve: () => Promise<void>): Promise<void> {
  const { captions } = await stage.view();
  const heard = captions.findLast(isWhole)?.text.trim() ?? 'nothing';
  await waitForAnswerStart(stage);
  const at = instant();
  await stage.killGateway();
  const lost = await stage.until(
    'Parley reconnects',
    ({ state }) => state.phase === 'reconnecting',
  );
  expect(lost.state).toMatchObject({ error: { code: expect.stringMatching(/^\w+$/) as unknown } });
  expect(lost.captions.slice(0, captions.length)).toEqual(captions);
  await serve();
  await stage.until('it is live again', ({ state }) => state.phase === 'live');
  expect(stage.noticesOf('talkState', at).map(({ phase }) => phase)).not.toContain('ended');
  expect(stage.connection.instructions).toContain(heard);
  await stage.until('received captions are settled', (view) => {
    return view.captions.every(({ settled }) => settled);
  });
}

/** The server ends the session at its time limit, and the user continues. */
export async function continueAfterLimit(stage: Stage, serve: () => Promise<void>): Promise<void> {
  await expectAnswer(stage);
  const { captions } = await stage.view();
  const over = await stage.until('the time is over', ({ state }) => state.phase === 'ended');
  expect(over.state).toMatchObject({ ending: { by: 'server' }, offer: 'continue' });
  expect(over.captions).toEqual(captions);
  await stage.eventually('microphone and speaker are closed', async () => !(await isOnAir(stage)));
  await serve();
  await stage.do('continueTalk', { carry: 'transcript' });
  await stage.until('it is live again', ({ state }) => state.phase === 'live');
  expect(stage.connection.instructions).toContain(captions.findLast(isWhole)?.text.trim());
  await wait(1000);
  await expectAnswer(stage);
}

/** Whether any stream is open besides the test's monitor. */
async function isOnAir(stage: Stage): Promise<boolean> {
  const [playing, listening] = await stage.sound.streams();
  return playing > 0 || listening > 1;
}

export async function endTalk(stage: Stage): Promise<void> {
  await waitForAnswerStart(stage);
  const at = instant();
  await stage.do('endTalk');
  const over = await stage.until('it has ended', ({ state }) => state.phase === 'ended');
  expect(over.state).toMatchObject({ ending: { by: 'client', orderly: true } });
  await stage.eventually('microphone and speaker are closed', async () => !(await isOnAir(stage)));
  expect(stage.monitor.lastSound(at) - at).toBeLessThan(soonMs);
  // Ending a talk that has ended is not an error.
  await stage.do('endTalk');
  await start(stage);
  expect((await stage.view()).captions).toEqual([]);
  await stage.do('endTalk');
  await stage.until('it has ended again', ({ state }) => state.phase === 'ended');
}
