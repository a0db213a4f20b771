// Prints the version of the API. This request needs no key.
program getDescription;
{$mode objfpc}{$H+}
uses SysUtils, fphttpclient, opensslsockets, fpjson, jsonparser;
var
  Client: TFPHTTPClient;
  Data: TJSONData;
begin
  Client := TFPHTTPClient.Create(nil);
  try
    Data := GetJSON(Client.Get(GetEnvironmentVariable('QSOSYNC_URL') + '/openapi.json'));
    WriteLn(Data.FindPath('info.version').AsString);
    Data.Free;
  finally
    Client.Free;
  end;
end.
