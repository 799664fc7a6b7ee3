import { describe, expect, it } from 'vitest';
import { deferred } from '../../../fakes/deferred.ts';
import { flushPromises } from '../../../fakes/flush-promises.ts';
import { sampleComparison, sampleTapes } from '../../../gallery/sample-history.ts';
import { openApp } from '../open-app.ts';

const compared = sampleComparison('en');
const values = {
  comparableTapes: sampleTapes,
  compareTapes: compared,
  rerunTape: { tape: 'made' },
};

async function openSheet(options: Parameters<typeof openApp>[0] = { values }) {
  const app = openApp(options);
  await flushPromises();
  app.asked.length = 0;
  const { comparing } = app.actions;
  await comparing.open('light', 'Why it blinks');
  return { ...app, comparing, shown: () => app.store.getState().comparing };
}

/** A sheet whose rerun waits until the test resolves `sent`. */
async function openWaitingSheet() {
  const sent = deferred();
  return { ...(await openSheet({ values, until: { rerunTape: sent.promise } })), sent };
}

describe('the compare actions', () => {
  it('compare with the chosen recording, by default the newest other one', async () => {
    const { comparing, shown, asked } = await openSheet();
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

  it('rerun the recording on a server, show the progress, and compare the result', async () => {
    const { comparing, shown, asked, notice, sent } = await openWaitingSheet();
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

  it('show why a comparison failed', async () => {
    const { comparing, shown } = await openSheet({ works: false });
    expect(shown()?.step).toMatchObject({ kind: 'choosing', error: { code: 'noTalk' } });
    await comparing.rerun('embedded');
    expect(shown()?.step).toMatchObject({ kind: 'choosing', error: { code: 'noTalk' } });
  });

  it('stop the rerun when the sheet closes', async () => {
    const { comparing, shown, names, sent } = await openWaitingSheet();
    const running = comparing.rerun('embedded');
    comparing.close();
    expect(names().at(-1)).toBe('stopRerun');
    await comparing.open('other', 'Another');
    sent.resolve();
    await running;
    expect(shown()).toMatchObject({ tape: 'other', step: { kind: 'choosing' } });
    expect(names()).not.toContain('compareTapes');
  });

  it('show that a rerun is stopping, and send one stop request', async () => {
    const { comparing, shown, names, sent } = await openWaitingSheet();
    const running = comparing.rerun('embedded');
    await comparing.stop();
    expect(shown()?.step).toMatchObject({ kind: 'running', stopping: true });
    expect(names().filter((name) => name === 'stopRerun')).toHaveLength(1);
    sent.resolve();
    await running;
  });
});
