import type { AppError } from '../../../../shared/errors/app-error.ts';
import { FramePipeline } from '../../../../electron/vision/frame-pipeline.ts';
import type {
  FrameCount,
  FrameOutcome,
  VisionFrame,
} from '../../../../shared/vision/vision-frame.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeFrames } from '../../../fakes/fake-frames.ts';

export const draw = (grey: number, width = 1280, height = 720) =>
  FakeFrames.draw({ width, height, grey });

export function openPipeline() {
  const clock = new FakeClock();
  const frames = new FakeFrames();
  const sent: VisionFrame[] = [];
  const counts: FrameCount[] = [];
  const problems: AppError[] = [];
  const pipeline = new FramePipeline({
    clock,
    frames,
    onSent: (frame) => sent.push(frame),
    onCounted: (count) => counts.push(count),
    onRefused: (problem) => problems.push(problem),
  });
  pipeline.setPermission({ open: 'camera' });
  const talk = frameSink();
  const detach = pipeline.attach(talk);
  /** A second later, so that the frame is not early. */
  const offer = (jpeg: Uint8Array, signature?: Uint8Array): Promise<FrameOutcome> => {
    clock.advance(1000);
    return pipeline.offer({ jpeg, signature });
  };
  return { clock, frames, problems, counts, sent, pipeline, talk, detach, offer };
}

export function frameSink(chunkMs = 1000) {
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
