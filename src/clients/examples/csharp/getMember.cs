// Prints the member whose log the key opens.
using System;
using System.Net.Http;

static class GetMember
{
    static void Main()
    {
        using (var client = new HttpClient())
        {
            var url = Environment.GetEnvironmentVariable("QSOSYNC_URL");
            var key = Environment.GetEnvironmentVariable("QSOSYNC_KEY");
            client.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
            var answer = client.GetStringAsync(url + "/me");
            Console.WriteLine(answer.Result);
        }
    }
}
