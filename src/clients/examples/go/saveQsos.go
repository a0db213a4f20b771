// Saves a QSO, and prints the result. Create its clientId once, and keep it.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	id := make([]byte, 16)
	rand.Read(id)
	id[6], id[8] = id[6]&15|64, id[8]&63|128 // a random UUID
	body, _ := json.Marshal(map[string]any{"entries": []any{map[string]any{
		"clientId": fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]),
		"band":     "ELEVEN_METERS", "qsoAt": "2026-05-17T19:42:00Z",
		"frequencyMhz": "27.555", "mode": "USB", "callsignWorked": "26AT101",
	}}})
	url := os.Getenv("QSOSYNC_URL") + "/logs/batch"
	request, err := http.NewRequest("POST", url, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("QSOSYNC_KEY"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		log.Fatal(answer.Status)
	}
	var data struct {
		Results []struct {
			ClientId  string
			Id, Error *string
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&data); err != nil {
		log.Fatal(err)
	}
	for _, result := range data.Results {
		if result.Id == nil {
			log.Fatal(*result.Error)
		}
		fmt.Println(result.ClientId, *result.Id)
	}
}
