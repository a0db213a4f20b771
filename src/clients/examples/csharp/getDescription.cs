// Prints the description of the API. This request needs no key.
using System;
using System.Net.Http;

static class GetDescription
{
    static void Main()
    {
        using (var client = new HttpClient())
        {
            var url = Environment.GetEnvironmentVariable("QSOSYNC_URL");
            var answer = client.GetStringAsync(url + "/openapi.json");
            Console.WriteLine(answer.Result);
        }
    }
}
