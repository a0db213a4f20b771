// Saves a QSO, and prints the result. Create its clientId once, and keep it.
using System;
using System.Net.Http;
using System.Text;

static class SaveQsos
{
    static void Main()
    {
        using (var client = new HttpClient())
        {
            var url = Environment.GetEnvironmentVariable("QSOSYNC_URL");
            var key = Environment.GetEnvironmentVariable("QSOSYNC_KEY");
            client.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
            var qso = "{\"clientId\": \"" + Guid.NewGuid() + "\", \"band\": \"ELEVEN_METERS\", " +
                "\"qsoAt\": \"2026-05-17T19:42:00Z\", \"frequencyMhz\": \"27.555\", " +
                "\"mode\": \"USB\", \"callsignWorked\": \"26AT101\"}";
            var body = new StringContent("{\"entries\": [" + qso + "]}", Encoding.UTF8,
                "application/json");
            var answer = client.PostAsync(url + "/logs/batch", body).Result;
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(answer.Content.ReadAsStringAsync().Result);
        }
    }
}
