# Prints the member whose log the key opens.
import json, os, sys, urllib.error, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/me")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
try:
    with urllib.request.urlopen(request, timeout=60) as answer:
        print(json.load(answer)["callsign"])
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())  # names the fault
