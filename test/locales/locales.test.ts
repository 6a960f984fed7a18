/** Languages: each has the same messages, for everything that the contract can say, and none that nobody uses. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import {
  consoleRefusalSchema,
  languageCodes,
  listenerStateSchema,
} from '../../src/contract/console/index.ts';
import { discrepancyKindSchema } from '../../src/contract/discrepancy.ts';
import { errorCodes } from '../../src/contract/errors.ts';
import {
  operationKindSchema,
  operationOutcomeSchema,
  resolutionSchema,
  transactionStatusSchema,
} from '../../src/contract/operation.ts';
import { progressStepSchema, terminalConnectionSchema } from '../../src/contract/terminal.ts';
import { languageFor, languages, translatorFor } from '../../src/locales/index.ts';
import { connectionTestKinds } from '../support/contract-values.ts';
import { flatMessages, languageFiles, messageTree, type MessageTree } from '../support/messages.ts';

/** `banner.inDoubt_one` and `banner.inDoubt_few` are one message; each language has the forms that it needs. */
const withoutForm = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, '');
const isForm = (key: string) => withoutForm(key) !== key;
const english = flatMessages(messageTree('en'));
const keysOf = (messages: Map<string, string>) =>
  [...new Set([...messages.keys()].map(withoutForm))].toSorted();

const { code } = consoleRefusalSchema.shape;
const listenerKinds = listenerStateSchema.options.map(({ shape }) => shape.kind.value);

/** What the contract can say, by the place of its messages. */
const mustHaveMessages: Record<string, readonly string[]> = {
  status: transactionStatusSchema.options,
  statusMeaning: transactionStatusSchema.options,
  'terminal.connection': terminalConnectionSchema.options,
  'terminal.next': terminalConnectionSchema.options,
  'till.terminal': terminalConnectionSchema.options,
  'terminal.progress': progressStepSchema.options,
  listener: listenerKinds,
  'till.listener': listenerKinds.filter((kind) => kind !== 'on'),
  operation: operationKindSchema.options,
  'till.inDoubtTitle': operationKindSchema.options,
  'till.inDoubtDecision': operationKindSchema.options,
  'notice.doubt': operationKindSchema.options,
  'discrepancy.kind': discrepancyKindSchema.options,
  'discrepancy.next': discrepancyKindSchema.options,
  outcome: operationOutcomeSchema.options,
  resolution: resolutionSchema.options,
  refusals: code.options.flatMap((option): string[] => [...option.options]),
  'terminalForm.result': connectionTestKinds,
  'terminalForm.resultNext': connectionTestKinds,
};

function missing(tree: MessageTree): string[] {
  const known = flatMessages(tree);
  return Object.entries(mustHaveMessages).flatMap(([place, values]) =>
    values.map((value) => `${place}.${value}`).filter((key) => (known.get(key) ?? '').trim() === ''),
  );
}

describe.each(languageFiles)('the messages of %s.json', (language) => {
  const own = flatMessages(messageTree(language));

  test('are those of en.json, key by key', () => {
    expect(keysOf(own)).toEqual(keysOf(english));
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const counted = [...new Set([...own.keys()].filter(isForm).map(withoutForm))];
    const wanted = counted.flatMap((key) => forms.map((form) => `${key}_${form}`));
    expect(wanted.filter((key) => !own.has(key))).toEqual([]);
  });

  test('are never empty', () => {
    expect([...own].filter(([, text]) => text.trim() === '').map(([key]) => key)).toEqual([]);
  });

  test('name the same values as the English ones', () => {
    const namesOf = (text: string) =>
      [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => String(name)).toSorted();
    const different = [...own].filter(([key, text]) => {
      const other = english.get(key);
      return other !== undefined && !isForm(key) && String(namesOf(text)) !== String(namesOf(other));
    });
    expect(different).toEqual([]);
  });

  test('exist for everything that the contract can say', () => {
    expect(missing(messageTree(language))).toEqual([]);
  });

  test('are spoken by tray and dialogs too', () => {
    const own = messageTree(language)['tray'] as MessageTree;
    expect(translatorFor(language)('tray.quit')).toBe(own['quit']);
  });
});

test('messages that are missing are found', () => {
  const tree = messageTree('de');
  delete (tree['status'] as MessageTree)['approved'];
  (tree['refusals'] as MessageTree)['cancel_too_late'] = ' ';
  expect(missing(tree)).toEqual(['status.approved', 'refusals.cancel_too_late']);
});

test('the lists of the contract are whole', () => {
  expect(mustHaveMessages['refusals']).toEqual(
    expect.arrayContaining([...errorCodes, 'no_bridge', 'not_connected']),
  );
  expect(listenerKinds).toEqual(['on', 'off', 'starting', 'stopping', 'failed']);
});

test('every file is a language that can be chosen', () => {
  expect(languages.map(({ code }) => code).toSorted()).toEqual(languageFiles.toSorted());
  // What an installer can choose.
  expect(languageCodes.toSorted()).toEqual(languageFiles.toSorted());
});

test.each([
  ['system', ['de-AT'], 'de'],
  ['system', ['fr-FR', 'de'], 'de'],
  ['system', ['fr-FR'], 'en'],
  ['system', [], 'en'],
  ['en', ['de-DE'], 'en'],
  ['de', ['en-GB'], 'de'],
  ['de_CH', ['en'], 'de'],
  ['constructor', ['de'], 'en'],
])('the setting "%s" on a computer in %s is %s', (wanted, systemLocales, language) => {
  expect(languageFor(wanted, systemLocales)).toBe(language);
});

describe('in the code (the table of settings names messages, too)', () => {
  const source = path.resolve(import.meta.dirname, '../../src');
  const code = ['renderer', 'main', 'notifications', 'contract']
    .flatMap((folder) =>
      readdirSync(path.join(source, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .map((file) => readFileSync(path.join(source, folder, file), 'utf8')),
    )
    .join('\n');
  const literals = new Set([...code.matchAll(/'([a-z]\w*(?:\.[\w-]+)+)'/g)].map(([, key]) => String(key)));
  /** A key that is put together, such as `status.${status}`, stands for all that fit it. */
  const patterns = [...code.matchAll(/`([a-z]\w*\.[^`\s]*\$\{[^`]*)`/g)].map(
    ([, template]) =>
      new RegExp(
        `^${String(template)
          .replaceAll('.', String.raw`\.`)
          .replaceAll(/\$\{[^}]*\}/g, '[\\w-]+')}$`,
      ),
  );
  /** The names of a setting's choices, which the table puts together. */
  const choices = [...code.matchAll(/choiceLabels: '([\w.]+)'/g)].map(([, group]) => `${String(group)}.`);
  const isUsed = (key: string) =>
    literals.has(key) ||
    patterns.some((pattern) => pattern.test(key)) ||
    choices.some((group) => key.startsWith(group));
  /** Names of settings and files that look like keys. */
  const notKeys = new Set(['bridge.js']);
  /** Each language calls itself by it, without a key. */
  const byItself = 'language.name';

  test('every message is used', () => {
    expect(keysOf(english).filter((key) => key !== byItself && !isUsed(key))).toEqual([]);
    expect(isUsed('status.approved') && !isUsed('status.nobodyUsesThis.atAll')).toBe(true);
  });

  test('every key that is put together is one of some message', () => {
    const known = keysOf(english);
    const groups = new Set(known.map((key) => key.split('.')[0]));
    const ours = patterns.filter(({ source }) => groups.has(/^\^(\w+)/.exec(source)?.[1]));
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.filter((pattern) => !known.some((key) => pattern.test(key)))).toEqual([]);
    expect(choices.filter((group) => !known.some((key) => key.startsWith(group)))).toEqual([]);
  });

  test('every literal that stands where a key does exists', () => {
    const known = new Set(keysOf(english));
    const groups = new Set([...known].map((key) => key.split('.')[0]));
    const named = [...literals].filter((literal) => groups.has(literal.split('.')[0]));
    expect(named.length).toBeGreaterThan(300);
    expect(
      named.filter((key) => !known.has(key) && !notKeys.has(key) && !choices.includes(`${key}.`)),
    ).toEqual([]);
  });

  test('every message that is named exists', () => {
    const known = new Set(keysOf(english));
    const named = [...code.matchAll(/\bt\(\s*'([^']+)'/g)].map(([, key]) => String(key));
    expect(named.length).toBeGreaterThan(200);
    expect(named.filter((key) => !known.has(key))).toEqual([]);
  });
});

/** Of two fields with one name JSON keeps the last, and nobody sees the other go. */
function doubleKeys(json: string): string[] {
  const doubles: string[] = [];
  const { program, errors } = parseSync('messages.js', `(${json})`);
  expect(errors).toEqual([]);
  JSON.stringify(program, (_name, node: unknown) => {
    const names = keysOfObject(node);
    doubles.push(...names.filter((name, at) => names.indexOf(name) !== at));
    return node;
  });
  return doubles;
}

function keysOfObject(node: unknown): string[] {
  const { type, properties } = (node ?? {}) as { type?: string; properties?: { key: { value: string } }[] };
  return type === 'ObjectExpression' ? (properties ?? []).map(({ key }) => key.value) : [];
}

describe('no text is said twice under one key', () => {
  const folder = path.join(import.meta.dirname, '../../src/locales');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );

  test.each(files)('%s', (file) => {
    expect(doubleKeys(readFileSync(path.join(folder, file), 'utf8'))).toEqual([]);
  });

  test('and one that is would be found, at any depth', () => {
    expect(doubleKeys('{"a": "1", "b": {"a": "2", "c": "3", "c": "4"}, "a": "5"}')).toEqual(['a', 'c']);
    expect(files).toContain('de.json');
  });
});
