/**
 * `npm run sign-feed -- FOLDER`: signs each list of versions in the folder (`latest.yml`, `latest-linux.yml`, …), once it
 * agrees with the files beside it. The private key (PEM) is in the file that TILLBRIDGE_FEED_KEY_FILE names, or in
 * TILLBRIDGE_FEED_KEY. `npm run sign-feed -- --new-key FILE` makes one; it belongs to no repository.
 */
import { signFeed } from './feed/sign.ts';

try {
  for (const line of signFeed(process.argv.slice(2), process.env)) console.log(line);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
