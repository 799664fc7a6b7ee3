import { afterEach, describe, expect, it } from 'vitest';
import { encodeWav } from '../../../../../shared/audio/wav.ts';
import { appError } from '../../../../../shared/errors/app-error.ts';
import { OpenPage } from '../../../../../shared/ipc/page.ts';
import { coreWithFakes } from '../../../../fakes/core-with-fakes.ts';
import { FakeClock } from '../../../../fakes/fake-clock.ts';
import { fakeHeadset } from '../../../../fakes/fake-sound-driver.ts';
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

  it('stays open when another page closes', async () => {
    const { ask, devices, settle } = open();
    await ask('meterMicrophone', { on: true });
    const other = new OpenPage();
    other.gone();
    await settle();
    expect(devices.open).toEqual(['microphone']);
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

  it('opens one microphone for repeated presses of the switch', async () => {
    const { ask, devices } = open();
    await Promise.all(
      [1, 2, 3].map(() => ask('meterMicrophone', { on: true }).catch(() => undefined)),
    );
    expect(devices.open).toEqual(['microphone']);
    await ask('meterMicrophone', { on: false });
    await ask('meterMicrophone', { on: false });
    expect(devices.open).toEqual([]);
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

  it('cancels the clip when its page closes', async () => {
    const { ask, devices, page, settle } = open();
    await ask('recordClip', undefined);
    devices.microphones[0]?.hear(tone(800));
    page.gone();
    await settle();
    expect(devices.open).toEqual([]);
    await expect(ask('attachClip', undefined, new OpenPage())).rejects.toThrow('refused');
  });

  it('ends at the longest clip that can be sent', async () => {
    const { ask, devices, payloads } = open();
    await ask('recordClip', undefined);
    for (let second = 0; second < 301; second += 1) devices.microphones[0]?.hear(tone(16_000));
    expect(payloads('clipRecording').at(-1)).toEqual({ kind: 'full' });
    expect(await ask('attachClip', undefined)).toMatchObject({ part: { seconds: 300 } });
  });
});

describe('voice requests', () => {
  it('record, rename, play and remove voices, and post the list each time', async () => {
    const { ask, devices, payloads, settle } = open();
    await ask('recordVoice', { name: 'Ann' });
    for (let second = 0; second < 4; second += 1) devices.microphones[0]?.hear(speech(1));
    const voice = await ask('saveRecordedVoice', undefined);
    expect(voice).toMatchObject({ name: 'Ann', seconds: 4 });
    expect(await ask('renameVoice', { id: voice.id, name: 'Bea' })).toMatchObject({ name: 'Bea' });
    await ask('previewVoice', { id: voice.id });
    expect(devices.open).toEqual(['speaker']);
    devices.speakers[0]?.playAll();
    clock.advance(100);
    await settle();
    expect(devices.open).toEqual([]);
    expect(payloads('voicePreview')).toEqual([
      { id: voice.id, playing: true },
      { id: voice.id, playing: false },
    ]);
    // The devices are free again, so the refusal has another reason.
    await expect(ask('playChat', { turn: 'gone' })).rejects.toThrow('refused: This message');
    await ask('removeVoice', { id: voice.id });
    expect(payloads('voicesChanged').map((list) => list.map(({ name }) => name))).toEqual([
      ['Ann'],
      ['Bea'],
      [],
    ]);
  });

  it('stop a preview when its page closes or another preview starts', async () => {
    const { ask, devices, page, settle } = open();
    const wav = encodeWav(speech(4), { rate: 16_000, channels: 1, coding: 'pcm16' });
    const { id } = await ask('importVoice', { name: 'Ann', wav });
    await ask('previewVoice', { id });
    await ask('previewVoice', { id });
    expect(devices.open).toEqual(['speaker']);
    page.gone();
    await settle();
    expect(devices.open).toEqual([]);
  });

  it('explain why a voice cannot be made', async () => {
    const { ask, devices } = open();
    await expect(ask('importVoice', { name: 'x', wav: new Uint8Array(5) })).rejects.toThrow(
      'refused: ',
    );
    await expect(ask('renameVoice', { id: '../../etc', name: 'x' })).rejects.toThrow('refused: ');
    await expect(ask('previewVoice', { id: 'gone' })).rejects.toThrow(
      'refused: This voice no longer exists',
    );
    await expect(ask('saveRecordedVoice', undefined)).rejects.toThrow(
      'refused: Nothing is being recorded',
    );
    await ask('recordVoice', { name: 'Ann' });
    await ask('cancelVoiceRecording', undefined);
    await expect(ask('saveRecordedVoice', undefined)).rejects.toThrow(
      'refused: Nothing is being recorded',
    );
    expect(devices.open).toEqual([]);
  });
});

describe('the device list', () => {
  it('is posted on changes while a page shows it', async () => {
    const { ask, listed, page, settle, payloads } = open();
    await ask('watchSoundDevices', { on: true });
    expect(await ask('soundDevices', undefined)).toHaveLength(1);
    listed.push(fakeHeadset);
    clock.advance(3000);
    await settle();
    expect(payloads('soundDevicesChanged')).toMatchObject([
      [{ name: 'Built-in' }, { name: 'Headset' }],
    ]);
    page.gone();
    listed.pop();
    clock.advance(60_000);
    await settle();
    expect(payloads('soundDevicesChanged')).toHaveLength(1);
  });
});

describe('the loopback test', () => {
  it('reports that nothing came back, and closes the devices', async () => {
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

  it('stops when its page closes', async () => {
    const { ask, devices, page, settle } = open();
    const asked = ask('testSound', undefined);
    await settle();
    page.gone();
    await settle();
    expect(devices.open).toEqual([]);
    for (let step = 0; step < 100; step += 1) {
      await settle();
      clock.advance(50);
    }
    await expect(asked).rejects.toThrow('refused: The test was stopped');
  });
});
