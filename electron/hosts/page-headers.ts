import { contentSecurityPolicy, permissionsPolicy } from './content-security-policy.ts';

/** What goes with every file of the page, in the desktop window and in the browser. */
export function pageHeaders(connect: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(connect),
    'permissions-policy': permissionsPolicy,
    // Whoever opened the page, or is opened by it, gets no hold of it.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    // A link in an answer is not looked up before somebody follows it.
    'x-dns-prefetch-control': 'off',
    'x-content-type-options': 'nosniff',
  };
}
