/** What the documents show step by step works as it stands there. */
import { enginesHere } from '../office/support/databases.ts';
import { describeWith } from '../support/describe-with.ts';
import { tourOfOffice } from './tours/office.ts';
import { tourOfReconcile } from './tours/reconcile.ts';
import { tourOfRemote } from './tours/remote.ts';

/** Each starts a dozen programs, one after the other. */
const limited = { timeout: 600_000 };

describeWith('bash and curl', 'the tours of the documents', (it) => {
  it('docs/remote.md can be followed word for word', limited, tourOfRemote);
  it('docs/reconcile.md can be followed word for word', limited, tourOfReconcile);
  for (const engine of enginesHere()) {
    it(`docs/office.md can be followed word for word on ${engine}`, limited, () => tourOfOffice(engine));
  }
});
