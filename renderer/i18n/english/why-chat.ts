/** What the core tells by a code; the codes and their facts are in `shared/why-codes.ts`. */
export const englishWhyChat = {
  // Files that a person gives.
  emptyFile: 'This file is empty.',
  notWav: 'This is not a WAV file.',
  wavUnclear: 'This WAV file does not say how its sound is coded.',
  wavEmpty: 'This WAV file holds no sound.',
  wavCoded: 'This WAV file is coded as {{coding}}: convert it to plain PCM or float samples.',
  wavBroken: 'This WAV file is damaged and cannot be read.',
  wavRate: 'This WAV file says that it has {{rate}} samples a second, which cannot be.',
  soundLong: 'This WAV file lasts {{seconds}} s; it may last {{most}} s.',
  otherSound:
    'This is a sound of another kind ({{kind}}): Parley takes sound as WAV files only, so convert it first.',
  emptyPicture: 'This picture is an empty file.',
  notPicture: 'This is not a picture: give a JPEG or PNG file.',
  picturePdf: 'This is a PDF and not a picture: give a JPEG or PNG file.',
  pictureSvg: 'This is an SVG drawing: give a JPEG or PNG file.',
  pictureBroken: 'This picture is broken: it cannot be decoded.',
  pictureLarge:
    'This picture is too large: it has {{width}} × {{height}} pixels, and 50 million are the most.',
  pictureMoves: 'This picture moves; the model sees its first frame.',
  noPictures: 'Pictures cannot be read here: install Parley again ({{error}}).',
  pictureHeavy:
    '{{name}} is too large: a picture may have {{most}} MB, and this file has {{size}} MB.',
  soundHeavy: '{{name}} is too large: a sound may have {{most}} MB, and this file has {{size}} MB.',
  // Reference voices.
  voiceGone: 'There is no such voice any more.',
  voiceUnheard: 'No voice can be heard in it: check the microphone and speak closer to it.',
  voiceShort: 'There are only {{seconds}} s of speech in it; a voice needs at least {{least}} s.',
  voiceNameless: 'A voice needs a name.',
  voiceNameLong: 'The name of a voice may have {{most}} characters.',
  voiceNameHidden: 'The name has characters in it that cannot be shown.',
  voiceNameTaken: 'There is a voice called “{{name}}” already.',
  // Written conversations.
  chatGone: 'This conversation is no longer there.',
  chatElsewhere: 'Another conversation was opened meanwhile: open this one and send it again.',
  mediaGone: 'This picture or sound is no longer there.',
  mediaLost:
    'A picture or a sound of this conversation is no longer there. Remove that message, or begin a new conversation.',
  messageGone: 'This message is no longer there.',
  questionGone: 'The question to this answer is no longer there.',
  beforeGone: 'What was here before is no longer there.',
  speechGone: 'The speech of this answer is no longer kept. Ask anew to hear it.',
  noPlayer: 'There is no speaker to play it on.',
  answerComing: 'An answer is still coming: wait for its end or stop it first.',
  answerVoiceGone: 'The voice that is chosen for answers is no longer there. Choose another one.',
  nothingToSend: 'There is nothing to send yet: write something or attach a picture or a sound.',
  textLong: 'This text is too long: a message may have 1,000,000 characters. Send it in parts.',
  clipLong: 'A recording may last {{most}} seconds.',
  tooMuch:
    'This is too much for the model’s memory: it needs about {{tokens}} tokens, and there is room for {{most}}. Attach less, or shorten the system message or the answer’s length.',
  pictureMissing: 'A picture of this conversation is missing.',
  soundMissing: 'A sound of this conversation is missing.',
  chatDamaged:
    'A kept conversation was damaged and could not be read. It was moved to {{path}}; all others are here.',
  chatsUnkept:
    'Nothing of your conversations is lost while Parley runs, but they are not kept until this is mended.',
  // Answers.
  answerRefused:
    'The server did not accept this message ({{code}}). Change it or the options and send it again.',
  answerMemory:
    'The conversation is too long for the server’s model. Begin a new one, or remove what it need not know.',
  answerFailed: 'The server failed while it answered ({{code}}). Try again.',
  answerUnfinished: 'The server could not finish this answer ({{code}}). Try again.',
};
