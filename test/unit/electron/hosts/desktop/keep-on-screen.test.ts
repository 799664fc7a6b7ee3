import { expect, it, vi } from 'vitest';
import { keepOnScreen } from '../../../../../electron/hosts/desktop/create-window.ts';
import { Lifetime } from '../../../../../shared/lifetime.ts';
import { BrowserWindow, screen } from '../../../../fakes/fake-electron.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

const away = { x: 3000, y: 20, width: 700, height: 600 };

it('a removed display leaves no window unreachable and moves no others', async () => {
  const lifetime = new Lifetime('displays under test');
  const window = new BrowserWindow(away);
  keepOnScreen(lifetime);
  screen.emit('display-removed');
  expect(window.bounds).toEqual({ x: 290, y: 100, width: 700, height: 600 });
  screen.emit('display-metrics-changed');
  expect(window.setBounds).toHaveBeenCalledOnce();
  await lifetime.end();
  window.bounds = away;
  screen.emit('display-removed');
  expect(window.bounds).toEqual(away);
  BrowserWindow.all.clear();
});
