/** The part of autocannon that the benchmark uses; the package brings no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Options {
    url: string;
    method: string;
    headers: Record<string, string>;
    requests: { body: string }[];
    connections: number;
    /** How many requests in all, instead of a duration. */
    amount: number;
    /** In milliseconds. */
    sampleInt: number;
  }

  export interface Result {
    errors: number;
    timeouts: number;
    non2xx: number;
  }

  export default function autocannon(options: Options): Promise<Result> & EventEmitter;
}
