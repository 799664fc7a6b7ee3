import { partNames } from '../shared/about.ts';
import type { About, PartName, PartReport } from '../shared/about.ts';
import type { Bridge, Connection } from './bridge/bridge.ts';

export type PartView = { readonly state: 'checking' } | { readonly state: 'unknown' } | PartReport;

/** Everything the screens show. */
export interface View {
  readonly about: About | undefined;
  readonly connection: Connection;
  readonly parts: Readonly<Record<PartName, PartView>>;
  /** A sentence about the last request that failed. */
  readonly problem: string | undefined;
}

export interface Store {
  readonly view: () => View;
  readonly subscribe: (changed: () => void) => () => void;
  readonly checkParts: () => Promise<void>;
}

const allChecking: View['parts'] = {
  portaudio: { state: 'checking' },
  sharp: { state: 'checking' },
};

const allUnknown: View['parts'] = {
  portaudio: { state: 'unknown' },
  sharp: { state: 'unknown' },
};

/** Keeps the view, changed only by what comes over the bridge. */
export function createStore(bridge: Bridge): Store {
  let view: View = {
    about: undefined,
    connection: 'connected',
    parts: allChecking,
    problem: undefined,
  };
  const subscribers = new Set<() => void>();

  function change(part: Partial<View>): void {
    view = { ...view, ...part };
    for (const changed of subscribers) changed();
  }

  async function readAbout(): Promise<void> {
    const reply = await bridge.request('about', undefined);
    if (reply.ok) change({ about: reply.value });
    else change({ problem: reply.error.message });
  }

  async function checkParts(): Promise<void> {
    change({ parts: allChecking, problem: undefined });
    const reply = await bridge.request('checkParts', { parts: partNames });
    if (!reply.ok) change({ parts: allUnknown, problem: reply.error.message });
  }

  bridge.onNotice(({ name, payload }) => {
    if (name !== 'partChecked') return;
    change({ parts: { ...view.parts, [payload.part]: payload } });
  });
  bridge.onConnection((connection) => {
    change({ connection });
    if (connection === 'lost') return;
    void readAbout();
    void checkParts();
  });

  return {
    view: () => view,
    subscribe: (changed) => {
      subscribers.add(changed);
      return () => {
        subscribers.delete(changed);
      };
    },
    checkParts,
  };
}
