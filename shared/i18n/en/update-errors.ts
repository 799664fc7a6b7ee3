/** Why there is no new version; the one that runs is as it was. */
export const englishUpdateErrors = {
  updateServerAway:
    'Can’t reach {{host}} to look for updates. Check your connection and try again.',
  updateServerRefuses:
    'The update server {{host}} answered with error {{status}}. Try again later.',
  updateServerSlow: 'The update server {{host}} is too slow. Parley tries again later.',
  updateRedirected:
    'The update server {{host}} points to another place, which Parley doesn’t follow. Nothing was changed.',
  updateUnsigned:
    'What {{host}} says about updates isn’t signed by Parley’s makers. It was ignored, and nothing was changed.',
  updateFeedDamaged: 'What {{host}} says about updates can’t be read. Nothing was changed.',
  updateFeedExpired:
    'What the update server says was valid until {{date}} only. Check the date of this computer, or try again later.',
  updateFeedOlder:
    'The update server shows an old list, of {{date}}. It was ignored. Try again later.',
  updateFileMissing: 'Parley {{version}} isn’t offered for this kind of computer or package.',
  updateCutShort: 'The download of Parley {{version}} broke off. Parley tries again later.',
  updateAltered:
    'The download of Parley {{version}} isn’t what its makers have signed. It was deleted, and nothing was changed.',
  updateUnpackable:
    'Parley {{version}} can’t be unpacked. It was deleted, and nothing was changed.',
  updateNotStarting:
    'Parley {{version}} doesn’t start on this computer. It was deleted, and this version stays.',
  updateOtherVersion:
    'What was offered as Parley {{version}} is Parley {{found}}. It was deleted, and nothing was changed.',
  updatePlaceClosed:
    'Parley may not write to “{{path}}”, so it can’t replace itself there. Move it to a folder of yours.',
  updateNotSwapped: 'Parley {{version}} couldn’t be put in place. This version stays.',
  updatePreviousGone: 'The version before this one is no longer there.',
} as const;
