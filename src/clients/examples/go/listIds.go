// Prints the ids of all QSOs in the log.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	url := os.Getenv("QSOSYNC_URL") + "/logs/ids"
	request, err := http.NewRequest("GET", url, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("QSOSYNC_KEY"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		log.Fatal(answer.Status)
	}
	var data struct {
		Items []struct{ ClientId, Id string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&data); err != nil {
		log.Fatal(err)
	}
	for _, item := range data.Items {
		fmt.Println(item.ClientId, item.Id)
	}
}
