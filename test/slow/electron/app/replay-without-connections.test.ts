import net from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type OpenReplay, replayExamples } from '../../../../shared/recordings/replay-view.ts';
import { coreWithFakes } from '../../../fakes/core-with-fakes.ts';
import { eventually } from '../../../fakes/promises.ts';
import { workFolder } from '../../../fakes/work-folder.ts';

const never = (what: string) => (): never => {
  throw new Error(`A replay has opened ${what}.`);
};

let core: ReturnType<typeof coreWithFakes>;

beforeEach(() => {
  core = coreWithFakes(workFolder()('state'), undefined, {
    connectTo: never('a connection'),
    embeddedGateway: never('the embedded server'),
  });
});
afterEach(() => core.lifetime.end());

async function shown(): Promise<OpenReplay> {
  const view = await core.ask('replay', undefined);
  if (view.kind !== 'open') throw new Error(`It is ${view.kind}.`);
  return view;
}

it.each(replayExamples)(
  'the example %s is played to its end without a connection',
  async (example) => {
    const connects = vi.spyOn(net.Socket.prototype, 'connect');
    await core.ask('openReplay', { kind: 'example', example });
    await core.ask('setReplaySpeed', { speed: 8 });
    await core.ask('playReplay', undefined);
    await eventually(async () => {
      const { play, timeline } = await shown();
      expect(play).toMatchObject({ playing: false, at: timeline.lengthMs });
    });
    expect((await shown()).scene.talk.state.phase).toBe('ended');
    // A replay with sound opens a speaker, but no microphone.
    await core.ask('setReplaySpeed', { speed: 1 });
    await core.ask('playReplay', undefined);
    expect(core.devices.speakers.length).toBe(1);
    await core.ask('closeReplay', undefined);
    expect(core.devices.microphones).toEqual([]);
    expect(core.sockets.lines).toEqual([]);
    expect(connects).not.toHaveBeenCalled();
    // The replay has not changed the state of this Parley's own talk.
    expect((await core.ask('talk', undefined)).state.phase).toBe('idle');
    connects.mockRestore();
  },
);
