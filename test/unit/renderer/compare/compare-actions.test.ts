import { describe, expect, it } from 'vitest';
import { createAppContext } from '../../../../renderer/app/app-context.ts';
import { deferred } from '../../../fakes/deferred.ts';
import { fakeBridge, fakeCapture } from '../../../fakes/fake-bridge.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { sampleComparison, sampleTapes } from '../../../gallery/sample-comparison.ts';

const compared = sampleComparison('en');
const values = {
  comparableTapes: sampleTapes,
  compareTapes: compared,
  rerunTape: { tape: 'made' },
};

async function open(options: Parameters<typeof fakeBridge>[0] = { values }) {
  const other = fakeBridge(options);
  const { capture } = fakeCapture();
  const app = createAppContext({ bridge: other.bridge, capture, now: () => 0 });
  await flushPromises();
  other.asked.length = 0;
  const { comparing } = app.actions;
  await comparing.open('light', 'Why it blinks');
  return { ...app, ...other, comparing, shown: () => app.store.getState().comparing };
}

describe('what a person does to compare a talk', () => {
  it('offers the newest of the others, and shows how it differs from the one that is chosen', async () => {
    const { comparing, shown, asked } = await open();
    expect(shown()).toMatchObject({ title: 'Why it blinks', tapes: sampleTapes, other: 'evening' });
    comparing.choose('morning');
    await comparing.compare();
    expect(asked.at(-1)).toEqual({
      name: 'compareTapes',
      input: { tape: 'light', other: 'morning' },
    });
    expect(shown()?.step).toEqual({ kind: 'compared', compared });
    await comparing.again();
    expect(shown()).toMatchObject({ other: 'morning', step: { kind: 'choosing' } });
  });

  it('sends it to a server, says how far that is, and compares what came of it', async () => {
    const sent = deferred();
    const { comparing, shown, asked, notice } = await open({
      values,
      until: { rerunTape: sent.promise },
    });
    const running = comparing.rerun('embedded');
    const payload = { phase: 'live', doneMs: 1000, ofMs: 4000 } as const;
    notice({ name: 'rerunProgress', payload });
    expect(shown()?.step).toEqual({ kind: 'running', progress: payload, stopping: false });
    sent.resolve();
    await running;
    expect(asked.map(({ name, input }) => [name, input])).toEqual([
      ['comparableTapes', { tape: 'light' }],
      ['rerunTape', { tape: 'light', server: 'embedded' }],
      ['compareTapes', { tape: 'light', other: 'made' }],
    ]);
    expect(shown()?.step.kind).toBe('compared');
  });

  it('says why it could not be compared, where it is chosen', async () => {
    const { comparing, shown } = await open({ works: false });
    expect(shown()?.step).toMatchObject({ kind: 'choosing', error: { code: 'noTalk' } });
    await comparing.rerun('embedded');
    expect(shown()?.step).toMatchObject({ kind: 'choosing', error: { code: 'noTalk' } });
  });

  it('stops what is being sent when it is closed, and takes no late answer', async () => {
    const sent = deferred();
    const { comparing, shown, names } = await open({ values, until: { rerunTape: sent.promise } });
    const running = comparing.rerun('embedded');
    comparing.close();
    expect(names().at(-1)).toBe('stopRerun');
    await comparing.open('other', 'Another');
    sent.resolve();
    await running;
    expect(shown()).toMatchObject({ tape: 'other', step: { kind: 'choosing' } });
    expect(names()).not.toContain('compareTapes');
  });

  it('stops it once', async () => {
    const sent = deferred();
    const { comparing, shown, names } = await open({ values, until: { rerunTape: sent.promise } });
    const running = comparing.rerun('embedded');
    await comparing.stop();
    expect(shown()?.step).toMatchObject({ kind: 'running', stopping: true });
    expect(names().filter((name) => name === 'stopRerun')).toHaveLength(1);
    sent.resolve();
    await running;
  });
});
