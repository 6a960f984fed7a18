/** The bytes of a frame as lines of sixteen, cut where a field begins or ends. Pure. */
import type { FrameField } from '../../../contract/frame.ts';

const bytesPerLine = 16;

/** Bytes next to each other that belong to the same field. */
export interface HexPiece {
  /** The field's place in the list; null: bytes of no field. */
  field: number | null;
  /** "06 01" */
  hex: string;
  /** The same as characters: what is no printable ASCII is a dot, a masked byte stays a star. */
  text: string;
}

export interface HexLine {
  /** Of its first byte: "0010". */
  offset: string;
  pieces: HexPiece[];
}

/** `hex`: two digits a byte, `**` for a masked one, with blanks between them. */
export function hexLines(hex: string, fields: readonly FrameField[]): HexLine[] {
  const bytes = hex.split(' ');
  const fieldOf: (number | null)[] = bytes.map(() => null);
  for (const [index, [, , place]] of fields.entries()) {
    for (let at = place?.from ?? 0; at < Math.min(place?.to ?? 0, bytes.length); at += 1)
      fieldOf[at] ??= index;
  }
  const lines: HexLine[] = [];
  for (const [at, byte] of bytes.entries()) {
    const field = fieldOf[at] ?? null;
    if (at % bytesPerLine === 0)
      lines.push({ offset: at.toString(16).padStart(4, '0').toUpperCase(), pieces: [] });
    const pieces = lines.at(-1)?.pieces ?? [];
    const last = pieces.at(-1);
    if (last !== undefined && last.field === field) {
      last.hex += ` ${byte}`;
      last.text += characterOf(byte);
    } else pieces.push({ field, hex: byte, text: characterOf(byte) });
  }
  return lines;
}

function characterOf(byte: string): string {
  if (byte === '**') return '*';
  const code = Number.parseInt(byte, 16);
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·';
}
