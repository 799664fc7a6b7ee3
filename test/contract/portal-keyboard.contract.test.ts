import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOtherPrograms } from '../../electron/app/other-programs.ts';
import { createStateFile } from '../../electron/platform/files/state-file.ts';
import { Lifetime } from '../../shared/lifetime.ts';
import type { ForeignClipboard } from '../../shared/ports/other-programs.ts';
import { eventually } from '../fakes/eventually.ts';
import { workFolder } from '../fakes/work-folder.ts';
import { missingBus, type SessionBus, startSessionBus } from './keys/session-bus.ts';
import { type PortalBehaviour, TestPortal } from './keys/test-portal.ts';

const missing = missingBus();
let lifetime: Lifetime;
let bus: SessionBus;

beforeEach(async (context) => {
  lifetime = new Lifetime('a bus under test');
  if (missing !== undefined) context.skip(missing);
  bus = await startSessionBus(lifetime);
});

afterEach(() => lifetime.end());

async function openPortal(behaviour?: PortalBehaviour): Promise<TestPortal> {
  const portal = await TestPortal.open(bus.address, behaviour);
  lifetime.add(() => portal.leave());
  return portal;
}

/** Parley on a Wayland desktop; `steps` records what it does, in order. */
function openKeyboard(folder = workFolder()('state')) {
  const steps: string[] = [];
  const clipboard: ForeignClipboard = {
    selectedText: () => Promise.resolve({ text: '', cut: false }),
    text: () => Promise.resolve({ text: '', cut: false }),
    picture: () => Promise.resolve(undefined),
    write: async (text) => void steps.push(`write ${text}`),
    remember: async () => async () => void steps.push('put back'),
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
      expect(await portal.others()).toHaveLength(1);
    });
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
    expect(await portal.others()).toHaveLength(1);
  });

  it('is only copied without a portal, its keyboard or a bus', async () => {
    const none = { error: { code: 'cursorTargetUnknown' } };
    const { steps, insert } = openKeyboard();
    expect(await insert('one')).toMatchObject(none);
    await openPortal('lacksInterface');
    expect(await insert('two')).toMatchObject(none);
    await bus.end();
    expect(await insert('three')).toMatchObject(none);
    expect(steps).toEqual(['write one', 'write two', 'write three']);
  });

  it('stays on the clipboard if the desktop closes the session between two keys', async () => {
    const portal = await openPortal();
    portal.closesAfterKeys = 2;
    const { steps, insert } = openKeyboard();
    expect(await insert('Hello')).toMatchObject({ error: { code: 'cursorKeysFailed' } });
    expect(steps).toEqual(['write Hello', 'hide', 'wait 200', 'write Hello']);
  });

  it('needs the permission again after a damaged token file', async () => {
    const portal = await openPortal();
    const folder = workFolder()('state');
    await createStateFile(folder, 'keyboard-token').write('{"token": ["not a text"]}');
    expect(await openKeyboard(folder).insert('Hello')).toEqual({ ok: true });
    expect(portal.questions).toBe(1);
  });
});
