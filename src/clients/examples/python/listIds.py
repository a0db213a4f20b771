# Prints the ids of all QSOs in the log.
import json, os, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/logs/ids")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
with urllib.request.urlopen(request, timeout=60) as answer:
    for item in json.load(answer)["items"]:
        print(item["clientId"], item["id"])
