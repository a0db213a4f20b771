// Declares what the client kit uses of Node, so that other modules cannot use Node by mistake.
declare module "node:fs" {
  export function closeSync(file: number): void;
  export function copyFileSync(from: string, to: string): void;
  export function existsSync(path: string): boolean;
  export function fsyncSync(file: number): void;
  export function ftruncateSync(file: number, size: number): void;
  export function openSync(path: string, flags: string, mode?: number): number;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function readFileSync(path: string): Buffer;
  export function renameSync(from: string, to: string): void;
  export function unlinkSync(path: string): void;
  export function writeSync(file: number, data: Uint8Array, offset: number): number;
}
declare module "node:path" {
  export function dirname(path: string): string;
  export function resolve(path: string): string;
}
declare module "node:process" {
  const process: { pid: number; platform: string; kill(pid: number, signal: number): void };
  export default process;
}
declare module "node:buffer" {
  export const Buffer: { from(text: string): Uint8Array };
}
interface Buffer extends Uint8Array {
  indexOf(value: number, from?: number): number;
  toString(encoding?: "utf8", start?: number, end?: number): string;
}
