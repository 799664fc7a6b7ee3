/** Why a key is not heard while another program has the keyboard. */
export const englishGlobalKeyErrors = {
  globalKeyUnknown: 'This key cannot be heard in other programs: choose another one.',
  globalKeyTaken: 'Another program uses this key. Choose another one, or free it there.',
  globalKeyAlone:
    'This key would stop working in other programs. Add Ctrl or Alt, or use F1 to F24.',
  globalKeyForbidden:
    'The system blocks keys from other programs. Allow it in its settings, under Accessibility.',
  globalKeyHelperFailed:
    'Keys from other programs can’t be heard. In the system’s keyboard settings, set a key for “parley ptt toggle”.',
  globalKeyPortalMissing:
    'This desktop gives programs no keys. In its keyboard settings, set a key for “parley ptt toggle”.',
  globalKeyPortalRefused:
    'The desktop refused this key. Allow it when it asks, or in its keyboard settings.',
} as const;
