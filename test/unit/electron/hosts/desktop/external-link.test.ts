import { describe, expect, it, vi } from 'vitest';
import { externalLink } from '../../../../../electron/hosts/desktop/page-isolation.ts';

vi.mock('electron', () => import('../../../../fakes/fake-electron.ts'));

describe('an external link', () => {
  it('is a web address or a mailbox', () => {
    for (const address of [
      'https://example.com/a',
      'http://example.com/',
      'mailto:a@example.com',
    ]) {
      expect(externalLink(address), address).toBe(address);
    }
    const others = ['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/x', 'vscode://x', ''];
    for (const address of [...others, `https://example.com/${'a'.repeat(3000)}`]) {
      expect(externalLink(address), address.slice(0, 40)).toBeUndefined();
    }
  });

  it('keeps only the recipient of a mail link', () => {
    for (const rest of [
      '?subject=Hello&body=My%20token',
      '?cc=b@example.com&bcc=c@example.com',
      '?attach=/etc/passwd',
      '#part',
    ]) {
      expect(externalLink(`mailto:a.b+c@example.com${rest}`)).toBe('mailto:a.b+c@example.com');
    }
  });

  it.each([
    'mailto:',
    'mailto:?to=a@example.com',
    'mailto:a@example.com,b@example.com',
    'mailto:a@example.com%0Acc:b@example.com',
    'mailto:%22quoted%22@example.com',
    'mailto:-flag@example.com',
    'mailto:nobody',
  ])('is not %s', (address) => {
    expect(externalLink(address)).toBeUndefined();
  });
});
