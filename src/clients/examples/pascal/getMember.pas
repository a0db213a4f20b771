// Prints the member whose log the key opens.
program getMember;
{$mode objfpc}{$H+}
uses SysUtils, fphttpclient, opensslsockets, fpjson, jsonparser;
var
  Client: TFPHTTPClient;
  Data: TJSONData;
begin
  Client := TFPHTTPClient.Create(nil);
  try
    Client.AddHeader('Authorization', 'Bearer ' + GetEnvironmentVariable('QSOSYNC_KEY'));
    Data := GetJSON(Client.Get(GetEnvironmentVariable('QSOSYNC_URL') + '/me'));
    WriteLn(Data.FindPath('callsign').AsString);
    Data.Free;
  finally
    Client.Free;
  end;
end.
