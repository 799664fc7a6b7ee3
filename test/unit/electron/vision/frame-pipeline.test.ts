import { appError } from '../../../../shared/errors/app-error.ts';
import { describe, expect, it } from 'vitest';
import { FramePipeline } from '../../../../electron/vision/frame-pipeline.ts';
import type { FrameOutcome, VisionFrame } from '../../../../shared/vision/vision-frame.ts';
import { defaultVisionOptions } from '../../../../shared/vision/vision-options.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeFrames } from '../../../fakes/fake-frames.ts';

const draw = (grey: number, width = 1280, height = 720) => FakeFrames.draw({ width, height, grey });

function room() {
  const clock = new FakeClock();
  const frames = new FakeFrames();
  const sent: VisionFrame[] = [];
  const prepared: VisionFrame[] = [];
  const seeing = new FramePipeline({
    clock,
    frames,
    sent: (frame) => sent.push(frame),
    prepared: (frame) => prepared.push(frame),
  });
  seeing.setPermission({ open: 'camera' });
  /** A second later, so that it is not too early. */
  const offer = (frame: Uint8Array): Promise<FrameOutcome> => {
    clock.advance(1000);
    return seeing.offer(frame);
  };
  return { clock, frames, sent, prepared, seeing, offer };
}

function talk(chunkMs = 1000) {
  const seen: (Uint8Array | undefined)[] = [];
  const slices: number[] = [];
  return {
    seen,
    slices,
    chunkMs,
    pushFrame: (jpeg: Uint8Array | undefined) => void seen.push(jpeg),
    setMaxSlices: (count: number) => void slices.push(count),
  };
}

/** Holds the work up until it is let go. */
function gate() {
  let open = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}

type Change = readonly [string, (seeing: FramePipeline) => void, FrameOutcome['outcome']];

const changes: readonly Change[] = [
  ['switched off', (seeing: FramePipeline) => seeing.setPermission({ open: 'nothing' }), 'closed'],
  [
    'opened for a screen',
    (seeing: FramePipeline) => seeing.setPermission({ open: 'screen' }),
    'closed',
  ],
  [
    'set otherwise',
    (seeing: FramePipeline) => seeing.setOptions({ ...defaultVisionOptions, slices: 2 }),
    'replaced',
  ],
  ['joined by a talk', (seeing: FramePipeline) => void seeing.attach(talk()), 'closed'],
];

describe('seeing', () => {
  it('takes nothing until it is switched on', async () => {
    const { seeing, frames, offer } = room();
    seeing.setPermission({ open: 'nothing' });
    expect(await offer(draw(1))).toEqual({ outcome: 'closed' });
    expect(frames.prepared).toEqual([]);
  });

  it('shows what would go while there is no talk', async () => {
    const { offer, prepared, sent, seeing } = room();
    expect(await offer(draw(7))).toEqual({ outcome: 'taken' });
    seeing.frameSent();
    expect(sent).toEqual([]);
    const jpeg = draw(7, 597, 336);
    const facts = { at: 1000, bytes: jpeg.length, width: 597, height: 336, slices: 1, tokens: 64 };
    expect(prepared).toEqual([{ jpeg, facts }]);
  });

  it('hands frames to the talk, and tells of the very one that went', async () => {
    const { clock, offer, prepared, sent, seeing } = room();
    const partner = talk();
    seeing.setOptions({ ...defaultVisionOptions, slices: 4 });
    seeing.attach(partner);
    await offer(draw(1));
    await offer(draw(2));
    expect(sent).toEqual([]);
    clock.advance(300);
    seeing.frameSent();
    seeing.frameSent();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.jpeg).toBe(partner.seen[1]);
    expect(sent[0]?.facts).toMatchObject({
      at: 2300,
      width: 1194,
      height: 672,
      slices: 4,
      tokens: 192,
    });
    expect(prepared).toEqual([]);
    expect(partner.slices).toEqual([4]);
    seeing.setOptions({ ...defaultVisionOptions, slices: 2 });
    expect(partner.slices).toEqual([4, 2]);
  });

  it('takes back what has not gone when it is switched off', async () => {
    const { offer, sent, seeing } = room();
    const partner = talk();
    seeing.attach(partner);
    await offer(draw(1));
    seeing.setPermission({ open: 'nothing' });
    seeing.setPermission({ open: 'nothing' });
    seeing.frameSent();
    expect(partner.seen).toEqual([draw(1, 597, 336), undefined]);
    expect(sent).toEqual([]);
  });

  it('forgets what a talk that has left was handed', async () => {
    const { offer, sent, prepared, seeing } = room();
    const leave = seeing.attach(talk());
    await offer(draw(1));
    leave();
    leave();
    seeing.frameSent();
    expect(sent).toEqual([]);
    await offer(draw(2));
    expect(prepared).toHaveLength(1);
  });

  it('wants one frame a chunk', async () => {
    const { clock, seeing, frames } = room();
    seeing.attach(talk(500));
    const fates: string[] = [];
    for (let at = 0; at < 2000; at += 100) {
      fates.push((await seeing.offer(draw(at / 100))).outcome);
      clock.advance(100);
    }
    expect(frames.prepared.length).toBe(7);
    expect(fates.slice(0, 4)).toEqual(['taken', 'early', 'early', 'taken']);
  });

  it('wants fewer at a lower rate', async () => {
    const { offer, frames, seeing } = room();
    seeing.setOptions({ ...defaultVisionOptions, rate: { framesPerSecond: 0.25 } });
    for (let second = 0; second < 8; second += 1) await offer(draw(second));
    expect(frames.prepared).toHaveLength(4);
  });

  it('works on one at a time, and then on the newest', async () => {
    const { offer, frames, prepared } = room();
    const held = gate();
    frames.gate = held.closed;
    const fates = [1, 2, 3, 4].map((grey) => offer(draw(grey)));
    expect(frames.prepared).toEqual([draw(1)]);
    held.open();
    expect((await Promise.all(fates)).map(({ outcome }) => outcome)).toEqual([
      'taken',
      'replaced',
      'replaced',
      'taken',
    ]);
    expect(frames.prepared).toEqual([draw(1), draw(4)]);
    expect(prepared.map(({ jpeg }) => jpeg)).toEqual([draw(1, 597, 336), draw(4, 597, 336)]);
  });

  it.each(changes)(
    'lets nothing through that was begun before it was %s',
    async (_what, change, outcome) => {
      const { offer, frames, prepared, seeing } = room();
      const held = gate();
      frames.gate = held.closed;
      const offered = offer(draw(1));
      change(seeing);
      held.open();
      expect(await offered).toEqual({ outcome });
      expect(prepared).toEqual([]);
    },
  );

  it('says why a frame is refused, and takes the next', async () => {
    const { offer } = room();
    const error = appError('frameNotJpeg');
    expect(await offer(new Uint8Array(9))).toEqual({ outcome: 'refused', error });
    expect(await offer(draw(1))).toEqual({ outcome: 'taken' });
  });

  it('sends a still scene always, or if asked now and then', async () => {
    const { offer, seeing } = room();
    const fates = async (count: number): Promise<readonly string[]> => {
      const all: string[] = [];
      for (let second = 0; second < count; second += 1) {
        const { outcome } = await offer(draw(50));
        all.push(outcome);
      }
      return all;
    };
    expect(await fates(3)).toEqual(['taken', 'taken', 'taken']);
    seeing.setOptions({ ...defaultVisionOptions, skipStill: true });
    expect(await fates(7)).toEqual(['taken', 'still', 'still', 'still', 'still', 'taken', 'still']);
    expect(await offer(draw(90))).toEqual({ outcome: 'taken' });
  });

  it('cuts the crop out of the region', async () => {
    const { offer, prepared, seeing } = room();
    const half = { left: 0, top: 0, width: 0.5, height: 0.5 };
    seeing.setOptions({
      ...defaultVisionOptions,
      slices: 9,
      source: { kind: 'region', area: half },
      crop: half,
    });
    await offer(draw(1, 4000, 2000));
    expect(prepared[0]?.facts).toMatchObject({ width: 1000, height: 500 });
  });
});
