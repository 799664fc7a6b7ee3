import { expect, it } from 'vitest';
import { isLoopbackHost } from '../../../../shared/settings/proxy-address.ts';

it.each(
  [
    ['localhost', 'LOCALHOST', 'localhost.', 'parley.localhost', 'a.b.localhost'],
    ['127.0.0.1', '127.255.255.254', '::1', '[::1]', '0:0:0:0:0:0:0:1'],
    ['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
  ].flat(),
)('%s is this machine and uses no proxy', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

it.each(
  [
    ['localhost.example', 'notlocalhost', 'xlocalhost', '128.0.0.1', '12.7.0.0', '1'],
    ['::2', '::11', '2001:db8::1', '::ffff:8f00:1', '127.0.0.1.example', '0.0.0.0'],
  ].flat(),
)('%s is a different machine', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
