// Prints the version of the API. This request needs no key.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	url := os.Getenv("QSOSYNC_URL") + "/openapi.json"
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		log.Fatal(answer.Status)
	}
	var data struct{ Info struct{ Version string } }
	if err := json.NewDecoder(answer.Body).Decode(&data); err != nil {
		log.Fatal(err)
	}
	fmt.Println(data.Info.Version)
}
