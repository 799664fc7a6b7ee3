import { describe, expect, it } from 'vitest';
import { soundFromWav } from '../../../../../../electron/audio/dsp/sound-from-wav.ts';
import { appError } from '../../../../../../shared/errors/app-error.ts';
import { inputRate } from '../../../../../../shared/protocol/realtime-api.ts';
import { roomTried } from './doctor-room-stage.ts';

const stopped = 'Room        Stopped; the recording is discarded.\n';

describe('a room test in a terminal', () => {
  it('plays a phrase twice for a user, judges the room, and stores nothing unless asked', async () => {
    const { out, err, asked, played, ended, files } = await roomTried({ types: ['', ''] });
    expect(played).toBe(2);
    expect(err).toBe(
      'Listening to the room; stay quiet until the phrase ends…\nPlaying a phrase…\n',
    );
    expect(asked).toEqual([
      'Now speak over the phrase: press Enter, and speak while it plays.',
      'Keep the recording in this folder? y/N',
    ]);
    const [noise, echo, person, ...rest] = out.split('\n');
    expect(noise).toMatch(/^Room {8}Noise: quiet \(−6\d dBFS\)\.$/u);
    expect(echo).toMatch(
      /^ {12}Echo: heard, and removed \(\d\d dB above the noise, 6\d ms late; reduced by \d\d dB, at worst \d+\)\.$/u,
    );
    expect(person).toMatch(/^ {12}Your voice: not louder than the echo/u);
    expect(rest).toEqual(['']);
    expect(files).toEqual([]);
    expect(ended).toBeGreaterThanOrEqual(2);
  });

  it('stores both recordings, aligned, under the names that the benches read', async () => {
    const { out, files, bytes } = await roomTried({ types: ['', 'y'], into: 'rooms' });
    expect(files.map((file) => file.replace(/\d{8}T\d{6}/u, 'TIME'))).toEqual([
      'rooms/room-TIME_doubletalk_lpb.wav',
      'rooms/room-TIME_doubletalk_mic.wav',
      'rooms/room-TIME_lpb.wav',
      'rooms/room-TIME_mic.wav',
    ]);
    for (const file of files) expect(out).toContain(file);
    const [, , played, heard] = files.map((file) => {
      const sound = soundFromWav(bytes.bytes(file), inputRate, 60);
      if (!sound.ok) throw new Error(file);
      return sound.value;
    });
    expect(played?.length).toBeGreaterThan(3 * inputRate);
    expect(heard?.length).toBe(played?.length);
    const loud = (sound: Float32Array | undefined) => sound?.findIndex((x) => Math.abs(x) > 0.02);
    expect((loud(heard) ?? 0) - (loud(played) ?? 0)).toBeGreaterThan(0.055 * inputRate);
    expect((loud(heard) ?? 0) - (loud(played) ?? 0)).toBeLessThan(0.1 * inputRate);
  });

  it('asks nothing, stores nothing and plays once without a terminal or with --json', async () => {
    const piped = await roomTried({});
    expect({ ...piped, out: undefined }).toMatchObject({ asked: [], played: 1, files: [] });
    expect(piped.out).not.toContain('Your voice');
    const { asked, played, out, files } = await roomTried({ types: ['', 'y'], json: true });
    expect({ asked, played, files }).toEqual({ asked: [], played: 1, files: [] });
    const { event, echo, advice } = JSON.parse(out) as Record<string, unknown>;
    expect({ event, advice }).toEqual({ event: 'room', advice: [] });
    expect(echo).toMatchObject({ delayMs: expect.any(Number) as number });
  });

  it('stores it without a terminal if a folder is named', async () => {
    const { files, out } = await roomTried({ into: 'rooms', json: true });
    expect(files).toHaveLength(2);
    expect(out.trimEnd().split('\n').at(-1)).toContain('"kept":["rooms/room-');
  });

  it('skips the second test with =alone', async () => {
    const { asked, played, out } = await roomTried({ types: ['n'], alone: true });
    expect(asked).toEqual(['Keep the recording in this folder? y/N']);
    expect(played).toBe(1);
    expect(out).not.toContain('Your voice');
  });

  it('reports a missing echo and a silent microphone', async () => {
    const headset = await roomTried({ echo: 0 });
    expect(headset.out).toContain('No echo is heard: a headset, or the volume is down.\n');
    const muted = await roomTried({ muted: true, into: 'rooms' });
    expect(muted.out).toMatch(/^Room {8}The microphone delivers only silence\. .+\n$/u);
    expect(muted.files).toEqual([]);
  });

  it('reports a missing device, and plays nothing', async () => {
    const { out, played, ended } = await roomTried({
      lost: appError('noMicrophone'),
      into: 'rooms',
    });
    expect(out).toMatch(/^Room {8}There is no microphone.*\n$/u);
    expect({ played, ended: ended >= 2 }).toEqual({ played: 0, ended: true });
  });

  it('ends at Ctrl-C, during playback and at a question, and stores nothing', async () => {
    const playing = await roomTried({ interruptedAt: 3000, into: 'rooms' });
    expect(playing.out).toBe(stopped);
    expect(playing).toMatchObject({ played: 1, files: [] });
    expect(playing.ended).toBeGreaterThanOrEqual(2);
    const atFirst = await roomTried({ types: ['^C'], into: 'rooms' });
    expect(atFirst.out).toBe(stopped);
    expect(atFirst).toMatchObject({ played: 1, files: [] });
    const atLast = await roomTried({ types: ['', '^C'], into: 'rooms' });
    expect(atLast).toMatchObject({ played: 2, files: [] });
    // The input is closed at the second question.
    const closed = await roomTried({ types: [''], into: 'rooms' });
    expect(closed).toMatchObject({ played: 2, files: [] });
  });
});
