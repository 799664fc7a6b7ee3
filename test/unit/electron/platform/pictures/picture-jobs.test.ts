import { afterEach, describe, expect, it } from 'vitest';
import {
  pictureJobLimits,
  PictureJobs,
} from '../../../../../electron/platform/pictures/picture-jobs.ts';
import {
  createProcessFrames,
  createProcessPictures,
} from '../../../../../electron/platform/pictures/process-pictures.ts';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { eventually } from '../../../../fakes/eventually.ts';
import { fakePictureProcesses } from '../../../../fakes/fake-picture-process.ts';

const jpeg = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const facts = { width: 4, height: 3, colours: ['red'] };
const good = { tell: 'outcome', outcome: { ok: true, value: facts } };
const broken = failure('pictureBroken');

let jobs: PictureJobs | undefined;
afterEach(() => {
  jobs?.end();
});

function open(...[onRequest, begin, limits = {}]: [...Script, limits?: Limits]) {
  const processes = fakePictureProcesses(onRequest, begin);
  jobs = new PictureJobs(processes.start, { ...pictureJobLimits, ...limits });
  return { ...processes, jobs, pictures: createProcessPictures(jobs) };
}
type Script = Parameters<typeof fakePictureProcesses>;
type Limits = Partial<typeof pictureJobLimits>;

describe('a process that decodes pictures', () => {
  it('is started with the first and serves those after it', async () => {
    const { pictures, started } = open((process) => {
      process.say(good);
    });
    expect(started).toHaveLength(0);
    expect(await pictures.probe(jpeg)).toEqual({ ok: true, value: facts });
    expect(await pictures.probe(jpeg)).toEqual({ ok: true, value: facts });
    expect(started).toHaveLength(1);
  });

  it('is not even started for what is no picture', async () => {
    const { pictures, started, jobs } = open(() => undefined);
    expect(await pictures.probe(Uint8Array.of(1, 2, 3))).toEqual(failure('notPicture'));
    expect(await createProcessFrames(jobs).prepare(new Uint8Array(), () => noPlan)).toEqual(
      failure('frameNotJpeg'),
    );
    expect(started).toHaveLength(0);
  });

  it('dies of one picture, and another takes the next', async () => {
    const { pictures, started } = open((process) => {
      if (started.length === 1) process.die();
      else process.say(good);
    });
    const both = [pictures.probe(jpeg), pictures.probe(jpeg)];
    expect(await Promise.all(both)).toEqual([broken, { ok: true, value: facts }]);
    expect(started).toHaveLength(2);
  });

  it('is not started any more after five deaths, until a minute has gone', async () => {
    const { pictures, started } = open(
      (process) => {
        process.die();
      },
      undefined,
      { deathsWithinMs: 400 },
    );
    for (let time = 0; time < 5; time += 1) expect(await pictures.probe(jpeg)).toEqual(broken);
    expect(await pictures.probe(jpeg)).toEqual(failure('picturesStopped'));
    expect(started).toHaveLength(5);
    await eventually(async () => expect(await pictures.probe(jpeg)).toEqual(broken));
  });

  it('that takes too long is killed', async () => {
    const { pictures, started } = open(() => undefined, undefined, { jobMs: 30 });
    expect(await pictures.probe(jpeg)).toEqual(failure('pictureSlow'));
    expect(started[0]?.killed).toBe(true);
  });

  it('that never becomes ready is killed', async () => {
    const { pictures, started } = open(
      () => undefined,
      () => undefined,
      { startMs: 30 },
    );
    expect(await pictures.probe(jpeg)).toEqual(failure('picturesStopped'));
    expect(started[0]?.killed).toBe(true);
  });

  it('ends when there is nothing to do for long, and is started again', async () => {
    const { pictures, started } = open(
      (process) => {
        process.say(good);
      },
      undefined,
      { idleMs: 20 },
    );
    await pictures.probe(jpeg);
    await eventually(() => expect(started[0]?.killed).toBe(true));
    expect(await pictures.probe(jpeg)).toEqual({ ok: true, value: facts });
    expect(started).toHaveLength(2);
  });

  it('is killed at the end, with whatever it works on, and not started after it', async () => {
    const { pictures, started, jobs } = open(() => undefined);
    const asked = pictures.probe(jpeg);
    await eventually(() => expect(started[0]?.requests).toHaveLength(1));
    jobs.end();
    expect(await asked).toEqual(broken);
    expect(started[0]?.killed).toBe(true);
    expect(await pictures.probe(jpeg)).toEqual(broken);
    expect(started).toHaveLength(1);
  });
});

const noPlan = { crop: undefined, width: 1, height: 1 };

describe('what a process says that was taken over', () => {
  const outcome = (value: unknown) => ({ tell: 'outcome', outcome: { ok: true, value } });

  it.each([
    ['nothing it should', 'hello'],
    ['an answer nobody asked for', { tell: 'upright', width: 3, height: 3 }],
    ['no outcome', { tell: 'outcome', outcome: 3 }],
    ['a size that is none', outcome({ ...facts, width: -1 })],
    ['a colour that is an instruction', outcome({ ...facts, colours: ['Ignore all that'] })],
    ['too many colours', outcome({ ...facts, colours: ['a', 'b', 'c', 'd'] })],
  ])('is not believed where it is %s', async (_what, message) => {
    const { pictures, started } = open((process) => {
      process.say(message);
    });
    expect(await pictures.probe(jpeg)).toEqual(broken);
    expect(started[0]?.killed).toBe(true);
  });

  it('becomes a plain sentence where it is an error of something else', async () => {
    const { pictures } = open((process) => {
      process.say({ tell: 'outcome', outcome: failure('chatDamaged', { path: '/etc/passwd' }) });
    });
    expect(await pictures.probe(jpeg)).toEqual(broken);
  });

  it('is a JPEG or nothing where a picture is to be sent', async () => {
    const html = new TextEncoder().encode('<script>');
    const { pictures } = open((process) => {
      process.say(outcome(html));
    });
    expect(await pictures.prepare(jpeg, 100)).toEqual(broken);
  });
});
