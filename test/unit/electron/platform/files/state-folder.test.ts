import { describe, expect, it } from 'vitest';
import { stateFolder } from '../../../../../electron/platform/files/state-folder.ts';

describe('the state folder', () => {
  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ['linux', {}, '/home/a/.local/state/parley'],
    ['linux', { XDG_STATE_HOME: '/x/state' }, '/x/state/parley'],
    ['linux', { XDG_STATE_HOME: 'not/absolute' }, '/home/a/.local/state/parley'],
    ['linux', { XDG_STATE_HOME: '' }, '/home/a/.local/state/parley'],
    ['darwin', { XDG_STATE_HOME: '/x' }, '/home/a/Library/Application Support/Parley'],
    ['win32', { LOCALAPPDATA: String.raw`C:\Local` }, String.raw`C:\Local\Parley`],
    ['win32', {}, String.raw`\home\a\AppData\Local\Parley`],
    ['linux', { PARLEY_STATE_DIR: '/t' }, '/t'],
    ['win32', { PARLEY_STATE_DIR: '/t' }, '/t'],
  ])('on %s with %j is %s', (platform, env, expected) => {
    expect(stateFolder(env, platform, '/home/a')).toBe(expected);
  });
});
