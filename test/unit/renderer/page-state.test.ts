import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  persistPageStyle,
  persistScreen,
  readFirstState,
  selectFirstSteps,
} from '../../../renderer/app/initial-page-state.ts';
import { nextCheck } from '../../../renderer/app/first-run/first-run.tsx';
import { applyPageStyle, defaultPageStyle } from '../../../renderer/app/page-style.ts';
import { createStore } from '../../../renderer/app/store.ts';
import { initialUiState, type UiState } from '../../../renderer/app/ui-state.ts';
import type { MeterEvent } from '../../../shared/audio/sound-tests.ts';
import { appError } from '../../../shared/errors/app-error.ts';
import { redactSettings, defaultSettings } from '../../../shared/settings/settings.ts';
import { sampleSettings } from '../../gallery/sample-settings.ts';
import { onFrameTick, throttleWithVideo } from '../../../renderer/app/frame-tick.ts';
import { collectUnhandledRejections } from '../../fakes/promises.ts';
import { createBackgroundTimer } from '../../../renderer/capture/capture-controller.ts';
import { watchUserScroll } from '../../../renderer/talk/captions/caption-list.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  // Ends a pending tick before the next test.
  if (vi.isFakeTimers()) vi.runOnlyPendingTimers();
});

function storage(kept: Readonly<Record<string, string>> = {}) {
  const values = new Map(Object.entries(kept));
  let writes = 0;
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => {
      writes += 1;
      values.set(key, value);
    },
    writes: () => writes,
  };
}

describe('the cached page style', () => {
  it('falls back to the default if it is missing or malformed', () => {
    const broken = ['{', 'null', '[]', '{"appearance":7}', '{"appearance":{"theme":"pink"}}'];
    for (const kept of [undefined, ...broken]) {
      expect(
        persistPageStyle(storage(kept === undefined ? {} : { 'parley.look': kept })).restored,
        kept,
      ).toEqual(defaultPageStyle);
    }
  });

  it('is written once when the style changes, and never for other state', () => {
    const place = storage();
    const store = createStore<UiState>(initialUiState);
    persistPageStyle(place).follow(store);
    store.setState({ paletteOpen: true });
    expect(place.writes()).toBe(0);
    const settings = redactSettings({
      ...defaultSettings,
      appearance: { theme: 'dark', textSize: 150, language: 'zh' },
    });
    store.setState({ settings });
    store.setState({ paletteOpen: false });
    expect(place.writes()).toBe(1);
    expect(persistPageStyle(place).restored.appearance).toEqual(settings.appearance);
  });
});

describe('applyPageStyle', () => {
  it('sets theme, contrast, font size and caption scale on the root element', () => {
    const properties = new Map<string, string>();
    const page = {
      dataset: {} as Record<string, string>,
      style: {
        fontSize: '',
        setProperty: (name: string, value: string) => properties.set(name, value),
      },
    };
    const look = {
      appearance: { theme: 'dark', textSize: 200, language: 'zh' },
      captions: { size: 42, contrast: 'high' },
    } as const;
    applyPageStyle(look, page as unknown as HTMLElement);
    expect(page.dataset).toEqual({ theme: 'dark', contrast: 'high' });
    expect(page.style.fontSize).toBe('200%');
    expect(properties.get('--caption-scale')).toBe('1.5');
  });
});

it('a reloaded page restores the screen and the settings section', () => {
  const kept = storage();
  const store = createStore<UiState>(initialUiState);
  persistScreen(kept).follow(store);
  store.setState({
    screen: 'settings',
    settingsUi: { ...initialUiState.settingsUi, section: 'privacy' },
  });
  expect(persistScreen(kept).restored).toMatchObject({
    screen: 'settings',
    settingsUi: { section: 'privacy' },
  });
});

it('an unknown stored screen becomes the first screen', () => {
  const old = storage({ 'parley.place': 'about', 'parley.section': 'nowhere' });
  expect(persistScreen(old).restored).toMatchObject({
    screen: 'talk',
    settingsUi: { section: 'endpoints' },
  });
});

const page = (content: string | undefined): Pick<Document, 'querySelector'> => ({
  querySelector: (selector: string) =>
    content !== undefined && selector === 'meta[name="parley-first-state"]'
      ? { getAttribute: (name: string) => (name === 'content' ? content : null) }
      : null,
});

it('the first state is read only from a page into which the host has written it', () => {
  const written = { firstSteps: 'done', windows: { main: true, mini: false } };
  expect(readFirstState(page(JSON.stringify(written)))).toEqual(written);
  expect(readFirstState(page('unknown'))).toEqual({});
  expect(readFirstState(page(undefined))).toEqual({});
});

it('the settings decide whether the first steps are due, and before they arrive the host’s first state does', () => {
  const begun = { ...sampleSettings, firstRun: { done: false } };
  const now = (view: Partial<Parameters<typeof selectFirstSteps>[0]>) =>
    selectFirstSteps({ settings: undefined, firstSteps: undefined, problem: undefined, ...view });
  expect(now({ settings: begun, firstSteps: 'done' })).toBe('due');
  expect(now({ settings: sampleSettings, firstSteps: 'due' })).toBe('done');
  expect(now({ firstSteps: 'due' })).toBe('due');
  expect(now({})).toBeUndefined();
  // Settings that cannot be read must not keep the page empty.
  expect(now({ problem: appError('settingsUnread') })).toBe('done');
});

it('the frame tick runs all callbacks together 15 times a second', () => {
  const at: number[] = [];
  const again = (count: number): void => {
    if (count > 0)
      onFrameTick(() => {
        at.push(performance.now());
        again(count - 1);
      });
  };
  again(15);
  vi.advanceTimersByTime(17);
  again(15);
  vi.advanceTimersByTime(1070);
  expect(at).toHaveLength(30);
  expect(new Set(at).size).toBe(15);
  expect(vi.getTimerCount()).toBe(0);
});

it('the frame tick skips a cancelled callback', () => {
  const run = vi.fn();
  onFrameTick(run)();
  vi.advanceTimersByTime(200);
  expect(run).not.toHaveBeenCalled();
});

it('the frame tick runs the other callbacks if one throws, and reports its error', async () => {
  const run = vi.fn();
  const planted = new Error('planted');
  const reported = await collectUnhandledRejections(async () => {
    onFrameTick(() => {
      throw planted;
    });
    onFrameTick(run);
    vi.advanceTimersByTime(140);
    vi.useRealTimers();
  });
  expect(run).toHaveBeenCalledOnce();
  expect(reported).toEqual([planted]);
});

it('the frame tick keeps its rate if the engine fires timers early', () => {
  const realTimeout = setTimeout;
  vi.stubGlobal('setTimeout', (run: () => void, ms: number) =>
    realTimeout(run, Math.max(0, ms - 1)),
  );
  let ticks = 0;
  const again = (): void => {
    ticks += 1;
    onFrameTick(again);
  };
  const stop = onFrameTick(again);
  vi.advanceTimersByTime(2000);
  vi.unstubAllGlobals();
  stop();
  expect(ticks).toBeGreaterThan(26);
  expect(ticks).toBeLessThanOrEqual(31);
});

it('the frame tick slows to 10 frames a second while a video plays', () => {
  let ticks = 0;
  const again = (): void => {
    ticks += 1;
    onFrameTick(again);
  };
  const ticksIn = (ms: number): number => {
    const before = ticks;
    vi.advanceTimersByTime(ms);
    return ticks - before;
  };
  const stop = onFrameTick(again);
  const ended = [throttleWithVideo(), throttleWithVideo()];
  vi.advanceTimersByTime(200);
  expect(ticksIn(2000)).toBe(20);
  ended[0]?.();
  expect(ticksIn(2000)).toBe(20);
  ended[1]?.();
  vi.advanceTimersByTime(200);
  expect(ticksIn(2000)).toBe(30);
  stop();
});

/** A fake worker whose timers the test fires. */
function timerHarness() {
  const messages: { id: number; milliseconds: number }[] = [];
  const page = { isHidden: false, workers: 0 };
  let onMessage: (event: { data: number }) => void = () => undefined;
  const after = createBackgroundTimer(
    () => page.isHidden,
    () => {
      page.workers += 1;
      return {
        addEventListener: (_name: string, listener: typeof onMessage) => (onMessage = listener),
        postMessage: (wait: { id: number; milliseconds: number }) => messages.push(wait),
      } as unknown as Worker;
    },
  );
  return {
    after,
    messages,
    page,
    fire: (id: number) => {
      onMessage({ data: id });
    },
  };
}

describe('the background timer', () => {
  it('uses the page’s own timers while the page is visible', () => {
    const { after, page } = timerHarness();
    const run = vi.fn();
    after(100, run);
    after(100, run)();
    vi.advanceTimersByTime(100);
    expect(run).toHaveBeenCalledOnce();
    expect(page.workers).toBe(0);
  });

  it('uses one worker while the page is hidden and runs each callback once', () => {
    const { after, messages, page, fire } = timerHarness();
    page.isHidden = true;
    const ran: string[] = [];
    after(250, () => ran.push('first'));
    const cancel = after(50, () => ran.push('second'));
    after(250, () => ran.push('third'));
    expect(messages.map(({ milliseconds }) => milliseconds)).toEqual([250, 50, 250]);
    cancel();
    for (const { id } of [...messages, ...messages]) fire(id);
    expect(ran).toEqual(['first', 'third']);
    vi.advanceTimersByTime(10_000);
    expect([ran.length, page.workers]).toEqual([2, 1]);
  });
});

/** A scroller with a fake element, window and clock. */
function scrollHarness() {
  const element = new EventTarget();
  const page = new EventTarget();
  let time = 0;
  vi.stubGlobal('window', page);
  const watch = watchUserScroll(element as HTMLElement, () => time);
  return {
    ...watch,
    emit: (name: string, key?: string) =>
      element.dispatchEvent(Object.assign(new Event(name), { key })),
    letGo: () => page.dispatchEvent(new Event('pointerup')),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('the user scroll watch', () => {
  it.each(['wheel', 'touchmove'])(
    'reports scrolling after %s for as long as the momentum lasts',
    (name) => {
      const { emit, pass, isScrolling } = scrollHarness();
      emit(name);
      pass(900);
      expect(isScrolling()).toBe(true);
      pass(900);
      expect(isScrolling()).toBe(true);
      pass(1100);
      expect(isScrolling()).toBe(false);
    },
  );

  it('reports scrolling for scroll keys, not for the talk key', () => {
    const { emit, isScrolling } = scrollHarness();
    emit('keydown', ' ');
    expect(isScrolling()).toBe(false);
    emit('keydown', 'PageUp');
    expect(isScrolling()).toBe(true);
  });

  it('reports scrolling while the scrollbar is dragged', () => {
    const { emit, pass, isScrolling, letGo } = scrollHarness();
    emit('pointerdown');
    pass(60_000);
    expect(isScrolling()).toBe(true);
    letGo();
    pass(1100);
    expect(isScrolling()).toBe(false);
  });

  it('reports nothing after it was stopped', () => {
    const { emit, stop, isScrolling } = scrollHarness();
    stop();
    emit('wheel');
    expect(isScrolling()).toBe(false);
  });
});

describe('the microphone check of the first steps', () => {
  const level = (rmsDb: number) =>
    ({ kind: 'level', rmsDb, peakDb: rmsDb, clipped: 0 }) as const satisfies MeterEvent;

  it('keeps the reason why there is no microphone while silent levels arrive', () => {
    const problem = { state: 'problem', error: appError('noMicrophone') } as const;
    expect(nextCheck(problem, level(-90))).toBe(problem);
    const opened = nextCheck(problem, { kind: 'using', device: 'Desk' });
    expect(opened).toEqual({ state: 'open', device: 'Desk', heard: false });
    expect(nextCheck(opened, level(-90))).toBe(opened);
    expect(nextCheck(opened, level(-20))).toEqual({ ...opened, heard: true });
  });
});

it('every class in a stylesheet is used by an element', () => {
  const renderer = join(import.meta.dirname, '../../../renderer');
  const files = readdirSync(renderer, { recursive: true, encoding: 'utf8' });
  const textOf = (ending: RegExp): string =>
    files
      .filter((file) => ending.test(file))
      .map((file) => readFileSync(join(renderer, file), 'utf8'))
      .join('\n');
  const attributes = textOf(/\.(tsx?|html)$/).match(
    /[cC]lassName.{0,3}?[=:]\s*("[^"]*"|'[^']*'.*|`[^`]*`|\{[^}]*\}[^}\n]*\}?)|class(es|List).*/g,
  );
  const words = new Set(attributes?.join('\n').match(/[\w-]+/g));
  const selectors = textOf(/\.css$/)
    .replaceAll(/\/\*.*?\*\//gs, '')
    .match(/[^{}]+(?=\{)/g);
  const classes = selectors?.flatMap((selector) => selector.match(/(?<=\.)[a-z][\w-]*/gi) ?? []);
  expect(classes?.length).toBeGreaterThan(500);
  // The icons' library sets these.
  const isIcon = (name: string): boolean => name.startsWith('lucide');
  expect(new Set(classes?.filter((name) => !words.has(name) && !isIcon(name)))).toEqual(new Set());
});
