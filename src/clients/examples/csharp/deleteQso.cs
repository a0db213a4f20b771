// Deletes the QSO whose clientId is the first argument.
using System;
using System.Net.Http;

static class DeleteQso
{
    static void Main(string[] args)
    {
        using (var client = new HttpClient())
        {
            var url = Environment.GetEnvironmentVariable("QSOSYNC_URL");
            var key = Environment.GetEnvironmentVariable("QSOSYNC_KEY");
            client.DefaultRequestHeaders.Add("Authorization", "Bearer " + key);
            var answer = client.DeleteAsync(url + "/logs/" + args[0]).Result;
            // After 404, the QSO was already deleted.
            if ((int)answer.StatusCode != 404) answer.EnsureSuccessStatusCode();
        }
    }
}
