/** What a protocol says of itself, for everybody outside of its folder: data, and nothing that runs. */
import type { Currency } from './money.ts';
import type { SettingRow } from './setting-row.ts';

/** How the two ends of a serial line send, as in the settings `serial.…`. */
export interface SerialSettings {
  baudRate: number;
  dataBits: 7 | 8;
  parity: 'none' | 'even' | 'odd';
  stopBits: 1 | 2;
}

export interface ProtocolDescriptor {
  /** In settings, in the journal and in the log; also the name of its folders. */
  name: string;
  /** For people, the same in every language. */
  title: string;
  /** Where its terminals are, by the two letters of ISO 3166. */
  countries: readonly string[];
  /** The ways in which its terminals are connected. At least one. */
  connections: {
    /** `serial:PATH`; the line that its terminals have unless they are set otherwise. */
    serial?: SerialSettings;
    /** `tcp:HOST:PORT`; the port that its terminals listen on unless they are set otherwise, null where there is none. */
    tcp?: { usualPort: number | null };
    /** `http:HOST:PORT`, likewise. */
    http?: { usualPort: number | null };
  };
  /** The currencies that its terminals take; left out: any. The first is the usual one. */
  currencies?: readonly [Currency, ...Currency[]];
  /**
   * Its own settings, in the form of the table of settings. Each key begins with the protocol's name and a point, each flag
   * with `--`, the name and a hyphen.
   */
  settings: Readonly<Record<string, SettingRow>>;
  /** What `tillbridge decode` reads of it, with `decoder` in its `wire/index.ts`; left out: nothing. */
  decode?: {
    /** What the bytes can be; the first is meant where nothing is said. */
    framings: readonly [string, ...string[]];
    /** Dialects that the decoder can be told. */
    profiles?: readonly string[];
  };
  /** With these settings, by key, its terminals are looked for, where they answer with others only when they are paid at. */
  search?: { settings: Readonly<Record<string, unknown>> };
  /** There is a terminal of it in `src/simulator/`. */
  hasSimulator: boolean;
}
