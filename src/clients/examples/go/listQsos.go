// Prints the first page of the log, its serverTime, and the cursor of the next page.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	url := os.Getenv("QSOSYNC_URL") + "/logs?limit=500&includeDeleted=true"
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
		Items []struct {
			ClientId, QsoAt, CallsignWorked string
		}
		ServerTime, NextCursor string
	}
	if err := json.NewDecoder(answer.Body).Decode(&data); err != nil {
		log.Fatal(err)
	}
	for _, qso := range data.Items {
		fmt.Println(qso.ClientId, qso.QsoAt, qso.CallsignWorked)
	}
	fmt.Println(data.ServerTime, data.NextCursor)
}
