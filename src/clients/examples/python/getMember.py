# Prints the member whose log the key opens.
import json, os, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/me")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
with urllib.request.urlopen(request, timeout=60) as answer:
    print(json.load(answer)["callsign"])
