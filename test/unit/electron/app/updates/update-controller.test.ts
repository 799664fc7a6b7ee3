import { describe, expect, it } from 'vitest';
import { failure } from '../../../../../shared/errors/app-error.ts';
import { FakeUpdates, anyPage, openUpdates, sampleFeed } from '../../../../fakes/fake-updates.ts';

const day = 24 * 60 * 60_000;
describe('updates', () => {
  it('install a version from a feed and notify once', async () => {
    const { updates, view, views, check, controller, disk } = await openUpdates();
    await check();
    expect(updates.calls).toEqual([
      'describe',
      'fetch',
      'replace /fetched/Parley-0.2.0-linux-x86_64.AppImage',
      'clear',
    ]);
    expect(views.map(({ step }) => step.kind)).toEqual(
      expect.arrayContaining(['checking', 'fetching', 'ready']),
    );
    expect(view()).toMatchObject({
      mode: 'installs',
      step: { kind: 'ready', version: '0.2.0', notes: { zh: '新内容。' } },
      unseenVersion: '0.2.0',
      problem: undefined,
    });
    // A double click.
    await controller.handlers.updateSeen(undefined, anyPage);
    await controller.handlers.updateSeen(undefined, anyPage);
    await check();
    expect(view().unseenVersion).toBeUndefined();
    await controller.end();
    expect(updates.calls.at(-1)).toBe('describe');
    expect(disk.get('updates.json')).toContain('"notifiedVersion":"0.2.0"');
  });

  it('check once a day, not at the start and not during a talk', async () => {
    const { updates, pass, world } = await openUpdates();
    updates.feed = sampleFeed({ version: '0.1.0' });
    expect(updates.calls).toEqual([]);
    await pass(9 * 60_000);
    expect(updates.calls).toEqual([]);
    await pass(11 * 60_000);
    expect(updates.calls).toEqual(['describe']);
    await pass(day);
    expect(updates.calls).toEqual(['describe']);
    world.talking = true;
    await pass(2 * 60 * 60_000);
    expect(updates.calls).toEqual(['describe']);
    world.talking = false;
    await pass(10 * 60_000);
    expect(updates.calls).toEqual(['describe', 'describe']);
  });

  it('are checked only on request while they are off', async () => {
    const { updates, pass, check, view } = await openUpdates({ setting: 'off' });
    await pass(10 * day);
    expect(updates.calls).toEqual([]);
    await check();
    expect(view().step).toMatchObject({ kind: 'offered', version: '0.2.0' });
  });

  it('only notify if Parley cannot replace itself', async () => {
    const { updates, check, view, controller } = await openUpdates({ kind: 'announces' });
    await check();
    await controller.handlers.fetchUpdate(undefined, anyPage);
    expect(updates.calls).toEqual(['describe']);
    const address = 'https://updates.example/Parley-0.2.0-linux-x86_64.AppImage';
    expect(view()).toMatchObject({ mode: 'announces', step: { kind: 'offered', address } });
  });

  it('wait for the end of a talk, stop when one begins, and continue after it', async () => {
    const { updates, check, talk, view } = await openUpdates();
    await talk(true);
    await check();
    expect(updates.calls).toEqual(['describe']);
    expect(view().step.kind).toBe('waiting');
    updates.held.add('fetch');
    await talk(false);
    expect(view().step.kind).toBe('fetching');
    await talk(true);
    expect(updates.calls).toEqual(['describe', 'fetch', 'fetch stopped']);
    expect(view()).toMatchObject({ step: { kind: 'waiting' }, problem: undefined });
    updates.held.clear();
    await talk(false);
    expect(view().step.kind).toBe('ready');
  });

  it('keep this version if anything fails, and report why', async () => {
    for (const stage of ['describe', 'fetch', 'replace'] as const) {
      const { updates, check, view, disk } = await openUpdates();
      updates.failures[stage] = failure('updateAltered', { version: '0.2.0' });
      await check();
      expect(view(), stage).toMatchObject({
        // An update that the feed offered can be downloaded again.
        step: stage === 'describe' ? { kind: 'idle' } : { kind: 'offered', version: '0.2.0' },
        problem: stage === 'replace' ? { code: 'updateNotSwapped' } : { code: 'updateAltered' },
        unseenVersion: undefined,
      });
      expect(disk.get('updates.json'), stage).not.toContain('installedVersion');
    }
  });

  it('stay on offer after a failed check', async () => {
    const { updates, check, view } = await openUpdates({ setting: 'tell' });
    await check();
    updates.failures.describe = failure('updateAltered', { version: '0.2.0' });
    await check();
    expect(view()).toMatchObject({
      step: { kind: 'offered', version: '0.2.0' },
      problem: { code: 'updateAltered' },
    });
  });

  it('report a damaged feed, and reject an older feed afterwards', async () => {
    const { updates, check, view } = await openUpdates({ setting: 'tell' });
    updates.feed = '{';
    await check();
    expect(view().problem).toMatchObject({ code: 'updateFeedDamaged' });
    updates.feed = sampleFeed({ version: '0.3.0', releaseDate: '2026-01-02T00:00:00.000Z' });
    await check();
    expect(view().step).toMatchObject({ kind: 'offered', version: '0.3.0' });
    updates.feed = sampleFeed();
    await check();
    expect(view().problem).toMatchObject({ code: 'updateFeedOlder' });
  });

  it('roll back a withdrawn version that has not run yet', async () => {
    const { updates, check, view, controller, disk } = await openUpdates();
    await check();
    updates.feed = sampleFeed({ version: '0.1.0', releaseDate: '2026-01-03T00:00:00.000Z' });
    await check();
    expect(view()).toMatchObject({ step: { kind: 'newest' }, unseenVersion: undefined });
    expect(updates.calls.at(-1)).toBe('put back 0.1.0');
    await controller.end();
    expect(disk.get('updates.json')).not.toContain('installedVersion');
  });

  it('roll back an installed update when turned off, and download again when turned on', async () => {
    const { updates, check, set, view } = await openUpdates();
    await check();
    await set('off');
    expect(updates.calls.slice(-2)).toEqual(['put back 0.1.0', 'clear']);
    await set('tell');
    await check();
    expect(view().step.kind).toBe('offered');
    await set('auto');
    expect(view().step.kind).toBe('ready');
  });

  it('restart only on request and outside a talk', async () => {
    const { check, talk, controller, world } = await openUpdates();
    const switchTo = (to: 'next' | 'previous') =>
      Promise.resolve(controller.handlers.switchVersion({ to }, anyPage));
    expect(await switchTo('next')).toEqual(failure('updateVersionGone'));
    await check();
    await talk(true);
    expect(await switchTo('next')).toEqual(failure('talkGoingOn'));
    expect(world.restarts).toBe(0);
    await talk(false);
    expect(await switchTo('previous')).toEqual(failure('updateVersionGone'));
    await switchTo('next');
    expect(world.restarts).toBe(1);
  });

  it('go back to the previous version and do not install the same update again', async () => {
    const first = await openUpdates();
    await first.check();
    await first.controller.end();
    const updates = new FakeUpdates();
    updates.previous = '0.1.0';
    const newer = await openUpdates({ updates, runningVersion: '0.2.0', disk: first.disk });
    expect(newer.view().previous).toBe('0.1.0');
    await newer.controller.handlers.switchVersion({ to: 'previous' }, anyPage);
    expect(updates.calls).toEqual(['put back 0.1.0']);
    expect(newer.world.restarts).toBe(1);

    const older = await openUpdates({ disk: newer.disk });
    await older.pass(2 * day);
    expect(older.view().step.kind).toBe('newest');
    await older.check();
    expect(older.view().step.kind).toBe('ready');
    // An offer from a manual check stays, regardless of the next automatic check.
    await older.pass(2 * day);
    expect(older.view().step.kind).toBe('ready');
  });
});
