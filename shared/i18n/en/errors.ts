import type { ErrorTable } from '../../errors/error-message.ts';
import { englishDeviceErrors } from './device-errors.ts';
import { englishGlobalKeyErrors } from './global-key-errors.ts';
import { englishHistoryErrors } from './history-errors.ts';
import { englishProxyErrors } from './proxy-errors.ts';
import { englishRequestErrors } from './request-errors.ts';
import { englishSessionErrors } from './session-errors.ts';
import { englishStorageErrors } from './storage-errors.ts';
import { englishUpdateErrors } from './update-errors.ts';

/** What goes wrong, said to a person: the only place of these sentences. */
export const englishErrors: ErrorTable = {
  said: 'The server says: {{said}}',
  andThen: '{{first}} {{next}}',
  codes: {
    ...englishSessionErrors,
    ...englishProxyErrors,
    ...englishDeviceErrors,
    ...englishGlobalKeyErrors,
    ...englishUpdateErrors,
    ...englishStorageErrors,
    ...englishHistoryErrors,
    ...englishRequestErrors,
  },
};
