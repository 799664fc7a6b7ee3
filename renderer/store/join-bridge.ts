import type { Bridge } from '../bridge/bridge.ts';
import type { Eye } from '../camera/eye.ts';
import { createActions } from './actions.ts';
import type { Actions, EyeDoings } from './actions.ts';
import { hearNotice, hearTalk } from './hear-notice.ts';
import { createFeed } from './feed.ts';
import type { Feed } from './feed.ts';
import { createLevelFeed } from './levels.ts';
import type { LevelFeed } from './levels.ts';
import { createStore } from './store.ts';
import type { Store } from './store.ts';
import { firstView } from './view.ts';
import type { View } from './view.ts';

/** What every screen is given. */
export interface Desk {
  readonly store: Store<View>;
  readonly actions: Actions;
  readonly levels: LevelFeed;
  /** Of a microphone outside a talk: how loud it is, in dBFS. */
  readonly meter: Feed<MeterLevel>;
  /** The page's clock, in milliseconds. */
  readonly now: () => number;
}

export interface MeterLevel {
  readonly rmsDb: number;
  readonly peakDb: number;
}

interface Needs {
  readonly bridge: Bridge;
  readonly eye: EyeDoings & Pick<Eye, 'view' | 'subscribe'>;
  readonly now: () => number;
  readonly first?: Partial<View>;
}

/** The view, changed only by what comes over the bridge and by what the person does. */
export function joinBridge({ bridge, eye, now, first }: Needs): Desk {
  const store = createStore<View>({ ...firstView, ...first });
  const levels = createLevelFeed();
  const meter = createFeed<MeterLevel>();
  const actions = createActions(store, bridge, eye);

  async function readAbout(): Promise<void> {
    const reply = await bridge.request('about', undefined);
    store.change(reply.ok ? { about: reply.value } : { problem: reply.error.message });
  }

  async function readTalk(): Promise<void> {
    const reply = await bridge.request('talk', undefined);
    if (reply.ok) store.change(hearTalk(reply.value, now()));
  }

  async function readSettings(): Promise<void> {
    const reply = await bridge.request('settings', undefined);
    if (!reply.ok) store.change({ problem: reply.error.message });
    else
      store.change({
        settings: reply.value.settings,
        problem: reply.value.problems.at(-1) ?? store.view().problem,
      });
  }

  bridge.onNotice((notice) => {
    if (notice.name === 'level') levels.tell(notice.payload);
    if (notice.name === 'microphoneMeter' || notice.name === 'voiceRecording') {
      if (notice.payload.kind === 'level') meter.tell(notice.payload);
    }
    const part = hearNotice(store.view(), notice, now());
    if (part !== undefined && Object.keys(part).length > 0) store.change(part);
  });
  bridge.onConnection((connection) => {
    store.change({ connection });
    if (connection === 'lost') return;
    void readAbout();
    void readSettings();
    void readTalk();
    void actions.checkParts();
  });
  eye.subscribe(() => {
    store.change({ eye: eye.view() });
  });
  return { store, actions, levels, meter, now };
}
