import { expect, it } from 'vitest';
import type { SpeakerStream } from '../../../../../electron/audio/devices/sound-driver.ts';
import { PlayoutBuffer } from '../../../../../electron/audio/playback/playout-buffer.ts';
import { StreamPlayer } from '../../../../../electron/audio/playback/speaker.ts';
import { fakeBuiltIn } from '../../../../fakes/fake-sound-driver.ts';
import { numbered } from '../devices/sound-harness.ts';

/** A stream with a small capacity, whose progress the test controls. */
class SmallStream implements SpeakerStream {
  readonly device = fakeBuiltIn;
  readonly given: number[] = [];
  readonly rate: number;
  readonly #room: number;
  played = 0;
  heard = 0;

  constructor(rate: number, room: number) {
    this.rate = rate;
    this.#room = room;
  }

  get queued(): number {
    return this.given.length - this.played;
  }

  play(count: number): void {
    this.played += Math.min(count, this.queued);
  }

  readonly write = (samples: Float32Array): number => {
    const taken = samples.subarray(0, this.#room - this.queued);
    this.given.push(...taken);
    return taken.length;
  };

  readonly flush = () => {
    const dropped = this.queued;
    this.given.length = this.played;
    return { played: this.played, dropped };
  };

  readonly stats = () => ({
    alive: true,
    played: this.played,
    heard: this.heard,
    queued: this.queued,
    underruns: 0,
    repaired: 0,
    latencyMs: 20,
  });

  readonly setVolume = (): void => undefined;
  readonly takePlayed = () => ({ count: 0, position: 0, heardAt: 0 });
  readonly close = (): Promise<void> => Promise.resolve();
}

function open(rate: number, room = Infinity) {
  const stream = new SmallStream(rate, room);
  const buffer = new PlayoutBuffer();
  const player = new StreamPlayer(stream, buffer);
  player.begin();
  return { stream, buffer, player };
}

const answer = numbered(0, 1000);

it('a device with its own rate receives everything in order, in any portions', () => {
  const roomy = open(48_000);
  roomy.buffer.write(answer, 1);
  expect(roomy.player.send()).toBe(true);
  const { stream, buffer, player } = open(48_000, 100);
  buffer.write(answer, 1);
  expect(player.send()).toBe(false);
  for (let round = 0; round < 100; round += 1) {
    stream.play(60);
    player.follow();
    player.send();
  }
  expect(stream.given).toEqual(roomy.stream.given);
  expect(player.send()).toBe(true);
});

it('a stream player counts unsent samples as unplayed, even if the stream is empty', () => {
  const { stream, buffer, player } = open(48_000, 100);
  buffer.write(answer, 1);
  player.send();
  stream.play(100);
  player.follow();
  expect([buffer.sent, buffer.played]).toEqual([1000, 50]);
});

it('a stream player continues counting after an empty stream', () => {
  const { stream, buffer, player } = open(44_100);
  buffer.write(answer, 1);
  player.send();
  stream.play(Infinity);
  player.follow();
  // The resampler’s remainder plays with the next samples.
  expect(buffer.played).toBe(1000);
  buffer.write(answer, 1);
  player.send();
  stream.play(441);
  player.follow();
  expect(buffer.played).toBe(1240);
});

it('a stream player continues counting after a flush', () => {
  const { stream, buffer, player } = open(48_000);
  buffer.write(answer, 1);
  player.send();
  stream.play(500);
  player.follow();
  expect(buffer.played).toBe(250);
  player.flush();
  buffer.cut();
  buffer.write(answer, 2);
  player.send();
  stream.play(300);
  player.follow();
  expect(buffer.played).toBe(400);
});

it.each([24_000, 48_000])(
  'a stream player counts as heard what the device reports, at %i Hz',
  (rate) => {
    const { stream, buffer, player } = open(rate);
    const scale = rate / 24_000;
    buffer.write(answer, 1);
    player.send();
    stream.play(Infinity);
    stream.heard = 480 * scale;
    player.follow();
    const behind = Math.round((stream.played - stream.heard) / scale);
    expect([buffer.played, buffer.heard]).toEqual([1000, 1000 - behind]);
    stream.heard = stream.played;
    player.follow();
    expect(buffer.heard).toBe(1000);
  },
);
