import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NoticeBoard } from '../../../../../../electron/app/ipc/request-dispatcher.ts';
import { keepAwake } from '../../../../../../electron/hosts/desktop/integration/open-integration.ts';
import { Lifetime } from '../../../../../../shared/lifetime.ts';
import { idleTalkView, type TalkView } from '../../../../../../shared/talk/talk-view.ts';
import { powerSaveBlocker } from '../../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../../fakes/fake-electron.ts'));

let lifetime: Lifetime;

beforeEach(() => {
  lifetime = new Lifetime('wakefulness under test');
  vi.clearAllMocks();
});

afterEach(() => lifetime.end());

function openTalk() {
  const notices = new NoticeBoard();
  const talk: { view: TalkView } = { view: idleTalkView };
  keepAwake({ notices, lifetime, talk });
  return (part: Partial<TalkView>): void => {
    talk.view = { ...talk.view, ...part };
    notices.post('talkState', talk.view.state);
  };
}

const { start, stop } = powerSaveBlocker;

it('the machine stays awake during a talk, with the screen on for video', () => {
  const changeTalk = openTalk();
  changeTalk({
    state: { phase: 'connecting' },
    talk: { mode: 'audio', endpoint: 'Demonstration' },
  });
  changeTalk({ state: { phase: 'live' } });
  expect(start.mock.calls).toEqual([['prevent-app-suspension']]);
  expect(stop).not.toHaveBeenCalled();
  changeTalk({ state: { phase: 'idle' } });
  expect(stop.mock.calls).toEqual([[1]]);
  changeTalk({ state: { phase: 'live' }, talk: { mode: 'video', endpoint: 'Demonstration' } });
  expect(start.mock.lastCall).toEqual(['prevent-display-sleep']);
});

it('the machine may sleep again when Parley ends during a talk', async () => {
  openTalk()({ state: { phase: 'live' } });
  await lifetime.end();
  expect(stop).toHaveBeenCalledOnce();
});
