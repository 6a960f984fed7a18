/** What a line says, as masked JSON: all of it but level and time, which are the log's own and stand in front. */
import { printableJson } from '../base/printable-text.ts';
import type { BytesInWords, LogFields } from './log.ts';
import { maskLine } from './mask-line.ts';
import { plainFields, plainText } from './plain-fields.ts';

export interface LineForm {
  /** One JSON object. */
  json: string;
  /** What is in it, or null where the mask has changed something. */
  known: LogFields | null;
}

/** No card number has so few bytes, so that none is kept here. */
const maxRememberedBytes = 6;
/** For each way to describe bytes. */
const maxRemembered = 100;

/** Throws where `said` cannot be made into JSON. */
export function formOf(said: LogFields): LineForm {
  const json = JSON.stringify(said);
  const masked = maskLine(json);
  return { json: printableJson(masked), known: masked === json ? said : null };
}

/**
 * Puts bytes into words and these into their form. Few bytes are put into words once: more than half of what a terminal
 * sends and gets is acknowledgements and other frames that are the same each time. Throws what `describe` throws.
 */
export function createBytesForms(): (
  bound: LogFields,
  bytes: Uint8Array,
  describe: BytesInWords,
) => LineForm {
  const remembered = new WeakMap<BytesInWords, { bound: LogFields; forms: Map<string, LineForm> }>();

  function describeAnew(bound: LogFields, bytes: Uint8Array, describe: BytesInWords): LineForm {
    const { message, fields } = describe(bytes);
    return formOf({ ...bound, ...plainFields(fields), msg: plainText(message) });
  }

  return (bound, bytes, describe) => {
    if (bytes.length > maxRememberedBytes) return describeAnew(bound, bytes, describe);
    let memory = remembered.get(describe);
    if (memory === undefined || memory.bound !== bound) {
      memory = { bound, forms: new Map() };
      remembered.set(describe, memory);
    }
    const key = bytes.join();
    const known = memory.forms.get(key);
    if (known !== undefined) return known;
    const form = describeAnew(bound, bytes, describe);
    if (memory.forms.size < maxRemembered) memory.forms.set(key, form);
    return form;
  };
}
