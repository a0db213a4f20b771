// Prints the ids of all QSOs in the log.
using System;
using System.Net.Http;

static class ListIds
{
    static void Main()
    {
        using (var client = new HttpClient())
        {
            var url = Environment.GetEnvironmentVariable("QSOSYNC_URL");
            var key = Environment.GetEnvironmentVariable("QSOSYNC_KEY");
            client.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
            var answer = client.GetStringAsync(url + "/logs/ids");
            Console.WriteLine(answer.Result);
        }
    }
}
