# Prints the ids of all QSOs in the log.
import json, os, sys, urllib.error, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/logs/ids")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
try:
    with urllib.request.urlopen(request, timeout=60) as answer:
        for item in json.load(answer)["items"]:
            print(item["clientId"], item["id"])
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())  # names the fault
