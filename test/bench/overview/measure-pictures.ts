import sharp from 'sharp';
import { PictureThread } from '../../../electron/platform/pictures/picture-thread.ts';
import { createFrames } from '../../../electron/platform/pictures/pictures.ts';
import { planFrame } from '../../../electron/vision/prepare-frame.ts';
import { makeCameraPicture } from '../conversation/camera-frames.ts';
import { runInTurns, processorMs, type Row } from './row.ts';

const rounds = 15;
const size = { width: 1280, height: 720 };

/** Time to prepare a camera frame for the server, compared with plain sharp. */
export async function measurePictures(): Promise<readonly Row[]> {
  const frames = createFrames(new PictureThread());
  const file = await makeCameraPicture(size.width, size.height);
  const { width, height } = planFrame(size, undefined, 1);
  const ours = async (): Promise<void> => {
    const done = await frames.prepare(file, (of) => planFrame(of, undefined, 1));
    if (!done.ok) throw new Error(done.error.code);
  };
  const plain = () =>
    sharp(file).resize(width, height, { fit: 'fill' }).jpeg({ quality: 80 }).toBuffer();
  const found = await runInTurns(rounds, {
    baseline: () => processorMs(plain),
    ours: () => processorMs(ours),
    again: () => processorMs(plain),
  });
  return [
    {
      id: 'pictures.frame',
      section: 'Pictures',
      what: 'preparing a 720p camera picture and comparing it with the last one',
      unit: 'ms of CPU time',
      beside: 'sharp alone: decode, resize, encode',
      ...found,
    },
  ];
}
