import { proxyAddress, readSetProxy } from '../proxy/proxy-address.ts';
import { booleanRule, choiceRule, valueRule } from './setting-rule.ts';
import type { SettingRules } from './setting-rule.ts';

/** By which proxy servers on other machines are reached. */
export interface ProxySettings {
  /** As the system says, by none, or by the one with this address. */
  readonly way: 'system' | 'none' | 'address';
  /** Scheme, name and port, or empty. A name and a password are never in it. */
  readonly address: string;
  /** Whether a name and a password are stored for it. */
  readonly hasLogin: boolean;
}

export const defaultProxySettings: ProxySettings = { way: 'system', address: '', hasLogin: false };

export const proxyRules: SettingRules<ProxySettings> = {
  way: choiceRule(['system', 'none', 'address']),
  address: valueRule('must be a proxy like http://proxy.example:3128', (value) => {
    if (value === '') return value;
    const proxy = typeof value === 'string' ? readSetProxy(value) : undefined;
    // One with a login is no setting: what belongs with the tokens does not stay in the file.
    return proxy === undefined || proxy.login !== undefined ? undefined : proxyAddress(proxy);
  }),
  hasLogin: booleanRule,
};

/** A proxy as a person fills it in. */
export interface ProxyDraft {
  /** May have a name and a password in it, which are taken out. */
  readonly address: string;
  /** Both empty where nothing was typed; what is kept for the same address then stays. */
  readonly name: string;
  readonly password: string;
}
