import type { englishProxyErrors } from '../en/proxy-errors.ts';

export const chineseProxyErrors: Readonly<Record<keyof typeof englishProxyErrors, string>> = {
  proxyAddressForm: '代理地址的形式如 http://proxy.example:3128。',
  proxyLoginForm: '代理的用户名和密码各不超过 255 个字符，用户名里不能有冒号。',
  proxyNotConfirmed: '没有确认代理 {{proxy}}，所以 Parley 不使用它。',
  proxyLoginSealed: '钥匙串打不开代理 {{proxy}} 的密码，请解锁钥匙串，或重新输入密码。',
  proxyLoginGone: '代理 {{proxy}} 的用户名和密码已不在保存中，请在“设置”的“服务器”里重新输入。',
  proxyAway: '无法连接代理 {{proxy}}，请检查网络，以及“设置”的“服务器”里的代理。',
  proxySlow: '代理 {{proxy}} 没能及时连上 {{server}}，请检查“设置”的“服务器”里的代理，或再试一次。',
  proxyWantsLogin: '代理 {{proxy}} 要求用户名和密码，请在“设置”的“服务器”里输入。',
  proxyRefusesLogin: '代理 {{proxy}} 不接受这个用户名和密码，请在“设置”的“服务器”里重新输入。',
  proxyForbids: '代理 {{proxy}} 不允许连接 {{server}}（{{status}}），请询问代理的管理者。',
  proxyReachesNothing:
    '代理 {{proxy}} 无法连接 {{server}}（{{status}}），请检查服务器的地址，或再试一次。',
  proxyUntrusted: '这台电脑不信任代理 {{proxy}} 的证书，请询问代理的管理者。',
  noProxyThere:
    '{{proxy}} 不是这种代理，请在“设置”的“服务器”里检查它的地址，以及开头是 http://、https:// 还是 socks5://。',
};
