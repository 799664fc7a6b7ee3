import type { FrameSize } from '../../shared/vision/frame-size.ts';
import type { OfferedFrame } from '../../shared/vision/vision-frame.ts';
import type { Outcome } from '../ports/outcome.ts';
import type { FramePlan, Frames, PreparedFrame } from '../ports/pictures.ts';
import { readPlainJpeg } from './plain-jpeg.ts';

/** One that the page has made as it is to go goes as it is; any other is decoded, cut, shrunk and encoded. */
export async function prepareFrame(
  frames: Frames,
  frame: OfferedFrame,
  plan: (upright: FrameSize) => FramePlan,
): Promise<Outcome<PreparedFrame>> {
  const ready = readReadyFrame(frame, plan);
  if (ready !== undefined) return { ok: true, value: ready };
  return frames.prepare(frame.jpeg, plan);
}

/** The page says that it is ready; whether it is what is wanted now is seen here. */
function readReadyFrame(
  { jpeg, signature }: OfferedFrame,
  plan: (upright: FrameSize) => FramePlan,
): PreparedFrame | undefined {
  const plain = signature === undefined ? undefined : readPlainJpeg(jpeg);
  if (signature === undefined || plain === undefined) return undefined;
  const { crop, width, height } = plan(plain);
  if (crop !== undefined || width !== plain.width || height !== plain.height) return undefined;
  return { ...plain, signature };
}
