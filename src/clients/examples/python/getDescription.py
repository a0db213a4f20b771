# Prints the version of the API. This request needs no key.
import json, os, urllib.request

request = urllib.request.Request(os.environ["QSOSYNC_URL"] + "/openapi.json")
with urllib.request.urlopen(request, timeout=60) as answer:
    print(json.load(answer)["info"]["version"])
