#!/usr/bin/env bash
# Fetches recordings of people and noises from Debian's packages, as 16 kHz mono:
#   scripts/fetch-recordings.sh DIR [all]
#   DIR/speech/NAME.wav, DIR/noise/{animals,things,music}/NAME.wav, DIR/backchannels/NAME.wav
# Without `all` it downloads 24 MB, which `npm test` judges; with `all` 440 MB, which give the figures of decision 44. Only the
# back-channels are also in the packages that the detector learned from (scripts/learn-voices).
# Needs apt-get and ffmpeg; without Debian's server it exits with 69. The recordings are not part of Parley: each package has its
# own licence.
set -euo pipefail
dir=$(realpath -m "${1:?Name a folder: fetch-recordings.sh DIR [all]}")
small=(pocketsphinx-testdata asterisk-core-sounds-it-g722 sound-icons gnome-audio asterisk-moh-opsound-gsm gcin-voice)
large=(pocketsphinx-testdata klettres-data tuxpaint-stamps-default asterisk-core-sounds-en-g722 asterisk-core-sounds-fr-g722
  asterisk-moh-opsound-g722 gcin-voice hedgewars-data ktuberling-data)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# apt-get downloads as another user.
chmod 755 "$work"
packages=("${small[@]}")
[ "${2-}" != all ] || packages=("${large[@]}")
download() { apt-get download -qq "${packages[@]}" >/dev/null; }
download 2>/dev/null || { apt-get update -qq && download; } || exit 69
for package in *.deb; do dpkg -x "$package" .; done
cd usr/share
mkdir -p "$dir"/speech "$dir"/backchannels "$dir"/noise/{animals,things,music}

inputs=()
outputs=()
waiting=0
# convert FILE NAME [SECONDS]: writes DIR/NAME.wav with the next `flush`, because a start of ffmpeg takes longer than a conversion
convert() {
  case $1 in
    *.raw) inputs+=(-f s16le -ar 16000 -ac 1) ;;
    *.gsm) inputs+=(-f gsm) ;;
    *.g722) inputs+=(-f g722) ;;
  esac
  inputs+=(-i "$1")
  outputs+=(-map "$waiting:a" -t "${3-60}" -ar 16000 -ac 1 "$dir/$2.wav")
  waiting=$((waiting + 1))
  [ "$waiting" -lt 50 ] || flush
}
flush() {
  [ "$waiting" = 0 ] || ffmpeg -loglevel error -y "${inputs[@]}" "${outputs[@]}" </dev/null
  inputs=()
  outputs=()
  waiting=0
}
# voices PREFIX N MOST FOLDER PATTERN...: every Nth file, beginning with the first
voices() {
  local prefix=$1 every=$2 most=$3 folder=$4
  shift 4
  local files
  mapfile -t files < <(find "$folder" -type f \( "$@" \) | sort | awk -v every="$every" 'NR % every == 1 % every' | head -"$most")
  for file in "${files[@]}"; do convert "$file" "speech/$prefix-$(basename "${file%.*}")"; done
}
# noises KIND PREFIX SECONDS FILE...
noises() {
  local kind=$1 prefix=$2 seconds=$3
  shift 3
  for file in "$@"; do convert "$file" "noise/$kind/$prefix-$(basename "${file%.*}")" "$seconds"; done
}

voices lv 1 99 pocketsphinx -name '*.wav'
for speaker in 3 5; do
  for syllable in ㄣ ㄏㄥ ㄜ ㄛ ㄚ ㄡ ㄞ ㄏㄠ3 ㄉㄨㄟ4 ㄕ4 ㄇ; do
    file=gcin-voice/ogg/$syllable/$speaker.ogg
    [ ! -f "$file" ] || convert "$file" "backchannels/gc-$syllable-$speaker"
  done
done
if [ "${2-}" != all ]; then
  voices raw 1 99 pocketsphinx -name '*.raw'
  voices as-it 24 24 asterisk/sounds -name '*.g722'
  icons=sounds/sound-icons
  noises animals si 20 $icons/{canary-long,cockchafer-gentleman-1,gummy-cat-2}.wav
  noises things si 20 $icons/{glass-water-1,percussion-{10,12,28,50},pipe,pisk-{down,up}{,-cink}}.wav
  noises things ga 20 sounds/{card_shuffle,phone,shutdown1,startup3,question,warning}.wav
  noises music si 20 $icons/{cembalo-{1,2,3,6,10,11,12},guitar-{12,13},klavichord-4,piano-3,trumpet-{1,12},violoncello-7,xylofon}.wav
  noises music moh 20 asterisk/moh/*.gsm
else
  for language in fr ru es ca da; do voices "tux-$language" 23 24 tuxpaint/stamps -name "*_desc_$language.ogg"; done
  for language in en en_GB de cs nb id; do voices "kl-$language" 5 12 "klettres/$language" -name '*.ogg' -o -name '*.wav'; done
  for voice in en_US_f_Allison fr_CA_f_June; do voices "as-$voice" 16 24 "asterisk/sounds/$voice" -name '*.g722'; done
  while read -r file; do
    kind=things
    case $file in
      */animals/*) kind=animals ;;
      */music/*) kind=music ;;
    esac
    convert "$file" "noise/$kind/$(dirname "${file#tuxpaint/stamps/}" | tr / .).$(basename "${file%.*}")"
  done < <(find tuxpaint/stamps \( -name '*.ogg' -o -name '*.wav' \) | grep -v _desc | grep -vE 'symbols/(math|alphabets)' | sort | awk 'NR % 2 == 0')
  mapfile -t music < <(find asterisk/moh -name '*.g722' | sort | awk 'NR % 2 == 0')
  noises music moh 40 "${music[@]}"
  while read -r file; do convert "$file" "backchannels/hw-$(basename "$(dirname "$file")")-$(basename "${file%.*}")"; done < <(
    find games/hedgewars -path '*/[Vv]oices/*' -type f \( -name Hmm.ogg -o -name Uh-oh.ogg -o -name 'Laugh*.ogg' -o -name PoisonCough.ogg \)
  )
  while read -r file; do
    name=${file##*-}
    convert "$file" "backchannels/kt-$(basename "$(dirname "$file")")-${name%.*}"
  done < <(find ktuberling/sounds -name '*-huh.*' -o -name '*-laugh.*')
fi
flush
find "$dir" -name '*.wav' -size -9k -not -path '*/backchannels/*' -delete
echo "$(ls "$dir/speech" | wc -l) voices, $(find "$dir/noise" -name '*.wav' | wc -l) noises and $(ls "$dir/backchannels" | wc -l) back-channels in $dir"
