import { afterEach, describe, expect, it } from 'vitest';
import { CapturePipeline } from '../../../../../electron/audio/capture/microphone.ts';
import {
  judgeOwnSound,
  type OwnSound,
} from '../../../../../electron/audio/devices/sound-controller.ts';
import { CaptureEnhancement } from '../../../../../electron/audio/enhance/capture-enhancement.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage, type Page } from '../../../../../shared/ipc/page.ts';
import { coreWithFakes } from '../../../../fakes/core-with-fakes.ts';
import { CountedPage } from '../../../../fakes/counted-page.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { speech } from '../../settings/voices/speech.ts';

let core: ReturnType<typeof coreWithFakes>;
let clock: FakeClock;

function open() {
  clock = new FakeClock();
  core = coreWithFakes(workFolder()('state'), clock);
  return core;
}

afterEach(() => core.lifetime.end());

const seconds = 5;
const ownVoice = speech(seconds);

/** Records a voice scaled by a factor. */
async function recorded(factor = 1, page: Page = core.page) {
  const asked = core.ask('recordOwnSound', undefined, page);
  await core.settle();
  const microphone = core.devices.microphones.at(-1);
  for (let at = 0; at < ownVoice.length; at += 320)
    microphone?.hear(ownVoice.slice(at, at + 320).map((sample) => sample * factor));
  return asked;
}

/** Plays it to the end and returns the number of samples played. */
async function played(as: 'captured' | 'sent', page = core.page): Promise<number> {
  const asked = core.ask('playOwnSound', { as }, page);
  await core.settle();
  const speaker = core.devices.speakers.at(-1);
  for (let step = 0; step < 200; step += 1) {
    speaker?.playAll();
    clock.advance(50);
    await core.settle();
  }
  await asked;
  return speaker?.written ?? 0;
}

describe('the user’s own sound', () => {
  it('records for five seconds, shows the level, and closes the microphone', async () => {
    const { devices, payloads } = open();
    expect(await recorded()).toBe('good');
    expect(devices.open).toEqual([]);
    expect(payloads('microphoneMeter').length).toBeGreaterThan(20 * (seconds - 1));
  });

  it('reports a recording that is too quiet, too loud or silent', async () => {
    open();
    expect(await recorded(0)).toBe('unheard');
    expect(await recorded(0.03)).toBe('quiet');
    expect(await recorded(40)).toBe('clipped');
  });

  it('plays both versions on the chosen speaker, and closes it', async () => {
    const { devices } = open();
    await recorded();
    for (const way of ['captured', 'sent'] as const)
      expect(await played(way)).toBeGreaterThanOrEqual(seconds * 24_000 - 24);
    expect(devices.open).toEqual([]);
  });

  it('stops one version when the other starts', async () => {
    const { ask, settle, devices } = open();
    await recorded();
    const first = ask('playOwnSound', { as: 'captured' });
    await settle();
    const second = ask('playOwnSound', { as: 'sent' });
    await settle();
    await first;
    expect(devices.open).toEqual(['speaker']);
    await ask('forgetOwnSound', undefined);
    await second;
    expect(devices.open).toEqual([]);
  });

  it('reports a lost speaker immediately', async () => {
    const { ask, settle, devices } = open();
    await recorded();
    const asked = ask('playOwnSound', { as: 'sent' });
    const refused = expect(asked).rejects.toThrow('refused: There is no speaker');
    await settle();
    devices.loseSpeaker(appError('noSpeaker'));
    await refused;
  });

  it('reports a lost microphone, and does not judge silence', async () => {
    const { ask, settle, devices } = open();
    const asked = ask('recordOwnSound', undefined);
    const refused = expect(asked).rejects.toThrow('refused: There is no microphone');
    await settle();
    devices.microphones[0]?.emit({ kind: 'lost', error: appError('noMicrophone') });
    await refused;
    expect(devices.open).toEqual([]);
  });

  it('discards the recording when it is forgotten or replaced, or its page closes', async () => {
    const { ask, page, settle } = open();
    const gone = 'refused: That recording is gone.';
    await expect(ask('playOwnSound', { as: 'sent' })).rejects.toThrow(gone);
    await recorded();
    await ask('forgetOwnSound', undefined);
    await expect(ask('playOwnSound', { as: 'sent' })).rejects.toThrow(gone);
    await recorded();
    const again = ask('recordOwnSound', undefined);
    await settle();
    await expect(ask('playOwnSound', { as: 'sent' })).rejects.toThrow(gone);
    await ask('forgetOwnSound', undefined);
    await expect(again).rejects.toThrow('refused: The test was stopped');
    await recorded();
    page.gone();
    await expect(ask('playOwnSound', { as: 'sent' })).rejects.toThrow(gone);
  });

  it('listens for its page’s end only while there is a recording', async () => {
    const { ask } = open();
    const page = new CountedPage();
    await recorded(1, page);
    await recorded(1, page);
    expect(page.waiting).toBe(1);
    await ask('forgetOwnSound', undefined, page);
    expect(page.waiting).toBe(0);
  });

  it('serves only the page that recorded it', async () => {
    const { ask } = open();
    await recorded();
    const other = new OpenPage();
    await expect(ask('playOwnSound', { as: 'sent' }, other)).rejects.toThrow(
      'refused: That recording is gone.',
    );
    expect(await played('sent')).toBeGreaterThan(0);
  });

  it('ends for a talk, and does not begin during one', async () => {
    const { ask, devices, settle } = open();
    const asked = ask('recordOwnSound', undefined);
    const refused = expect(asked).rejects.toThrow('refused: The test was stopped');
    await settle();
    await ask('startTalk', { mode: 'audio' });
    await refused;
    expect(devices.microphones[0]?.ended).toBe(true);
    const opened = devices.microphones.length;
    await expect(ask('recordOwnSound', undefined)).rejects.toThrow('refused: A talk is using');
    expect(devices.microphones).toHaveLength(opened);
  });

  it('opens no microphone for a page that closed while waiting', async () => {
    const { ask, devices, settle } = open();
    const meter = ask('meterMicrophone', { on: true });
    const page = new OpenPage();
    const asked = ask('recordOwnSound', undefined, page);
    page.gone();
    const refused = expect(asked).rejects.toThrow('refused:');
    await meter.catch(() => undefined);
    await refused;
    await settle();
    await ask('meterMicrophone', { on: false });
    expect(devices.open).toEqual([]);
  });

  it('a new page’s recording ends the former page’s, and survives its end', async () => {
    const { ask, devices, settle } = open();
    const first = ask('recordOwnSound', undefined);
    const refused = expect(first).rejects.toThrow('refused: The test was stopped');
    await settle();
    expect(await recorded(1, new OpenPage())).toBe('good');
    await refused;
    expect(devices.open).toEqual([]);
  });
});

const { voice } = echoRoom({ seed: 1, seconds: 5, echoDb: -200, speaks: [[0, 5]] });

/** A voice at the given levels, as captured and as sent. */
function said(capturedDb: number, sentDb = capturedDb): OwnSound {
  const louder = (db: number): Float32Array =>
    voice.map((sample) => Math.max(-1, Math.min(1, sample * 10 ** (db / 20))));
  return { captured: louder(capturedDb), sent: louder(sentDb) };
}

describe('judgeOwnSound', () => {
  it('distinguishes loud enough, too quiet and absent', () => {
    expect(judgeOwnSound(said(0))).toBe('good');
    expect(judgeOwnSound(said(-18))).toBe('quiet');
    expect(judgeOwnSound(said(-45))).toBe('unheard');
    expect(judgeOwnSound({ captured: new Float32Array(), sent: new Float32Array() })).toBe(
      'unheard',
    );
  });

  it('accepts quiet sound that is sent louder', () => {
    expect(judgeOwnSound(said(-18, 0))).toBe('good');
  });

  it('detects clipping by the microphone and by too high a volume', () => {
    expect(judgeOwnSound(said(30, 0))).toBe('clipped');
    expect(judgeOwnSound(said(0, 30))).toBe('clipped');
  });
});

describe('the capture callback', () => {
  it('receives the unprocessed sound in full', () => {
    const captured: number[] = [];
    const sent: number[] = [];
    const pipeline = new CapturePipeline(
      { pushAudio: (block) => void sent.push(...block) },
      { gain: () => 0.5, onCaptured: (block) => void captured.push(...block) },
      undefined,
      new CaptureEnhancement(() => ({ noise: 'strong', level: 'off' })),
    );
    const noisy = voice.map((sample, n) => (n % 7 === 0 ? Number.NaN : sample + 0.01));
    for (let at = 0; at < 32_000; at += 320) pipeline.push(noisy.slice(at, at + 320), at / 16);
    pipeline.pushSilence(320);
    expect(captured).toHaveLength(32_320);
    expect(sent).toHaveLength(32_320);
    // Invalid samples become silence everywhere.
    const isUnprocessed = (sample: number, n: number): boolean =>
      sample === (n >= 32_000 || n % 7 === 0 ? 0 : noisy[n]);
    expect(captured.every(isUnprocessed)).toBe(true);
    expect(sent.slice(0, 32_000).every(isUnprocessed)).toBe(false);
  });
});
