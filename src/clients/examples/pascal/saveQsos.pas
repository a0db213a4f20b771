// Saves a QSO, and prints the result. Create its clientId once, and keep it.
program saveQsos;
{$mode objfpc}{$H+}
uses Classes, SysUtils, fphttpclient, opensslsockets, fpjson, jsonparser;
var
  Client: TFPHTTPClient;
  Data: TJSONData;
  Item: TJSONEnum;
  Id: TGuid;
begin
  Client := TFPHTTPClient.Create(nil);
  try
    Client.AddHeader('Authorization', 'Bearer ' + GetEnvironmentVariable('QSOSYNC_KEY'));
    CreateGUID(Id);
    Client.AddHeader('Content-Type', 'application/json');
    Client.RequestBody := TStringStream.Create('{"entries": [{"clientId": "' +
      LowerCase(Copy(GUIDToString(Id), 2, 36)) + '", "band": "ELEVEN_METERS", ' +
      '"qsoAt": "2026-05-17T19:42:00Z", "frequencyMhz": "27.555", ' +
      '"mode": "USB", "callsignWorked": "26AT101"}]}');
    Data := GetJSON(Client.Post(GetEnvironmentVariable('QSOSYNC_URL') + '/logs/batch'));
    for Item in Data.FindPath('results') do
      WriteLn(Item.Value.AsJSON);
    Data.Free;
    Client.RequestBody.Free;
  finally
    Client.Free;
  end;
end.
