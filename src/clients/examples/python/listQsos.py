# Prints the first page of the log, its serverTime, and the cursor of the next page.
import json, os, sys, urllib.error, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/logs?limit=500&includeDeleted=true")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
try:
    with urllib.request.urlopen(request, timeout=60) as answer:
        page = json.load(answer)
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())  # names the fault
for qso in page["items"]:
    print(qso["clientId"], qso["qsoAt"], qso["callsignWorked"])
print(page["serverTime"], page["nextCursor"])
