/** Why a key is not heard while another program has the keyboard. */
export const englishGlobalKeyErrors = {
  globalKeyUnknown: 'This key cannot be heard in other programs: choose another one.',
  globalKeyTaken:
    'Another program has this key already: choose another one, or take it away from that program.',
  globalKeyAlone:
    'This key would no longer reach other programs: choose it together with Ctrl or Alt, or one of F1 to F24.',
  globalKeyForbidden:
    'The system does not let Parley hear keys in other programs: allow it in the system’s settings, under Accessibility.',
  globalKeyHelperFailed:
    'The part of Parley that hears keys in other programs could not be started: bind “parley ptt toggle” to a key in the system’s keyboard settings instead.',
  globalKeyPortalMissing:
    'This desktop offers programs no keys of their own: bind “parley ptt toggle” to a key in its keyboard settings.',
  globalKeyPortalRefused:
    'The desktop did not give Parley this key: allow it when it asks, or in its keyboard settings.',
} as const;
