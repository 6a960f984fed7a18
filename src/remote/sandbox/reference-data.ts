/** What a new sandbox has from the start: what no operation of the interface can make, and what others need. */
import type { Engine } from './engine.ts';
import { insertNew } from './rules/compliance.ts';
import type { World } from './world.ts';

const requirementTypes = [
  ['identity', 'Identity', 'Who the party is, shown by a document.', ['document']],
  ['address', 'Address', 'Where the party lives.', ['document', 'answer']],
  ['source-of-funds', 'Source of funds', 'Where the money comes from.', ['answer']],
] as const;

/** Name, meaning, requirements. */
const capabilities = [
  ['hold-account', 'Have an account.', ['identity']],
  ['receive-payments', 'Have money come in.', ['identity']],
  ['send-payments', 'Send money.', ['identity', 'address']],
  ['trade', 'Exchange currencies.', ['identity', 'address']],
  ['crypto-transfers', 'Send and receive crypto assets.', ['identity', 'address', 'source-of-funds']],
] as const;

export function addReferenceData(engine: Engine): void {
  engine.transaction((world) => {
    if (world.records.first('requirement-type') !== null) return;
    const typeIds = addRequirementTypes(world);
    for (const [name, description, needs] of capabilities) {
      const requirement_type_ids = needs.map((code) => typeIds.get(code));
      insertNew(world, 'capability', { name, description, requirement_type_ids });
    }
    for (const name of ['Sandbox Bank', 'Sandbox Exchange']) {
      insertNew(world, 'partner', { name, country: 'DE', status: 'active' });
    }
    for (const currency_code of ['EUR', 'USD']) {
      for (const name of ['Collections', 'Merchants', 'Fees']) {
        insertNew(world, 'clearing-account', {
          name: `${name} ${currency_code}`,
          currency_code,
          balance: '0.00',
          status: 'active',
        });
      }
    }
  });
}

function addRequirementTypes(world: World): Map<string, string> {
  return new Map(
    requirementTypes.map(([code, name, description, evidence_types]) => {
      const capabilityNames = capabilities.filter(([, , needs]) =>
        (needs as readonly string[]).includes(code),
      );
      const type = insertNew(world, 'requirement-type', {
        code,
        name,
        description,
        evidence_types,
        capabilities: capabilityNames.map(([capability]) => capability),
      });
      return [code, type.id];
    }),
  );
}
