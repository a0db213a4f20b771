"""Runs the engine of the Python kit for t/simulate/run. Each input line is a command in JSON, and each
   output line is its answer.
   engine.py KIT URL KEY FOLDER"""
import json
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from qsosync import LocalLog, Service, ServiceError

service = Service(sys.argv[2], sys.argv[3], wait=lambda seconds: time.sleep(0.01))
log = LocalLog(sys.argv[4])


def answer(command):
    if command["do"] == "save":
        log.put(command["qso"])
        log.save()
    elif command["do"] == "delete":
        log.delete(command["key"])
        log.save()
    elif command["do"] == "key":
        service.key = command["key"]
    elif command["do"] == "copy":
        return {"items": log.state["items"], "waiting": len(log.state["pending"]),
                "refused": list(log.state["rejected"].values())}
    else:
        try:
            log.sync(service)
        except ServiceError as error:
            return {"error": str(error)}
    return {}


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
