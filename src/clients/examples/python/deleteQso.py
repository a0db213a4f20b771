# Deletes the QSO whose clientId is the first argument.
import os, sys, urllib.error, urllib.request

url = os.environ["QSOSYNC_URL"] + "/logs/" + sys.argv[1]
request = urllib.request.Request(url, method="DELETE")
request.add_header("Authorization", "Bearer " + os.environ["QSOSYNC_KEY"])
try:
    urllib.request.urlopen(request, timeout=60)
except urllib.error.HTTPError as error:
    if error.code != 404:  # otherwise the QSO was already deleted
        raise
