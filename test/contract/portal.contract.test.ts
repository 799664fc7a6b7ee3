import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOtherPrograms } from '../../electron/app/other-programs.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { createPortalBackend } from '../../electron/platform/keys/portal-backend.ts';
import { which } from '../../scripts/lib/run.mjs';
import { englishCore } from '../../shared/i18n/en/core-messages.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { ForeignClipboard } from '../../shared/ports/other-programs.ts';
import type { GlobalKey } from '../../shared/talk/global-key.ts';
import { TestBus } from '../e2e/desktop/test-bus.ts';
import { deferred } from '../fakes/promises.ts';
import { eventually } from '../fakes/promises.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { BusProgram, type PortalBehaviour, shortcutSignal, TestPortal } from './test-portal.ts';

let lifetime: Lifetime;
let busLifetime: Lifetime;
let bus: TestBus;

beforeEach(async (context) => {
  lifetime = new Lifetime('a desktop under test');
  busLifetime = new Lifetime('a bus under test');
  if (which('dbus-daemon') === undefined) context.skip('dbus-daemon is not installed');
  bus = await TestBus.start(busLifetime);
});

afterEach(async () => {
  await lifetime.end();
  await busLifetime.end();
});

function backendAt(address: string) {
  const environment = { WAYLAND_DISPLAY: 'wayland-0', DBUS_SESSION_BUS_ADDRESS: address };
  return createPortalBackend({ platform: 'linux', environment }, () =>
    Promise.resolve(englishCore),
  );
}

/** Requests the key and records the events. */
async function ask(withdrawn?: Promise<void>, more: readonly GlobalKey[] = []) {
  const heard: string[] = [];
  const outcome = await backendAt(bus.address).listen(
    [{ id: 'talk', chord: 'Control+Alt+KeyT' }, ...more],
    (id, event) => heard.push(id === 'talk' ? event : `${event} ${id}`),
    () => heard.push('ended'),
    withdrawn,
  );
  if (outcome.ok) lifetime.add(outcome.value.stop);
  return { heard, outcome };
}

async function openPortal(behaviour?: PortalBehaviour): Promise<TestPortal> {
  const portal = await TestPortal.open(bus.address, behaviour);
  lifetime.add(() => portal.leave());
  return portal;
}

/** A portal that has granted the key. */
async function granted(...more: readonly GlobalKey[]) {
  const portal = await openPortal();
  const { heard, outcome } = await ask(undefined, more);
  if (!outcome.ok) throw new Error(outcome.error.code);
  return { portal, heard, stop: outcome.value.stop };
}

describe('a global key of the desktop’s portal', () => {
  it('is requested with a description and a preferred chord, and reports press and release', async () => {
    const { portal, heard } = await granted();
    const bound = portal.calls.find(({ member }) => member === 'BindShortcuts');
    expect(bound?.body[0]).toBe(portal.session);
    expect(JSON.stringify(bound?.body[1])).toContain('Talk to Parley');
    expect(JSON.stringify(bound?.body[1])).toContain('CTRL+ALT+t');
    portal.key('Activated', 'another');
    portal.key('Deactivated');
    portal.key('Activated');
    portal.key('Activated');
    portal.key('Deactivated', 'another');
    portal.key('Deactivated');
    portal.key('Deactivated');
    portal.key('Activated');
    await eventually(() => {
      expect(heard).toEqual(['press', 'release', 'press']);
    });
  });

  it('is requested together with the other keys, so that the user is asked once', async () => {
    const ask: GlobalKey = { id: 'ask', chord: 'Control+Alt+Space' };
    const { portal, heard } = await granted(ask, { id: 'dictate', chord: 'Control+Alt+KeyD' });
    const bound = portal.calls.filter(({ member }) => member === 'BindShortcuts');
    expect(bound).toHaveLength(1);
    expect(JSON.stringify(bound)).toContain('Ask Parley');
    portal.key('Activated', 'ask');
    portal.key('Activated');
    portal.key('Deactivated', 'ask');
    portal.key('Activated', 'dictate');
    await eventually(() => {
      expect(heard).toEqual(['press ask', 'press', 'release ask', 'press dictate']);
    });
    portal.closeSession();
    await eventually(() => {
      expect(heard.slice(4)).toEqual(['lost', 'lost dictate', 'ended']);
    });
  });

  it('is shown by the name of its action', async () => {
    const key = (id: string, name: string): GlobalKey => {
      return { id: `action-${id}`, chord: 'F7', action: { id, name } };
    };
    const { portal } = await granted(key('explain', ''), key('own-6', 'Haiku'));
    const bound = portal.calls.find(({ member }) => member === 'BindShortcuts');
    const shown = JSON.stringify(bound?.body[1]);
    expect(shown).toContain('Parley: Explain');
    expect(shown).toContain('Parley: Haiku');
    expect(shown).toContain('action-own-6');
  });

  it('is granted however long the user takes to answer', async () => {
    const portal = await openPortal('asks');
    const asked = ask();
    await eventually(() => {
      expect(portal.calls.map(({ member }) => member)).toContain('BindShortcuts');
    });
    portal.allow();
    expect((await asked).outcome.ok).toBe(true);
  });

  it('leaves the bus when the request is withdrawn, which closes the dialog', async () => {
    const portal = await openPortal('asks');
    const { promise: withdrawn, resolve: withdraw } = deferred();
    const asked = ask(withdrawn);
    await eventually(() => {
      expect(portal.calls.map(({ member }) => member)).toContain('BindShortcuts');
    });
    expect(await portal.uniqueNames()).toHaveLength(2);
    withdraw();
    expect((await asked).outcome.ok).toBe(false);
    await eventually(async () => {
      expect(await portal.uniqueNames()).toHaveLength(1);
    });
  });

  it('ignores signals of a program that impersonates the portal', async () => {
    const { portal, heard } = await granted();
    const impostor = await BusProgram.join(bus.address, () => undefined);
    lifetime.add(() => impostor.leave());
    const forged = shortcutSignal('Activated', portal.session, 'push-to-talk');
    impostor.send({ ...forged, destination: portal.client });
    // The bus keeps the order, so the forged signal has arrived after this reply.
    await impostor.uniqueNames();
    portal.key('Deactivated');
    portal.key('Activated');
    portal.key('Deactivated');
    await eventually(() => {
      expect(heard).toEqual(['press', 'release']);
    });
  });

  it('reports a refusal, and leaves the bus', async () => {
    const portal = await openPortal('refuses');
    expect((await ask()).outcome).toMatchObject({ error: { code: 'globalKeyPortalRefused' } });
    await eventually(async () => {
      expect(await portal.uniqueNames()).toHaveLength(1);
    });
  });

  it('is unavailable without a portal, without shortcuts or without a bus', async () => {
    const none = { error: { code: 'globalKeyPortalMissing' } };
    expect((await ask()).outcome).toMatchObject(none);
    await openPortal('lacksInterface');
    expect((await ask()).outcome).toMatchObject(none);
    await busLifetime.end();
    expect((await ask()).outcome).toMatchObject(none);
  });

  it.each([
    ['closes its session', ({ portal }) => Promise.resolve(portal.closeSession())],
    ['disappears', ({ portal }) => portal.leave()],
    ['disappears with its bus', () => busLifetime.end()],
  ] as readonly [string, (asked: { portal: TestPortal }) => Promise<void>][])(
    'is reported lost and then ends when the portal %s while the key is down',
    async (_how, happen) => {
      const { portal, heard } = await granted();
      portal.key('Activated');
      await eventually(() => {
        expect(heard).toEqual(['press']);
      });
      await happen({ portal });
      await eventually(() => {
        expect(heard).toEqual(['press', 'lost', 'ended']);
      });
    },
  );

  it('reports no loss if the portal ends while the key is up, or Parley stops', async () => {
    const first = await granted();
    first.portal.closeSession();
    await eventually(() => {
      expect(first.heard).toEqual(['ended']);
    });
    await first.portal.leave();
    const second = await granted();
    await second.stop();
    await eventually(async () => {
      expect(await second.portal.uniqueNames()).toHaveLength(1);
    });
    expect(second.heard).toEqual([]);
  });
});

describe('the portal backend', () => {
  it('is supported only on Linux under Wayland with a bus', () => {
    const offered = (environment: Readonly<Record<string, string>>, platform: NodeJS.Platform) =>
      createPortalBackend({ platform, environment }, () =>
        Promise.resolve(englishCore),
      ).isSupported();
    const wayland = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: '/run/user/1' };
    expect(offered(wayland, 'linux')).toBe(true);
    expect(offered({ ...wayland, XDG_RUNTIME_DIR: '' }, 'linux')).toBe(false);
    expect(offered({ ...wayland, WAYLAND_DISPLAY: '' }, 'linux')).toBe(false);
    expect(offered(wayland, 'darwin')).toBe(false);
  });
});

/** Parley on a Wayland desktop; `steps` records what it does, in order. */
function openKeyboard(folder = workFolder()('state'), remember?: ForeignClipboard['remember']) {
  const steps: string[] = [];
  const clipboard: ForeignClipboard = {
    selectedText: () => Promise.resolve({ text: '', cut: false }),
    text: () => Promise.resolve({ text: '', cut: false }),
    picture: () => Promise.resolve(undefined),
    write: async (text) => void steps.push(`write ${text}`),
    remember: remember ?? (async () => async () => void steps.push('put back')),
  };
  const programs = createOtherPrograms({
    clipboard,
    system: {
      platform: 'linux',
      environment: { WAYLAND_DISPLAY: 'wayland-0', DBUS_SESSION_BUS_ADDRESS: bus.address },
    },
    keyboardToken: createStateFile(folder, 'keyboard-token'),
    hideOwnWindow: () => void steps.push('hide'),
    wait: async (milliseconds) => void steps.push(`wait ${milliseconds}`),
  });
  return { steps, insert: (text: string) => programs.insert(text, undefined) };
}

const controlV = ['65507 down', '118 down', '118 up', '65507 up'];

describe('text for another program under Wayland', () => {
  it('is pasted by the portal’s keyboard, and the clipboard is restored later', async () => {
    const portal = await openPortal();
    const { steps, insert } = openKeyboard();
    expect(await insert('Hello')).toEqual({ ok: true });
    expect(portal.pressed).toEqual(controlV);
    expect(steps).toEqual(['write Hello', 'hide', 'wait 200', 'wait 1000', 'put back']);
    const selected = portal.calls.find(({ member }) => member === 'SelectDevices');
    expect(JSON.stringify(selected?.body[1])).toMatch(/"types".*\[1\].*"persist_mode".*\[2\]/u);
    // Parley leaves the bus, which ends its use of the keyboard.
    await eventually(async () => {
      expect(await portal.uniqueNames()).toHaveLength(1);
    });
  });

  it('is pasted, too, if the clipboard cannot be read, and so cannot be restored', async () => {
    const portal = await openPortal();
    const refuse = () => Promise.reject(new Error('This kind of content cannot be read.'));
    const { steps, insert } = openKeyboard(undefined, refuse);
    expect(await insert('Hello')).toEqual({ ok: true });
    expect(portal.pressed).toEqual(controlV);
    expect(steps).toEqual(['write Hello', 'hide', 'wait 200', 'wait 1000']);
  });

  it('is pasted, too, if the clipboard cannot be restored', async () => {
    const portal = await openPortal();
    const refuse = () => Promise.reject(new Error('The clipboard is in use.'));
    const { insert } = openKeyboard(undefined, async () => refuse);
    expect(await insert('Hello')).toEqual({ ok: true });
    expect(portal.pressed).toEqual(controlV);
  });

  it('needs the user’s permission once, even after a restart of Parley', async () => {
    const portal = await openPortal();
    const folder = workFolder()('state');
    for (const text of ['one', 'two', 'three'])
      expect(await openKeyboard(folder).insert(text)).toEqual({ ok: true });
    expect(portal.questions).toBe(1);
    expect(portal.pressed).toHaveLength(3 * controlV.length);
  });

  it('waits for the user’s answer before it touches the clipboard', async () => {
    const portal = await openPortal('asks');
    const { steps, insert } = openKeyboard();
    const inserted = insert('Hello');
    await eventually(() => {
      expect(portal.questions).toBe(1);
    });
    expect(steps).toEqual([]);
    portal.allow();
    expect(await inserted).toEqual({ ok: true });
  });

  it('is only copied if the user refuses the keyboard', async () => {
    const portal = await openPortal('refuses');
    const { steps, insert } = openKeyboard();
    expect(await insert('Hello')).toMatchObject({ error: { code: 'cursorKeysRefused' } });
    expect(steps).toEqual(['write Hello']);
    expect(await portal.uniqueNames()).toHaveLength(1);
  });

  it('is only copied without a portal, its keyboard or a bus', async () => {
    const none = { error: { code: 'cursorTargetUnknown' } };
    const { steps, insert } = openKeyboard();
    expect(await insert('one')).toMatchObject(none);
    await openPortal('lacksInterface');
    expect(await insert('two')).toMatchObject(none);
    await busLifetime.end();
    expect(await insert('three')).toMatchObject(none);
    expect(steps).toEqual(['write one', 'write two', 'write three']);
  });

  it('stays on the clipboard if the desktop closes the session between two key presses', async () => {
    const portal = await openPortal();
    portal.closesAfterKeys = 2;
    const { steps, insert } = openKeyboard();
    expect(await insert('Hello')).toMatchObject({ error: { code: 'cursorKeysFailed' } });
    expect(steps).toEqual(['write Hello', 'hide', 'wait 200', 'write Hello']);
  });
});
