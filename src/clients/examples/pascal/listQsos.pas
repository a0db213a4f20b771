// Prints the first page of the log, its serverTime, and the cursor of the next page.
program listQsos;
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
    Data := GetJSON(Client.Get(GetEnvironmentVariable('QSOSYNC_URL') +
      '/logs?limit=500&includeDeleted=true'));
    for Item in Data.FindPath('items') do
      WriteLn(Item.Value.FindPath('clientId').AsString, ' ',
        Item.Value.FindPath('qsoAt').AsString, ' ', Item.Value.FindPath('callsignWorked').AsString);
    WriteLn(Data.FindPath('serverTime').AsString, ' ', Data.FindPath('nextCursor').AsJSON);
    Data.Free;
  finally
    Client.Free;
  end;
end.
