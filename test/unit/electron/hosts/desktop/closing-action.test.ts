import { expect, it, vi } from 'vitest';
import { chooseClosingAction } from '../../../../../electron/hosts/desktop/desktop-windows.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

it.each([
  ['usual', true, 'hide'],
  ['usual', false, 'quit'],
  ['keep', true, 'hide'],
  ['keep', false, 'minimize'],
  ['quit', true, 'quit'],
  ['quit', false, 'quit'],
] as const)('the closing action %s with a tray (%s) means %s', (setting, tray, way) => {
  expect(chooseClosingAction(setting, tray)).toBe(way);
});
