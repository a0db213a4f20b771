#!/bin/sh
# Keeps a copy of a QSOsync log in a folder, and sends what lies in its outbox: the recommended
# procedure with nothing but curl and jq. qsosync-clients(7) describes it for users.
#
#   QSOSYNC_URL=https://log.example.org/api/v1 QSOSYNC_KEY_FILE=~/.qsosync-key sync.sh FOLDER
#
#   FOLDER/log.json         {"epoch", "serverTime", "deletionsKnown", "etag", "items": {clientId: QSO},
#                           "former": {clientId: [earlier states]}, "againUntil": after a restore}
#   FOLDER/outbox/NAME.json a QSO to send, complete; without clientId it is given one
#   FOLDER/outbox/UUID.delete   (empty) the QSO to delete
#   FOLDER/sending/         what is on its way, from here until the service has answered
#   FOLDER/sent/            what it has saved, until the next download brings it
#   FOLDER/rejected/        NAME.json that the service refuses for good, NAME.error says why
#
# It may be killed at any moment and started again: log.json is replaced as a whole, and a QSO is in one of
# these places at any time. Exit status: 0 in step; 1 failed, run it again; 2 wrong usage;
# 3 in step, but there are QSOs in rejected/.
# shellcheck disable=SC2016 # what stands in single quotes is jq's
set -eu

fail() {
    echo "sync.sh: $*" >&2
    exit 1
}

usage() {
    echo "usage: QSOSYNC_URL=... QSOSYNC_KEY_FILE=... sync.sh FOLDER" >&2
    exit 2
}

if [ $# -ne 1 ] || [ -z "${QSOSYNC_URL:-}" ] || [ -z "${QSOSYNC_KEY_FILE:-}" ]; then
    usage
fi
for program in curl jq; do
    command -v "$program" >/dev/null || fail "needs $program"
done
url=${QSOSYNC_URL%/}
key=$(cat "$QSOSYNC_KEY_FILE") || fail "cannot read the key in $QSOSYNC_KEY_FILE"
umask 077
mkdir -p "$1/outbox" "$1/sending" "$1/sent" "$1/rejected"
cd "$1"

# One at a time. What can outlive a kill of this one for long is started without the lock.
if command -v flock >/dev/null; then
    exec 9>.lock
    flock -w 10 9 || fail "another one works in $1"
fi
# Scratch files, in the same file system so that a rename is atomic; in a folder of another name each
# time, so that nothing that outlived a kill writes here.
work=$(pwd)/.work.$$
rm -rf .work.*
mkdir "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# -- requests ---------------------------------------------------------------------------------------

# The value of a header of the last answer.
header() {
    awk -v name="$1" '/^HTTP\// { value = "" }
        tolower(substr($0, 1, length(name) + 1)) == tolower(name ":") {
            value = substr($0, length(name) + 2); gsub(/^[ \t]+|[ \t\r]+$/, "", value) }
        END { print value }' "$work/head"
}

# Seconds to wait after a 429.
retry_after() {
    case $(header Retry-After) in
    '' | *[!0-9]*) echo 60 ;;
    *) header Retry-After ;;
    esac
}

# request CURL-ARGUMENT...: sets $status, and leaves head and body of the answer in the work folder.
# The key goes in through standard input, because others can read a command line.
request() {
    attempt=1
    while :; do
        : >"$work/body"
        : >"$work/head"
        status=$(exec 9>&-
            printf 'header = "Authorization: Bearer %s"\n' "$key" |
                curl --config - --silent --show-error --connect-timeout 20 --max-time 600 --output \
                    "$work/body" --dump-header "$work/head" --write-out '%{http_code}' "$@") ||
            status=000 # broken off: what has arrived is no answer
        case $status in
        429) sleep "$(retry_after)" 9>&- ;;
        000 | 5*)
            [ "$attempt" -lt 3 ] || return 0
            sleep $((attempt * 2)) 9>&-
            attempt=$((attempt + 1))
            ;;
        *) return 0 ;;
        esac
    done
}

# Ends the program unless the status of the last answer is one of those named.
expect() {
    for expected; do
        [ "$status" != "$expected" ] || return 0
    done
    fail "the service answered $status $(jq -r '.error.code? // empty' "$work/body" 2>/dev/null)"
}

# -- files ------------------------------------------------------------------------------------------

# make FILE JQ-ARGUMENT...: what jq prints becomes the file, whole or not at all, also when the power
# fails. Functions called in a condition do not stop at an error of their own, hence the word fail.
make() {
    made=$1
    shift
    jq "$@" >"$work/new" || fail "$made cannot be made"
    sync "$work/new" 2>/dev/null || sync
    mv "$work/new" "$made" || fail "$made cannot be replaced"
}

new_uuid() {
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n' |
        sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\)$/\1-\2-4\3-a\4-\5/'
}

give_client_id() {
    make "sending/$1" --arg id "$(new_uuid)" '.clientId = $id' "sending/$1"
}

# reject NAME REASON: out of the way, for the user to correct.
reject() {
    make "rejected/${1%.*}.error" -rn --arg reason "$2" '$reason'
    mv "sending/$1" "rejected/$1" || fail "$1 cannot be moved"
    echo "sync.sh: $1 was rejected: $2" >&2
}

# -- sending ----------------------------------------------------------------------------------------

# Makes a file fit to be sent; false when it was rejected.
prepare() {
    if ! jq -es 'length == 1 and (.[0] | type == "object")' "sending/$1" >/dev/null 2>&1; then
        reject "$1" 'is not one JSON object'
        return 1
    fi
    # Once and stored, before the service sees it: a second attempt is then the same QSO.
    jq -e 'has("clientId")' "sending/$1" >/dev/null || give_client_id "$1"
}

# What became of one QSO of a batch.
apply_result() {
    case $2 in
    saved) mv "sending/$1" "sent/$1" ;;
    conflict) # another member has this UUID
        give_client_id "$1"
        again=yes
        ;;
    rejected) reject "$1" "$3" ;;
    later)
        echo "sync.sh: $1 was not saved this time: $3" >&2
        later=yes
        ;;
    esac
}

# Sends the files that $work/names lists, at most 200.
send_batch() {
    while read -r name; do cat "sending/$name"; done <"$work/names" >"$work/entries"
    jq -cs '{entries: .}' "$work/entries" >"$work/batch" || fail 'a batch cannot be made'
    request --header 'Content-Type: application/json' --data-binary "@$work/batch" "$url/logs/batch"
    expect 200
    jq -r '.results[] | [if .id != null then "saved" elif .error == "CLIENT_ID_CONFLICT" then "conflict"
            elif .permanent then "rejected" else "later" end, (.error // "-")] | @tsv' \
        "$work/body" >"$work/results" || fail 'the answer to a batch is not understood'
    [ "$(wc -l <"$work/results")" -eq "$(wc -l <"$work/names")" ] ||
        fail 'the answer to a batch has not one result for each QSO'
    paste "$work/names" "$work/results" >"$work/answered"
    while IFS='	' read -r name result reason; do
        apply_result "$name" "$result" "$reason"
    done <"$work/answered"
}

send_qsos() {
    : >"$work/names"
    for path in sending/*.json; do
        [ -e "$path" ] || continue
        prepare "${path#sending/}" || continue
        echo "${path#sending/}" >>"$work/names"
        if [ "$(wc -l <"$work/names")" -eq 200 ]; then
            send_batch
            : >"$work/names"
        fi
    done
    [ ! -s "$work/names" ] || send_batch
}

send_deletions() {
    for path in sending/*.delete; do
        [ -e "$path" ] || continue
        client_id=${path#sending/}
        client_id=${client_id%.delete}
        request --request DELETE "$url/logs/$(jq -rn --arg id "$client_id" '$id | @uri')"
        expect 204 404 400 # 404: a deletion that was done before a kill
        if [ "$status" = 400 ]; then
            reject "$client_id.delete" 'its name is not a clientId'
        fi
        rm -f "$path"
    done
}

# A file that the user replaces meanwhile waits in the outbox for the next time.
send_all() {
    for path in outbox/*.json outbox/*.delete; do
        case $path in
        *[[:space:]]* | *\\*) echo "sync.sh: $path is left alone: a space or backslash in its name" >&2 ;;
        *) [ ! -e "$path" ] || mv "$path" "sending/${path#outbox/}" ;;
        esac
    done
    again=
    later=
    send_qsos
    [ -z "$again" ] || send_qsos
    send_deletions
}

# -- earlier states ---------------------------------------------------------------------------------

# For jq: what members write of a QSO; whether a state is one that the QSO had here before the present one;
# a list of states that has one more as its newest, of the last 30.
states='def content: del(.id, .crossConfirmedAt, .spottedAt, .createdAt, .syncedAt);
    def is_former($log; $key): content as $state | $log.items[$key] as $mine |
        $mine != null and .clientId != null and ($mine | content) != $state and
        any($log.former[$key][]?; . == $state);
    def remember($state): ((. // []) - [$state] + [$state])[-30:];'

# Has the QSOs of $work/lost sent as they are in the copy.
send_again() {
    jq -c "$states"' .[] | content' "$work/lost" >"$work/lines" || fail 'the QSOs cannot be listed'
    while read -r qso; do
        client_id=$(printf '%s\n' "$qso" | jq -r .clientId)
        make "outbox/restored-$client_id.json" -n --argjson qso "$qso" '$qso'
    done <"$work/lines"
}

# Soon after a restore, another device that is behind may send an older state: one that a QSO had here before.
# Sends the newer one again then; $work/items keeps it.
refuse_former_states() {
    [ -n "$(saved againUntil)" ] || return 0
    list_waiting
    make "$work/lost" -n --slurpfile log log.json --slurpfile new "$work/items" --slurpfile waiting \
        "$work/waiting" "$states"' $log[0] as $log | $log.items | with_entries(select(.key as $key | $new[0][$key] |
            . != null and .syncedAt <= $log.againUntil and is_former($log; $key) and ($waiting[0][$key] | not)))'
    send_again
    make "$work/items" --slurpfile lost "$work/lost" '. + $lost[0]' "$work/items"
}

# -- downloading ------------------------------------------------------------------------------------

# The clientIds of what waits to be sent, as an object, into $work/waiting.
list_waiting() {
    for path in outbox/*.json sending/*.json; do
        jq -c '.clientId | ascii_downcase' "$path" 2>/dev/null || continue
    done >"$work/client-ids"
    jq -s 'map({key: ., value: true}) | from_entries' "$work/client-ids" >"$work/waiting" || fail 'no list'
}

# download [SINCE]: all pages into $work/items, by clientId (by id where a very old QSO has none), and into
# $work/deletions what was deleted. Sets $epoch and $server_time, from the first page, and $known to true when
# all deletions are known; false when the epoch changed between two pages.
download() {
    cursor=
    epoch=
    known=true
    : >"$work/pages"
    : >"$work/deletions"
    while :; do
        request --get --data limit=500 --data includeDeleted=true ${1:+--data-urlencode "updatedSince=$1"} \
            ${cursor:+--data-urlencode "cursor=$cursor"} "$url/logs"
        expect 200
        jq -e '.items | type == "array"' "$work/body" >/dev/null || fail 'a page is not understood'
        if [ -z "$epoch" ]; then
            epoch=$(header X-Log-Epoch)
            server_time=$(jq -r .serverTime "$work/body")
        fi
        [ "$epoch" = "$(header X-Log-Epoch)" ] || return 1
        cat "$work/body" >>"$work/pages"
        jq -c '.deleted // [] | .[]' "$work/body" >>"$work/deletions" || fail 'a page is not understood'
        jq -e '.deletedComplete == true' "$work/body" >/dev/null || known=false
        cursor=$(jq -r '.nextCursor // empty' "$work/body")
        [ -n "$cursor" ] || break
    done
    make "$work/items" -n \
        '[inputs | .items[] | {key: (.clientId // "id:" + .id), value: .}] | from_entries' "$work/pages"
}

saved() {
    [ ! -e log.json ] || jq -r ".$1 // empty" log.json
}

# Drops what was deleted from the copy in $work/base, and from what was downloaded before its deletion was.
drop_deleted() {
    [ -s "$work/deletions" ] || return 0
    list_waiting
    make "$work/deleted" -s 'map({key: (.clientId // "id:" + .id), value: .deletedAt}) | from_entries' \
        "$work/deletions"
    for part in base items; do
        make "$work/$part" --slurpfile deleted "$work/deleted" --slurpfile waiting "$work/waiting" \
            'with_entries(select($waiting[0][.key] or ($deleted[0][.key] // "") < .value.syncedAt))' "$work/$part"
    done
}

# save_log ETAG FILE: the downloaded items over those of the file become the new log.json.
save_log() {
    former=log.json
    if [ ! -e log.json ]; then
        former=$work/none
        echo '{"items": {}}' >"$former"
    fi
    make log.json --arg epoch "$epoch" --arg time "$server_time" --arg etag "$1" --slurpfile base "$2" \
        --argjson known "$known" --slurpfile new "$work/items" --arg again "$again_until" \
        "$states"' ($base[0] + $new[0]) as $items |
        (reduce (.items | to_entries[]) as {$key, $value} (.former // {};
            ($value | content) as $state | if ($items[$key] // {} | content) == $state then .
                else .[$key] |= remember($state) end)) as $former |
        {epoch: $epoch, serverTime: $time, deletionsKnown: $known, etag: $etag, againUntil: $again,
            items: $items, former: $former}' "$former"
}

# An older copy of the logbook was put in place on the service: what it lacks, or has in an older state,
# goes there again, and nothing is deleted here. The files are made before log.json takes the new epoch.
send_what_a_restore_lost() {
    echo 'sync.sh: the service was restored from a backup; sending again what it lost' >&2
    for path in sent/*.json; do
        name=${path#sent/}
        [ ! -e "$path" ] || [ -e "outbox/$name" ] || [ -e "sending/$name" ] || mv "$path" "outbox/$name"
    done
    list_waiting
    make "$work/lost" -n --slurpfile old log.json --slurpfile new "$work/items" --slurpfile waiting \
        "$work/waiting" "$states"' $old[0].items | with_entries(select(.key as $id |
            .value as $mine | $new[0][$id] as $theirs | $mine.clientId != null and ($waiting[0][$id] | not) and
            ($theirs == null or $mine.syncedAt > $theirs.syncedAt or ($theirs | is_former($old[0]; $id)))))'
    send_again
    again_until=$(jq -rn --arg time "$server_time" '$time[:19] + "Z" | fromdate + 600 | todate')
    make "$work/items" -n --slurpfile old log.json --slurpfile new "$work/items" \
        --slurpfile lost "$work/lost" '$old[0].items + $new[0] + $lost[0]'
}

# False when it has to begin again.
download_changes() {
    since=$(saved serverTime)
    known_epoch=$(saved epoch)
    again_until=$(saved againUntil)
    echo '{}' >"$work/base"
    : >"$work/lines"
    download "$since" || return 1
    if [ -n "$since" ] && [ "$epoch" != "$known_epoch" ]; then
        download || return 1
        known=false
        send_what_a_restore_lost
        save_log '' "$work/base"
        return 1 # to send them, and download what that changed
    fi
    if [ -n "$since" ]; then
        make "$work/base" .items log.json
        drop_deleted
        refuse_former_states
        [ "$(saved deletionsKnown)" = true ] || known=false
    fi
    save_log "$(saved etag)" "$work/base"
    rm -f sent/*.json
    [ ! -s "$work/lines" ] || return 1 # to send those again
}

# Where not all deletions are known, as on a service that does not tell them, removes the QSOs that are no
# longer listed; false when it has to begin again.
forget_deleted() {
    [ "$(saved deletionsKnown)" != true ] || return 0
    etag=$(saved etag)
    request ${etag:+--header "If-None-Match: $etag"} "$url/logs/ids"
    expect 200 304
    [ "$(header X-Log-Epoch)" = "$(saved epoch)" ] || return 1
    if [ "$status" = 304 ]; then
        make log.json '.deletionsKnown = true' log.json
        return 0
    fi
    jq -e '.items | type == "array"' "$work/body" >/dev/null || fail 'the list of ids is not understood'
    list_waiting
    make log.json --arg etag "$(header ETag)" --slurpfile ids "$work/body" --slurpfile waiting \
        "$work/waiting" '($ids[0].items | map({key: (.clientId // "id:" + .id), value: true}) |
            from_entries) as $listed | .etag = $etag | .deletionsKnown = true |
        .items |= with_entries(select($listed[.key] or $waiting[0][.key]))' log.json
}

rounds=0
until send_all && download_changes && forget_deleted; do
    rounds=$((rounds + 1))
    [ "$rounds" -lt 5 ] || fail 'the log is restored again and again; run it later'
done
[ -z "$later" ] || fail 'some QSOs wait in sending/ for the next time'
for path in rejected/*.error; do
    [ ! -e "$path" ] || exit 3
done
