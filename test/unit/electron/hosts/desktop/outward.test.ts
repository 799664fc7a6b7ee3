import { describe, expect, it } from 'vitest';
import { isOutside } from '../../../../../electron/hosts/desktop/outward.ts';

describe('what goes out of the window', () => {
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
