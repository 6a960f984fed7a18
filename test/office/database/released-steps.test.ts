/** The steps to newer databases, as they were released: a database out there has had them word by word. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrations } from '../../../src/office/database/migrations.ts';

/** SHA-256 of each entry, in its order. With a new step comes a line at the end; the others stay. */
const released = [
  '190cc4634ce551a50f364446e97f0967ca57ed68a370e9ef9e1747c332f088dd',
  '574a2a36027943bb89c58e574e19035fe04cc87d5bd32c7bf22a2f41d5cd8f70',
  '65f848fb3f2345d86d50ca080be8682b122ca4553c077aa251d04068b4bbe0b0',
  'bb513e70420c7d0498e5df242942c9d1f3fd4efd0032bc04940943d7a7a979ae',
  '66284a0ba42358d3ea848ee9b4bbd97595e51ce8f051350ab4caaf6b161790c3',
  '2cb6f92487491af2d094f53d6a207be9beb3e73821b62595647960532567dddf',
  '6fbd4770ed599dcd724ad2fa3543a8289e56eb3127ad51df686801cae4b52261',
  'dd03de408d695af8ab7c0d54cbf2b4608014ad1a9e2e0720d8cb32ecdaa3b182',
  '56eafa5dce7aec3727611265e25534e74bca33ee24a9a1d2cea4fcaf4511a97a',
  '3a565222ea80a561b489d24c8e0909f3dd6ab802c4b73984b5fba43226c7ccaa',
  '5184a1680ede82a4edcb0dbb114005bc03f41716b1ae5a00ac8cf4f2b389e0ef',
  '4e213598aa387ac0202ccf88b130bce9647b5b3be22d74015ff9daec21d5b149',
  'a5686e31814c75dab9f811ba0289d32e68d2b935b2f1082e8c5811691397ebd6',
  '23c44e9c1c162d2772a1f7e999c048311423950303817c5ca466ab08b44fdb87',
  '592851c9b8bb46e9bbd98a46c0ea2beda5292932a5cb004ac1ceb624b3d999f6',
];

function hashOf(step: string): string {
  return createHash('sha256').update(step).digest('hex');
}

test('a released step is as it was', () => {
  for (const [index, hash] of released.entries()) {
    const step = migrations[index];
    const version = `the step to version ${index + 1}`;
    expect(step, `${version} is gone: a released step is never removed or moved`).toBeDefined();
    expect(
      hashOf(step ?? ''),
      `${version} was changed: a released step is never changed; append a new one`,
    ).toBe(hash);
  }
});

test('each step is on the list', () => {
  const missing = migrations.slice(released.length).map(hashOf);
  expect(missing, 'append these to the list of this test').toEqual([]);
});
