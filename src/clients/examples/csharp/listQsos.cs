// Prints the first page of the log, its serverTime, and the cursor of the next page.
using System;
using System.Net.Http;

static class ListQsos
{
    static void Main()
    {
        using (var client = new HttpClient())
        {
            var url = Environment.GetEnvironmentVariable("QSOSYNC_URL");
            var key = Environment.GetEnvironmentVariable("QSOSYNC_KEY");
            client.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
            var answer = client.GetStringAsync(url + "/logs?limit=500&includeDeleted=true");
            Console.WriteLine(answer.Result);
        }
    }
}
