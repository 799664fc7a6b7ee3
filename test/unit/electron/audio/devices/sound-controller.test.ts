import { afterEach, describe, expect, it } from 'vitest';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage, type Page } from '../../../../../shared/ipc/page.ts';
import { coreWithFakes } from '../../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { workFolder } from '../../../../fakes/work-folder.ts';
import { speech } from '../../settings/voices/speech.ts';
import { CapturePipeline } from '../../../../../electron/audio/capture/microphone.ts';
import {
  judgeOwnSound,
  type OwnSound,
} from '../../../../../electron/audio/devices/sound-controller.ts';
import { CaptureEnhancement } from '../../../../../electron/audio/enhance/capture-enhancement.ts';
import { echoRoom } from '../../../../fakes/echo-room.ts';

let core: ReturnType<typeof coreWithFakes>;
let clock: FakeClock;

function open() {
  clock = new FakeClock();
  core = coreWithFakes(workFolder()('state'), clock);
  return core;
}

afterEach(() => core.lifetime.end());

const quarter = 20 * Math.log10(0.25);

const tone = (samples: number, level = 0.5): Float32Array => new Float32Array(samples).fill(level);

describe('the microphone meter', () => {
  it('posts levels of the chosen microphone at the talk’s volume', async () => {
    const { ask, devices, payloads } = open();
    await ask('changeSettings', { audio: { microphone: { name: 'Desk' }, inputVolume: 0.5 } });
    await ask('meterMicrophone', { on: true });
    const [microphone] = devices.microphones;
    microphone?.emit({ kind: 'using', device: 'Desk' });
    microphone?.hear(tone(800));
    microphone?.emit({ kind: 'lost', error: appError('noMicrophone') });
    expect(microphone?.choice).toEqual({ name: 'Desk' });
    expect(payloads('microphoneMeter')).toEqual([
      { kind: 'using', device: 'Desk' },
      {
        kind: 'level',
        rmsDb: quarter,
        peakDb: quarter,
        clipped: 0,
      },
      { kind: 'problem', error: appError('noMicrophone') },
    ]);
    await ask('changeSettings', { audio: { microphone: 'default' } });
    await core.settle();
    expect(microphone?.choice).toBe('default');
    await ask('meterMicrophone', { on: false });
    expect(devices.open).toEqual([]);
  });

  it('closes when its page closes, even while the microphone opens', async () => {
    const { ask, devices, page, settle } = open();
    await ask('meterMicrophone', { on: true });
    page.gone();
    await settle();
    expect(devices.open).toEqual([]);

    const other = new OpenPage();
    const opened = devices.holdOpening();
    const asked = ask('meterMicrophone', { on: true }, other);
    await settle();
    other.gone();
    opened();
    await expect(asked).rejects.toThrow('refused: Stopped before it began');
    expect(devices.open).toEqual([]);
    // A closed page gets no device.
    await expect(ask('meterMicrophone', { on: true }, other)).rejects.toThrow('refused');
    expect(devices.microphones).toHaveLength(2);
  });

  it('yields to a recording, which yields to a talk; both report it', async () => {
    const { ask, devices, payloads, talk } = open();
    await ask('meterMicrophone', { on: true });
    await ask('recordClip', undefined);
    expect(payloads('microphoneMeter')).toEqual([{ kind: 'stopped' }]);
    expect(devices.open).toEqual(['microphone']);
    await ask('startTalk', { mode: 'audio' });
    expect(payloads('clipRecording').at(-1)).toEqual({ kind: 'stopped' });
    expect(devices.microphones.slice(0, 2).every(({ ended }) => ended)).toBe(true);
    expect(talk.isActive).toBe(true);
    for (const name of ['recordClip', 'testSound'] as const) {
      await expect(ask(name, undefined)).rejects.toThrow('refused: A talk is using the microphone');
    }
    await expect(ask('recordVoice', { name: 'Ann' })).rejects.toThrow('refused: A talk');
  });
});

describe('the clip recorder', () => {
  it('returns the sound captured during the recording as a playable clip', async () => {
    const { ask, devices, payloads } = open();
    await ask('recordClip', undefined);
    const [microphone] = devices.microphones;
    for (let n = 0; n < 20; n += 1) microphone?.hear(tone(800));
    const { part } = await ask('attachClip', undefined);
    microphone?.hear(tone(800));
    expect(part).toMatchObject({ type: 'audio', seconds: 1 });
    expect(payloads('clipRecording').at(-1)).toMatchObject({ kind: 'level', seconds: 1 });
    const { type, file } = await ask('chatMedia', { media: part.media });
    expect([type, file.length]).toEqual(['audio', 44 + 2 * 16_000]);
    expect(devices.open).toEqual([]);
    await expect(ask('attachClip', undefined)).rejects.toThrow(
      'refused: Nothing is being recorded.',
    );
  });

  it('ends at the length of the longest clip that can be sent', async () => {
    const { ask, devices, payloads } = open();
    await ask('recordClip', undefined);
    for (let second = 0; second < 301; second += 1) devices.microphones[0]?.hear(tone(16_000));
    expect(payloads('clipRecording').at(-1)).toEqual({ kind: 'full' });
    expect(await ask('attachClip', undefined)).toMatchObject({ part: { seconds: 300 } });
  });
});

describe('the loopback test', () => {
  it('reports that the chirp did not come back, and closes the devices', async () => {
    const { ask, devices, settle } = open();
    const asked = ask('testSound', undefined);
    for (let step = 0; step < 100; step += 1) {
      await settle();
      clock.advance(50);
      devices.microphones[0]?.hear(new Float32Array(800));
    }
    expect(await asked).toMatchObject({ heard: false });
    expect(devices.open).toEqual([]);
    expect(await ask('soundDevices', undefined)).toMatchObject([{ name: 'Built-in' }]);
  });
});

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

/** Plays the recording to its end, and returns the number of played samples. */
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

describe('the recording of the user’s own sound', () => {
  it('lasts five seconds, shows the level, and closes the microphone', async () => {
    const { devices, payloads } = open();
    expect(await recorded()).toBe('good');
    expect(devices.open).toEqual([]);
    expect(payloads('microphoneMeter').length).toBeGreaterThan(20 * (seconds - 1));
  });

  it('is reported if it is too quiet, too loud or silent', async () => {
    open();
    expect(await recorded(0)).toBe('unheard');
    expect(await recorded(0.03)).toBe('quiet');
    expect(await recorded(40)).toBe('clipped');
  });

  it('is played in both versions on the chosen speaker, which is then closed', async () => {
    const { devices } = open();
    await recorded();
    for (const way of ['captured', 'sent'] as const)
      expect(await played(way)).toBeGreaterThanOrEqual(seconds * 24_000 - 24);
    expect(devices.open).toEqual([]);
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

  it('is discarded when it is forgotten or replaced, or its page closes', async () => {
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
});

const { voice } = echoRoom({ seed: 1, seconds: 5, echoDb: -200, speaks: [[0, 5]] });

/** A voice at the given levels, as captured and as sent. */
function said(capturedDb: number, sentDb = capturedDb): OwnSound {
  const louder = (db: number): Float32Array =>
    voice.map((sample) => Math.max(-1, Math.min(1, sample * 10 ** (db / 20))));
  return { captured: louder(capturedDb), sent: louder(sentDb) };
}

describe('judgeOwnSound', () => {
  it('distinguishes sound that is loud enough, too quiet or absent', () => {
    expect(judgeOwnSound(said(0))).toBe('good');
    expect(judgeOwnSound(said(-18))).toBe('quiet');
    expect(judgeOwnSound(said(-45))).toBe('unheard');
    expect(judgeOwnSound({ captured: new Float32Array(), sent: new Float32Array() })).toBe(
      'unheard',
    );
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
