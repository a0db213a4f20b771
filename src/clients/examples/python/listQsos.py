# Prints the first page of the log, its serverTime, and the cursor of the next page.
import json, os, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/logs?limit=500&includeDeleted=true")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
with urllib.request.urlopen(request, timeout=60) as answer:
    page = json.load(answer)
for qso in page["items"]:
    print(qso["clientId"], qso["qsoAt"], qso["callsignWorked"])
print(page["serverTime"], page["nextCursor"])
