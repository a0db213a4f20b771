// Prints the ids of all QSOs in the log.
program listIds;
{$mode objfpc}{$H+}
uses SysUtils, fphttpclient, opensslsockets, fpjson, jsonparser;
var
  Client: TFPHTTPClient;
  Data: TJSONData;
  Item: TJSONEnum;
begin
  Client := TFPHTTPClient.Create(nil);
  try
    Client.AddHeader('Authorization', 'Bearer ' + GetEnvironmentVariable('QSOSYNC_KEY'));
    Data := GetJSON(Client.Get(GetEnvironmentVariable('QSOSYNC_URL') + '/logs/ids'));
    for Item in Data.FindPath('items') do
      WriteLn(Item.Value.FindPath('clientId').AsString, ' ', Item.Value.FindPath('id').AsString);
    Data.Free;
  finally
    Client.Free;
  end;
end.
