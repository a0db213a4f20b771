// Deletes the QSO whose clientId is the first argument.
package main

import (
	"log"
	"net/http"
	"os"
)

func main() {
	url := os.Getenv("QSOSYNC_URL") + "/logs/" + os.Args[1]
	request, err := http.NewRequest("DELETE", url, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("QSOSYNC_KEY"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 204 && answer.StatusCode != 404 { // after 404, the QSO was already deleted
		log.Fatal(answer.Status)
	}
}
