import type { ErrorTable } from '../../errors/error-message.ts';
import { chineseDeviceErrors } from './device-errors.ts';
import { chineseGlobalKeyErrors } from './global-key-errors.ts';
import { chineseHistoryErrors } from './history-errors.ts';
import { chineseProxyErrors } from './proxy-errors.ts';
import { chineseRequestErrors } from './request-errors.ts';
import { chineseSessionErrors } from './session-errors.ts';
import { chineseStorageErrors } from './storage-errors.ts';
import { chineseUpdateErrors } from './update-errors.ts';

/** What goes wrong, said to a person: the only place of these sentences. */
export const chineseErrors: ErrorTable = {
  said: '服务器说明：{{said}}',
  andThen: '{{first}}{{next}}',
  codes: {
    ...chineseSessionErrors,
    ...chineseProxyErrors,
    ...chineseDeviceErrors,
    ...chineseGlobalKeyErrors,
    ...chineseUpdateErrors,
    ...chineseStorageErrors,
    ...chineseHistoryErrors,
    ...chineseRequestErrors,
  },
};
