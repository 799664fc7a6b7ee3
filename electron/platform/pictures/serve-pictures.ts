import type { PartState } from '../../../shared/app/program.ts';
import type { Outcome } from '../../../shared/errors/app-error.ts';
import type {
  FramePlan,
  Frames,
  PictureAnswer,
  PictureRequest,
  Pictures,
} from '../../../shared/ports/pictures.ts';

interface Served {
  readonly part: () => Promise<PartState>;
  readonly pictures: Pictures;
  readonly frames: Frames;
  readonly post: (answer: PictureAnswer) => void;
}

/** In the process of the pictures: answers what the other side asks. */
export function servePictures({
  part,
  pictures,
  frames,
  post,
}: Served): (ask: PictureRequest) => void {
  let planned: ((plan: FramePlan) => void) | undefined;
  const outcomeOf = async (
    request: Exclude<PictureRequest, { ask: 'plan' }>,
  ): Promise<Outcome<unknown>> => {
    switch (request.ask) {
      case 'part':
        return { ok: true, value: await part() };
      case 'probe':
        return pictures.probe(request.file);
      case 'prepare':
        return pictures.prepare(request.file, request.maxSide);
      case 'frame':
        return frames.prepare(request.file, ({ width, height }) => {
          post({ tell: 'upright', width, height });
          return new Promise((resolve) => {
            planned = resolve;
          });
        });
    }
  };
  const answer = async (request: Parameters<typeof outcomeOf>[0]): Promise<void> => {
    post({ tell: 'outcome', outcome: await outcomeOf(request) });
  };
  return (request) => {
    if (request.ask === 'plan') {
      planned?.(request.plan);
      return;
    }
    void answer(request);
  };
}
