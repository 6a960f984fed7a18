/** The sentence for a port that another Tillbridge has. */
import { expect, test } from 'vitest';
import { thisComputer } from '../../../src/host/diagnosis/computer.ts';
import { tillbridgeHasPort } from '../../../src/host/diagnosis/port-taken.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const sentence = (isTillbridge: boolean, user: string | null) => {
  const computer = {
    ...thisComputer(),
    userName: 'anna',
    isTillbridge: () => Promise.resolve(isTillbridge),
    userOfTcpPort: () => Promise.resolve(user),
  };
  return tillbridgeHasPort(8080, createVirtualClock(), computer);
};

test('it names another user, and says what to do', async () => {
  expect(await sentence(true, 'bernd')).toBe(
    'Port 8080 is used by Tillbridge of the user bernd. Quit it there, or choose another port.',
  );
  for (const user of ['anna', null])
    expect(await sentence(true, user)).toContain('is used by another Tillbridge: the desktop app, a service');
  expect(await sentence(false, 'bernd')).toBeNull();
});
