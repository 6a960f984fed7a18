/**
 * What the bridge itself says in the window's language: reasons in the journal, the terminal's state, names in frames,
 * messages of the log. It says it in English, and journal and log keep that. A language that has a file in `bridge/` gives
 * each sentence its own, by the English one with names for what changes in it: `{text}`, `{text2}` and so on are such
 * sentences or phrases again; amounts ("12.00 EUR") and `{quantity}` ("1,204") are written as the language does;
 * everything else stays as it is. What has no entry stays English.
 */
import de from './bridge/de.json' with { type: 'json' };

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = { de };

interface Pattern {
  form: RegExp;
  names: string[];
  translation: string;
}

/** A sentence may be nested: a reason in a state. */
const maxDepth = 4;
const namePattern = /\{(\w+)\}/g;

const translators = new Map<string, (sentence: string) => string | null>();

/** The sentence in `language`; null where it has none of its own. */
export function bridgeSentence(sentence: string, language: string): string | null {
  const table = tables[language];
  if (table === undefined) return null;
  const translator = translators.get(language) ?? createTranslator(table, language);
  translators.set(language, translator);
  return translator(sentence);
}

/** A shorter search stands for too much. */
const minSearchCharacters = 3;
/** A shorter piece of a sentence is in too many others. */
const minPieceCharacters = 6;

/**
 * English texts that stand in what `search` is looked for in, where `language` has words for them: `search` may be a piece of
 * a translated sentence. At most `limit`, whole sentences or the longest piece that never changes.
 */
export function englishFor(search: string, language: string, limit: number): string[] {
  const needle = search.trim().toLowerCase();
  if (needle.length < minSearchCharacters) return [];
  const found = Object.entries(tables[language] ?? {}).flatMap(([english, translation]) => {
    if (
      !translation
        .split(namePattern)
        .some((part, index) => index % 2 === 0 && part.toLowerCase().includes(needle))
    )
      return [];
    const [longest = ''] = english
      .split(namePattern)
      .filter((_, index) => index % 2 === 0)
      .toSorted((one, other) => other.length - one.length);
    return longest.length < minPieceCharacters ? [] : [longest];
  });
  return [...new Set(found)].slice(0, limit);
}

function createTranslator(
  table: Readonly<Record<string, string>>,
  language: string,
): (sentence: string) => string | null {
  const exact = new Map(Object.entries(table));
  const patterns = Object.entries(table)
    .filter(([english]) => english.includes('{'))
    // What says more about the sentence comes first.
    .toSorted(([one], [other]) => literalLength(other) - literalLength(one))
    .map(([english, translation]): Pattern => {
      const literals = english
        .split(namePattern)
        .map((part, index) => (index % 2 === 0 ? escaped(part) : formOf(part)));
      return {
        form: new RegExp(`^${literals.join('')}$`, 's'),
        names: [...english.matchAll(namePattern)].map(([, name]) => name ?? ''),
        translation,
      };
    });

  function translate(sentence: string, depth: number): string | null {
    const whole = exact.get(sentence);
    if (whole !== undefined) return whole;
    if (depth === maxDepth) return null;
    for (const { form, names, translation } of patterns) {
      const found = form.exec(sentence);
      if (found === null) continue;
      const values = new Map(names.map((name, index) => [name, found[index + 1] ?? '']));
      return translation.replace(namePattern, (_, name: string) => {
        const value = values.get(name) ?? '';
        if (name.startsWith('text')) return translate(value, depth + 1) ?? value;
        return numberIn(language, name, value) ?? value;
      });
    }
    // A phrase may stand at the end of a sentence, or be one.
    const phrase = sentence.endsWith('.') ? translate(sentence.slice(0, -1), depth + 1) : null;
    return phrase === null ? null : `${phrase}.`;
  }
  return (sentence) => translate(sentence, 0);
}

/** A number of things ("1,204") or an amount ("12.00 EUR") as `language` writes it; null: it is neither. */
function numberIn(language: string, name: string, value: string): string | null {
  if (name === 'quantity') return Number(value.replaceAll(',', '')).toLocaleString(language);
  const amount = /^(\d{1,12})\.(\d+)( [A-Z]{3})$/.exec(value);
  if (amount === null) return null;
  const [, whole = '', decimals = '', currency = ''] = amount;
  const digits = { minimumFractionDigits: decimals.length, maximumFractionDigits: decimals.length };
  return `${Number(`${whole}.${decimals}`).toLocaleString(language, digits)}${currency}`;
}

/** A number, a path or a reference is one word; a sentence is never taken for one. */
function formOf(name: string): string {
  if (name === 'count') return String.raw`(\d+)`;
  if (name === 'path') return String.raw`(/\S+)`;
  if (name === 'quantity') return String.raw`([\d,]+)`;
  return ['reference', 'number', 'code', 'currency', 'address', 'host', 'device'].includes(name)
    ? String.raw`(\S+)`
    : '(.+?)';
}

function literalLength(english: string): number {
  return english.replace(namePattern, '').length;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
