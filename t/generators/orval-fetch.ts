// Sends the requests of orval's functions to the service.
import { headers, url } from "./client.js";

export async function request<Answer>(path: string, options: RequestInit): Promise<Answer> {
  const response = await fetch(url + path, {
    ...options,
    headers: { ...options.headers, ...headers },
  });
  const text = await response.text();
  return {
    data: text ? JSON.parse(text) : undefined,
    status: response.status,
    headers: response.headers,
  } as Answer;
}
