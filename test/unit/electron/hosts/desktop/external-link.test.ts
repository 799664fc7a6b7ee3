import { describe, expect, it } from 'vitest';
import { isExternalLink } from '../../../../../electron/hosts/desktop/external-link.ts';

describe('what goes out of the window', () => {
  it('is an address of a page or a mailbox', () => {
    for (const address of ['https://example.com/a', 'http://example.com', 'mailto:a@example.com']) {
      expect(isExternalLink(address), address).toBe(true);
    }
    const others = ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/x', 'vscode://x', ''];
    for (const address of [...others, `https://example.com/${'a'.repeat(3000)}`]) {
      expect(isExternalLink(address), address.slice(0, 40)).toBe(false);
    }
  });
});
