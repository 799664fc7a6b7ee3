import type { TalkLevel } from '../../shared/talk/talk-view.ts';
import type { Bridge, BridgeNotice } from '../bridge/bridge.ts';
import { withNewestReplies } from '../bridge/newest-replies.ts';
import type { Eye } from '../camera/eye.ts';
import { createActions } from './actions.ts';
import type { Actions } from './actions.ts';
import { hearNotice, hearTalk } from './hear-notice.ts';
import { createLevelFeed } from './levels.ts';
import type { ClipLevel, LevelFeed } from './levels.ts';
import type { EyeDoings } from './seeing-actions.ts';
import { seeingNow } from './seeing-view.ts';
import { createStore } from './store.ts';
import { toldBy } from './told-by.ts';
import type { Store } from './store.ts';
import { firstView } from './view.ts';
import type { View } from './view.ts';

/** What every screen is given. */
export interface Desk {
  readonly store: Store<View>;
  readonly actions: Actions;
  readonly levels: LevelFeed;
  /** What the core tells, for those who look at more of it than the view has. */
  readonly listen: (hear: (notice: BridgeNotice) => void) => () => void;
  readonly request: Bridge['request'];
  /** Of a microphone outside a talk: how loud it is, in dBFS. */
  readonly meter: LevelFeed<MeterLevel>;
  /** Of a clip that is being recorded for a message. */
  readonly clipLevels: LevelFeed<ClipLevel>;
  /** The page's clock, in milliseconds. */
  readonly now: () => number;
}

export interface MeterLevel {
  readonly rmsDb: number;
  readonly peakDb: number;
}

interface Needs {
  readonly bridge: Bridge;
  readonly eye: EyeDoings & Pick<Eye, 'view' | 'subscribe' | 'follow' | 'setChunk'>;
  readonly now: () => number;
  readonly first?: Partial<View>;
}

/** The view, changed only by what comes over the bridge and by what the person does. */
export function joinBridge({ bridge: anyBridge, eye, now, first }: Needs): Desk {
  const bridge = withNewestReplies(anyBridge);
  const store = createStore<View>({ ...firstView, ...first });
  const levels = createLevelFeed<TalkLevel>();
  const clipLevels = createLevelFeed<ClipLevel>();
  const meter = createLevelFeed<MeterLevel>();
  const actions = createActions(store, bridge, eye);
  const listeners = new Set<(notice: BridgeNotice) => void>();

  /** Rate, detail and camera apply at once, wherever they were changed. */
  function followSettings(): void {
    const { settings } = store.view();
    if (settings === undefined) return;
    eye.setChunk(settings.assistant.generation.chunkMs);
    void eye.follow(seeingNow(store.view()));
  }

  async function readAbout(): Promise<void> {
    const reply = await bridge.request('about', undefined);
    store.change(reply.ok ? { about: reply.value } : { problem: toldBy(reply.error) });
  }

  async function readTalk(): Promise<void> {
    const reply = await bridge.request('talk', undefined);
    if (reply.ok) store.change(hearTalk(reply.value, now()));
  }

  async function readSettings(): Promise<void> {
    const reply = await bridge.request('settings', undefined);
    if (!reply.ok) store.change({ problem: toldBy(reply.error) });
    else {
      store.change({
        settings: reply.value.settings,
        problem: reply.value.problems.at(-1) ?? store.view().problem,
      });
      followSettings();
    }
  }

  bridge.onNotice((notice) => {
    if (notice.name === 'level') levels.tell(notice.payload);
    if (notice.name === 'clipRecording' && notice.payload.kind === 'level') {
      clipLevels.tell(notice.payload);
      return;
    }
    if (notice.name === 'microphoneMeter' || notice.name === 'voiceRecording') {
      if (notice.payload.kind === 'level') meter.tell(notice.payload);
    }
    const { stale } = store.view().chat;
    const part = hearNotice(store.view(), notice, now());
    if (part !== undefined && Object.keys(part).length > 0) store.change(part);
    if (!stale && part?.chat?.stale === true) void actions.chat.read();
    if (notice.name === 'settingsChanged') followSettings();
    for (const hear of listeners) hear(notice);
  });
  bridge.onConnection((connection) => {
    store.change({ connection });
    if (connection === 'lost') {
      actions.chat.lost();
      actions.setup.loseVoices();
      actions.setup.loseMeter();
      return;
    }
    void readAbout();
    void readSettings();
    void readTalk();
    // A page that has been away may have missed a part of an answer.
    if (store.view().chat.conversation !== undefined) void actions.chat.read();
    void actions.checkParts();
  });
  eye.subscribe(() => {
    const before = store.view().eye.state;
    store.change({ eye: eye.view() });
    // The names of cameras are known from then on.
    if (before !== 'open' && eye.view().state === 'open') void actions.lookForCameras();
  });
  return {
    store,
    actions,
    levels,
    clipLevels,
    meter,
    now,
    request: bridge.request,
    listen: (hear) => {
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
      };
    },
  };
}
