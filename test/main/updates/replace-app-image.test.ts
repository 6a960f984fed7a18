/** The new AppImage takes the place of the old one; whenever the power is lost, one of the two is there in full. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { replaceAppImage, type ReplaceSteps } from '../../../src/main/updates/replace-app-image.ts';
import { tempFolder } from '../../support/temp-folder.ts';

function installation(name = 'Tillbridge.AppImage') {
  const folder = tempFolder('replace');
  const appImage = path.join(folder, name);
  writeFileSync(appImage, 'old');
  const fetched = path.join(tempFolder('fetched'), 'Tillbridge-0.2.0-linux-x64.AppImage');
  writeFileSync(fetched, 'new');
  return { folder, appImage, fetched };
}

const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : 'nothing');

/** The real steps, until the power is lost in the one with this number: half of it may have been done. */
function untilPowerIsLost(number: number): ReplaceSteps {
  let count = 0;
  const isLost = () => {
    count += 1;
    if (count > number) throw new Error('no power');
    return count === number;
  };
  return {
    copy(from, to) {
      if (isLost()) writeFileSync(to, 'n');
      else copyFileSync(from, to);
    },
    keep: () => void isLost(),
    rename: (from, to) => void (isLost() || renameSync(from, to)),
    remove: (file) => void (isLost() || rmSync(file, { force: true })),
  };
}

test.each([1, 2, 3, 4, 5])('power that is lost in step %i leaves an app under its name', (number) => {
  const { appImage, fetched } = installation();
  try {
    replaceAppImage(appImage, fetched, untilPowerIsLost(number));
  } catch {
    // Nothing of it goes on without power.
  }
  expect(['old', 'new']).toContain(read(appImage));
});

test('a name without a version stays, and nothing is left over', () => {
  const { folder, appImage, fetched } = installation();
  expect(replaceAppImage(appImage, fetched)).toBe(appImage);
  expect([read(appImage), readdirSync(folder), existsSync(fetched)]).toEqual([
    'new',
    ['Tillbridge.AppImage'],
    false,
  ]);
});

test('a name with a version becomes that of the new one', () => {
  const { folder, appImage, fetched } = installation('Tillbridge-0.1.0-linux-x64.AppImage');
  const program = replaceAppImage(appImage, fetched);
  expect([read(program), readdirSync(folder)]).toEqual(['new', ['Tillbridge-0.2.0-linux-x64.AppImage']]);
});

test('a new one that cannot be copied leaves the old one, and nothing beside it', () => {
  const { folder, appImage } = installation();
  expect(() => replaceAppImage(appImage, path.join(folder, 'gone'))).toThrow('ENOENT');
  expect([read(appImage), readdirSync(folder)]).toEqual(['old', ['Tillbridge.AppImage']]);
});
