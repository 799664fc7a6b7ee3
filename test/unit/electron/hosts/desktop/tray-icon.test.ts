import { existsSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { trayIconNames } from '../../../../../electron/hosts/desktop/tray-items.ts';
import { chooseTrayInks } from '../../../../../electron/hosts/desktop/tray.ts';
import { panelColours } from '../../../../../scripts/lib/icon-drawing.mjs';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('the colours of the tray icons', () => {
  it.each([
    ['system', 'linux', true, 'on-both'],
    ['system', 'win32', true, 'on-dark'],
    ['system', 'win32', false, 'on-light'],
    ['dark', 'linux', false, 'on-dark'],
    ['light', 'win32', true, 'on-light'],
    ['dark', 'darwin', false, 'template'],
  ] as const)('for the panel %s on %s, dark: %s, are %s', (panel, platform, dark, inks) => {
    expect(chooseTrayInks(panel, platform, dark)).toBe(inks);
  });

  it.each([
    ['on-both', 3, ['#ffffff', '#000000']],
    ['on-light', 4.5, ['#ffffff', '#e6e6e6']],
    ['on-dark', 4.5, ['#000000', '#1f1f1f', '#2e3440']],
  ] as const)('%s have a contrast of at least %s:1', (set, least, panels) => {
    for (const ink of Object.values(panelColours[set])) {
      for (const panel of panels)
        expect(contrast(ink, panel), `${ink} ${panel}`).toBeGreaterThan(least);
    }
  });

  it('exist for every icon, system, panel and density', () => {
    const scales = {
      linux: ['', '@1.5x', '@2x', '@3x'],
      win32: ['', '@1.25x', '@1.5x', '@2x', '@3x'],
      darwin: ['', '@2x', '@3x'],
    } as const;
    for (const [platform, suffixes] of Object.entries(scales)) {
      for (const set of platform === 'darwin' ? ['.'] : ['on-both', 'on-light', 'on-dark']) {
        for (const sign of trayIconNames) {
          for (const suffix of suffixes) {
            const path = `resources/tray/${platform}/${set}/${sign}${suffix}.png`;
            expect(existsSync(path), path).toBe(true);
          }
        }
      }
    }
  });
});

/** The contrast ratio of WCAG. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
