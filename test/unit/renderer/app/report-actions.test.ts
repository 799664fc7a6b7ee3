import { describe, expect, it } from 'vitest';
import { createStore } from '../../../../renderer/app/store.ts';
import { initialUiState } from '../../../../renderer/app/ui-state.ts';
import { createReportActions } from '../../../../renderer/report/report-store.ts';
import type { RequestName } from '../../../../shared/ipc/contract.ts';
import { fakeBridge } from '../../../fakes/fake-bridge.ts';

const of = { kind: 'shown' } as const;
const report = { files: [], recordedAt: undefined };

function open(works = true, values = {}) {
  const store = createStore(initialUiState);
  const asked: RequestName[] = [];
  const { bridge } = fakeBridge({ works, values: { prepareReport: report, ...values } });
  const actions = createReportActions({
    store,
    request: (name, input) => {
      asked.push(name);
      return bridge.request(name, input);
    },
    download: () => undefined,
  });
  return { store, asked, actions, step: () => store.getState().reporting?.step };
}

describe('a saved report', () => {
  const step = { kind: 'saved', path: '/home/someone/report.zip' } as const;

  it('opens its folder, or shows the path if the host cannot', async () => {
    const opens = open(true, { showSaved: { path: '/home/someone', opened: true } });
    opens.store.setState({ reporting: { source: of, step } });
    await opens.actions.showFolder();
    expect(opens.asked).toEqual(['showSaved']);
    expect(opens.step()).toEqual(step);

    const tells = open(true, { showSaved: { path: '/home/someone', opened: false } });
    tells.store.setState({ reporting: { source: of, step } });
    await tells.actions.showFolder();
    expect(tells.step()).toEqual({ ...step, folderPath: '/home/someone' });
  });

  it('shows the error if its folder is unknown', async () => {
    const { actions, store, step: now } = open(false);
    store.setState({ reporting: { source: of, step } });
    await actions.showFolder();
    expect(now()).toMatchObject({ kind: 'failed' });
  });
});

describe('a report of the current talk', () => {
  it('is prepared again after the last two minutes were saved as a tape', async () => {
    const { actions, asked, step } = open();
    actions.open(of);
    await actions.make(of);
    expect(step()).toEqual({ kind: 'ready', report, saving: false });
    await actions.addRecent();
    expect(step()).toEqual({ kind: 'making' });
    await actions.make(of);
    expect(asked).toEqual(['prepareReport', 'keepRecent', 'prepareReport']);
    expect(step()).toMatchObject({ kind: 'ready' });
  });

  it('stays unchanged and shows the error if saving them failed', async () => {
    const { actions, store, step } = open(false);
    store.setState({ reporting: { source: of, step: { kind: 'ready', report, saving: false } } });
    await actions.addRecent();
    expect(step()).toMatchObject({ kind: 'ready', report, error: { code: 'noTalk' } });
  });
});
