/** The history: talks that are kept, and the list of them. */
export const englishHistoryErrors = {
  notTalkRecord: '{{path}} cannot be read as a talk: it is damaged, or none of Parley’s.',
  talkRecordNewer: '{{path}} was written by a newer version of Parley: open it with that one.',
  talkRecordGone: 'This talk is not there any more.',
  talkEndUnknown: 'The talk ended for a reason that this version of Parley does not know.',
  talkUnkept: 'The text of this talk cannot be kept at the moment; the talk goes on.',
  nothingAsked: 'Whether this talk is kept has been decided already.',
  historyIndexLost: 'The list could not be read and is being made anew: try again in a moment.',
  pictureGone: 'This picture is not there any more.',
  recentNotHeld:
    'The last two minutes are not held. Turn it on under Privacy, for talks that are not recorded.',
  ownWordsServerGone:
    'The server of this talk is gone. Your voice is sent to no other. Add it again under Servers.',
  ownWordsBusy: 'Another recording is being written down. Try again when it is done.',
  ownWordsGone: 'These words are not there any more.',
  ownWordsTooMany: 'More was said than is held for writing down, so the oldest of it was let go.',
  tapeInUse: 'A talk is still being recorded. End the talk first.',
} as const;
