/** What of its surroundings a file may not use: the machine's clock and chance, a page, Node. */
import { fits, moduleOf, type Layers, type Violation } from './check.ts';
import { machineChance, machineTime, nodeOnly, page, type Names } from './names.ts';
import { targetOf, type SourceFile, type SourceTree } from './source-tree.ts';
import { describeUse, isUseOf } from './uses.ts';

const testFile = /^test\/.*\.test\.ts$/;
/** A test that needs the machine's own time says so by its name. */
const realTimeTest = /\.realtime\.test\.ts$/;

/** Each use in `src/` of the machine's clock or chance, of a page and of Node where the table does not allow it. */
export function forbiddenGlobals(tree: SourceTree, layers: Layers & { machine: string[] }): Violation[] {
  return [...tree.values()].flatMap((source) => {
    const module = moduleOf(source.file, layers.modules);
    if (module === null) return [];
    const surroundings = { page: [nodeOnly], node: [page], anywhere: [page, nodeOnly] }[
      module.runsIn ?? 'node'
    ];
    const isGiven = !layers.machine.some((path) => fits(path, source.file) !== null);
    return findings(source, isGiven ? [...surroundings, machineTime, machineChance] : surroundings);
  });
}

/** Those places in the list of the machine's users that use neither clock nor chance. */
export function staleMachineUsers(tree: SourceTree, machine: string[]): string[] {
  const users = [...tree.values()].filter(
    (source) => findings(source, [machineTime, machineChance]).length > 0,
  );
  return machine
    .filter((path) => !users.some(({ file }) => fits(path, file) !== null))
    .map((path) => `${path}: may use the machine's clock and chance, and does not`);
}

/**
 * Each use of the machine's clock in tests that are not of the real-time group, and in all that those run of `test/`,
 * `scripts/` and `bench/`. What they run of `src/` gets its clock from them: forbiddenGlobals sees to that.
 */
export function machineTimeInTests(tree: SourceTree): Violation[] {
  const reached = new Set<SourceFile>();
  const waiting = [...tree.values()].filter(({ file }) => testFile.test(file) && !realTimeTest.test(file));
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (reached.has(source)) continue;
    reached.add(source);
    waiting.push(...helpersOf(source, tree));
  }
  return [...tree.values()]
    .filter((source) => reached.has(source))
    .flatMap((source) => findings(source, [machineTime]));
}

/** The files outside of `src/` whose code this one runs. */
function helpersOf({ file, imports }: SourceFile, tree: SourceTree): SourceFile[] {
  return imports.flatMap(({ imported, isType }) => {
    const target = isType ? null : targetOf(file, imported);
    const source = target === null || target.startsWith('src/') ? undefined : tree.get(target);
    return source === undefined ? [] : [source];
  });
}

function findings({ file, uses, lineOf }: SourceFile, forbidden: Names[]): Violation[] {
  return uses.flatMap((use) => {
    const names = forbidden.find((candidate) => isUseOf(candidate, use));
    return names === undefined
      ? []
      : [{ file, line: lineOf(use.at), what: describeUse(use), rule: names.rule }];
  });
}
