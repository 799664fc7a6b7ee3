import { describe, expect, it } from 'vitest';
import { isOutside, mayCopy } from '../../../../../electron/hosts/desktop/outward.ts';

const page = 'https://parley.localhost';
const asked = {
  permission: 'clipboard-sanitized-write',
  origin: page,
  mainFrame: true,
  media: [],
};

describe('what goes out of the window', () => {
  it('is text for the clipboard, from our own page only', () => {
    expect(mayCopy(asked, page)).toBe(true);
    expect(mayCopy({ ...asked, permission: 'clipboard-read' }, page)).toBe(false);
    expect(mayCopy({ ...asked, mainFrame: false }, page)).toBe(false);
    expect(mayCopy({ ...asked, origin: 'https://example.com' }, page)).toBe(false);
  });

  it('is an address of a page or a mailbox', () => {
    for (const address of ['https://example.com/a', 'http://example.com', 'mailto:a@example.com']) {
      expect(isOutside(address), address).toBe(true);
    }
    const others = ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/x', 'vscode://x', ''];
    for (const address of [...others, `https://example.com/${'a'.repeat(3000)}`]) {
      expect(isOutside(address), address.slice(0, 40)).toBe(false);
    }
  });
});
