import { expect, it } from 'vitest';
import { parsePacResult } from '../../../../shared/settings/proxy-address.ts';

const at = (scheme: string, host: string, port: number) => ({ scheme, host, port });

it.each([
  ['DIRECT', ['direct']],
  ['', ['direct']],
  ['NONSENSE a:1; PROXY ; PROXY a:99999', ['direct']],
  ['PROXY a:1', [at('http', 'a', 1)]],
  [
    'PROXY a:1; SOCKS5 b:2; HTTPS c:3; DIRECT',
    [at('http', 'a', 1), at('socks5', 'b', 2), at('https', 'c', 3), 'direct'],
  ],
  [
    ' proxy  a.example:8080 ;SOCKS [::1]:2',
    [at('http', 'a.example', 8080), at('socks4', '::1', 2)],
  ],
])('the PAC result %j gives the routes %j', (answer, routes) => {
  expect(parsePacResult(answer)).toEqual(routes);
});
