// Deletes the QSO whose clientId is the first argument.
program deleteQso;
{$mode objfpc}{$H+}
uses Classes, SysUtils, fphttpclient, opensslsockets;
var
  Client: TFPHTTPClient;
  Answer: TStringStream;
begin
  Client := TFPHTTPClient.Create(nil);
  try
    Client.AddHeader('Authorization', 'Bearer ' + GetEnvironmentVariable('QSOSYNC_KEY'));
    Answer := TStringStream.Create('');
    // After 404, the QSO was already deleted.
    Client.HTTPMethod('DELETE', GetEnvironmentVariable('QSOSYNC_URL') + '/logs/' + ParamStr(1),
      Answer, [204, 404]);
    Answer.Free;
  finally
    Client.Free;
  end;
end.
