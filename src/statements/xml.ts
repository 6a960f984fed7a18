/** The XML of a bank's statement as a tree, with nothing in it that XML could do beside holding text. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** Whatever is below an element, by the names without prefixes; attributes begin with `@`, text is `#text`. */
export interface XmlElement {
  readonly [name: string]: unknown;
}

type XmlReading = { ok: true; root: XmlElement } | { ok: false; why: string };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  // Prefixes say nothing; the attributes that explain them stay.
  transformTagName: (name) => name.slice(name.indexOf(':') + 1),
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Entities are XML's own five, which `textOf` knows; a DOCTYPE with others is refused.
  processEntities: false,
  // Nobody asks for the path of each element.
  jPath: false,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  maxNestedTags: 50,
});

export function parseXml(content: Uint8Array): XmlReading {
  const text = decode(content);
  if (text === null) return { ok: false, why: 'it is in an encoding that is not known' };
  if (/<!DOCTYPE|<!ENTITY/i.test(text))
    return { ok: false, why: 'it has a DOCTYPE, which a statement never has' };
  const valid = XMLValidator.validate(text);
  if (valid !== true) return { ok: false, why: `it is no XML (line ${valid.err.line})` };
  try {
    return { ok: true, root: parser.parse(text) as XmlElement };
  } catch {
    return { ok: false, why: 'it is no XML that can be read' };
  }
}

/** As its first bytes or its declaration say; UTF-8 otherwise. */
function decode(content: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(content.subarray(0, 200));
  const declared = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(head)?.[1];
  const isUtf16 = /^(\u00FE\u00FF|\u00FF\u00FE)/.test(head);
  const encoding = isUtf16 ? (head.startsWith('\u00FE') ? 'utf-16be' : 'utf-16le') : (declared ?? 'utf-8');
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    return null;
  }
}

/** The elements with this path below `element`, in their order. */
export function elementsAt(element: XmlElement, ...path: string[]): XmlElement[] {
  return path.reduce<XmlElement[]>(
    (found, name) =>
      found.flatMap((each) => {
        const below: unknown = Object.hasOwn(each, name) ? each[name] : [];
        return (Array.isArray(below) ? below : []).map((one: unknown) =>
          typeof one === 'object' && one !== null ? (one as XmlElement) : { '#text': one },
        );
      }),
    [element],
  );
}

/** What the first element with this path says; empty where there is none. */
export function textAt(element: XmlElement, ...path: string[]): string {
  const [first] = elementsAt(element, ...path);
  return first === undefined ? '' : textOf(first);
}

export function textOf(element: XmlElement, name = '#text'): string {
  const text = Object.hasOwn(element, name) ? element[name] : '';
  return typeof text === 'string' ? plain(text).trim() : '';
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return point <= 0x10_ff_ff ? String.fromCodePoint(point) : whole;
    },
  );
}
