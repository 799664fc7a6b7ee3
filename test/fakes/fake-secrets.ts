import type { Keychain, Secrets } from '../../shared/ports/secrets.ts';
import type { Failure } from '../../shared/errors/app-error.ts';
import type { SecretsKind } from '../../shared/settings/connection-settings.ts';

/** Tokens in memory. `failed` makes `get` and `set` fail. */
export class FakeSecrets implements Secrets {
  readonly known = new Map<string, string>();
  guard: SecretsKind = 'keychain';
  failed: Failure | undefined;

  readonly kind = (): SecretsKind => this.guard;

  readonly get: Secrets['get'] = async (id) => {
    await Promise.resolve();
    if (this.failed !== undefined) return this.failed;
    return { ok: true, value: this.known.get(id) };
  };

  set: Secrets['set'] = async (id, secret) => {
    await Promise.resolve();
    if (this.failed !== undefined) return this.failed;
    this.known.set(id, secret);
    return { ok: true, value: undefined };
  };

  readonly delete: Secrets['delete'] = async (id) => {
    await Promise.resolve();
    this.known.delete(id);
    return { ok: true, value: undefined };
  };

  readonly count = (): number => this.known.size;

  readonly deleteAll: Secrets['deleteAll'] = async () => {
    await Promise.resolve();
    this.known.clear();
    return { ok: true, value: undefined };
  };
}

/** Seals by inverting every byte, which hides the text from a search. */
export class FakeKeychain implements Keychain {
  isAvailable = true;
  locked = false;

  readonly available = (): boolean => this.isAvailable;

  readonly seal = (text: string): Uint8Array => {
    if (this.locked) throw new Error('locked');
    return inverted(new TextEncoder().encode(text));
  };

  readonly open = (sealed: Uint8Array): string => {
    if (this.locked) throw new Error('locked');
    return new TextDecoder().decode(inverted(sealed));
  };
}

function inverted(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte ^ 0xff);
}
