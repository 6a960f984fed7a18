/**
 * TLV objects of BMP 06 (ZVT PA00P015, chapter TLV): tag, length, value.
 *
 *     tag     bit 20 of the first byte: constructed. Low five bits 1F: more bytes follow, each with bit 80 but the last
 *     length  00..7F | 81 nn | 82 hi lo (big endian, unlike the APDU's length)
 */
import { concatBytes, fromHex, hex } from './bytes.ts';

export interface TlvObject {
  /** Lower-case hex, one or more bytes. */
  tag: string;
  /** A view of the bytes that were parsed. */
  value: Uint8Array;
  /** Only when the tag says "constructed" and something could be read in it, or it is empty. */
  children?: TlvObject[];
}

/** What to build: `children` for constructed objects, else `hex`; none of both is an object without value. */
export interface TlvParts {
  tag: string;
  hex?: string | undefined;
  children?: readonly TlvParts[] | undefined;
}

/** Deeper nesting than any documented message has; below it, values stay unread. */
const maxDepth = 8;
/**
 * More objects than any message has: a receipt of a thousand lines with an attribute for each has half of it. One that
 * has more is read up to here, so that no frame makes more work than this.
 */
export const maxTlvObjects = 4_096;
const maxTagBytes = 4;

/** How many objects may still be read; one for all containers of a message. */
export interface TlvBudget {
  objectsLeft: number;
}

/**
 * Reads objects one after the other. What was read before a fault stays in `objects`; `problem` says what is wrong
 * with the rest, also inside a constructed object. Unknown tags are no problem. Reads no more objects than `budget` has
 * left (`maxTlvObjects` when left out), at all depths together, and takes them from it.
 */
export function parseTlv(
  bytes: Uint8Array,
  budget: TlvBudget = { objectsLeft: maxTlvObjects },
): { objects: TlvObject[]; problem: string | null } {
  return parseObjects(bytes, 1, budget);
}

function parseObjects(
  bytes: Uint8Array,
  depth: number,
  budget: TlvBudget,
): { objects: TlvObject[]; problem: string | null } {
  const objects: TlvObject[] = [];
  let problem: string | null = null;
  let at = 0;
  while (at < bytes.length) {
    if (budget.objectsLeft <= 0) {
      return { objects, problem: problem ?? `more TLV objects than the ${maxTlvObjects} that are read` };
    }
    budget.objectsLeft -= 1;
    const tagLength = readTagLength(bytes, at);
    if (tagLength === null) return { objects, problem: `TLV tag at byte ${at} is incomplete or too long` };
    const tag = hex(bytes.subarray(at, at + tagLength));
    const length = readLength(bytes, at + tagLength);
    if (length === null) return { objects, problem: `TLV length of tag ${tag} is missing or invalid` };
    const end = length.valueAt + length.value;
    if (end > bytes.length) {
      const missing = end - bytes.length;
      return { objects, problem: `TLV tag ${tag} announces ${missing} bytes more than there are` };
    }
    const object: TlvObject = { tag, value: bytes.subarray(length.valueAt, end) };
    if (isConstructed(bytes, at) && depth < maxDepth) {
      const inner = parseObjects(object.value, depth + 1, budget);
      problem ??= inner.problem;
      if (inner.problem === null || inner.objects.length > 0) object.children = inner.objects;
    }
    objects.push(object);
    at = end;
  }
  return { objects, problem };
}

function isConstructed(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0x20) !== 0;
}

function readTagLength(bytes: Uint8Array, at: number): number | null {
  const first = bytes[at];
  if (first === undefined) return null;
  if ((first & 0x1f) !== 0x1f) return 1;
  for (let length = 2; length <= maxTagBytes; length += 1) {
    const byte = bytes[at + length - 1];
    if (byte === undefined) return null;
    if ((byte & 0x80) === 0) return length;
  }
  return null;
}

/** Reads the length at `at`: its value and where the value begins; null when it is cut or of an invalid form. */
export function readLength(bytes: Uint8Array, at: number): { value: number; valueAt: number } | null {
  const first = bytes[at];
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (first === undefined) return null;
  if (first < 0x80) return { value: first, valueAt: at + 1 };
  if (first === 0x81 && second !== undefined) return { value: second, valueAt: at + 2 };
  if (first === 0x82 && second !== undefined && third !== undefined) {
    return { value: (second << 8) | third, valueAt: at + 3 };
  }
  return null;
}

/** Puts objects together. Throws when a value is longer than 65535 bytes or its hex is none. */
export function buildTlv(objects: readonly TlvParts[]): Uint8Array {
  return concatBytes(
    ...objects.map((object) => {
      const value = object.children === undefined ? fromHex(object.hex ?? '') : buildTlv(object.children);
      return concatBytes(fromHex(object.tag), buildLength(value.length), value);
    }),
  );
}

/** The shortest length field that tells `length`. Throws above 65535. */
export function buildLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length);
  if (length <= 0xff) return Uint8Array.of(0x81, length);
  if (length <= 0xffff) return Uint8Array.of(0x82, length >> 8, length & 0xff);
  throw new Error(`${length} bytes do not fit into one TLV object`);
}

/** All objects at exactly this path from the top: `findTlv(tlv, '25', '07')` gives the text lines of all print texts. */
export function findTlv(objects: readonly TlvObject[], ...path: readonly string[]): TlvObject[] {
  const [tag, ...rest] = path;
  if (tag === undefined) return [];
  const here = objects.filter((object) => object.tag === tag);
  return rest.length === 0 ? here : here.flatMap((object) => findTlv(object.children ?? [], ...rest));
}

/** All objects with this tag at any depth, in the order of the wire. */
export function findTlvAnywhere(objects: readonly TlvObject[], tag: string): TlvObject[] {
  const found: TlvObject[] = [];
  const poll = (level: readonly TlvObject[]) => {
    for (const object of level) {
      if (object.tag === tag) found.push(object);
      if (object.children !== undefined) poll(object.children);
    }
  };
  poll(objects);
  return found;
}
